"""Cards laid: what fits, whose move it is, and what must go back. Each situation names the rows it rests on."""

from __future__ import annotations

import pytest

from tests.rules.situations import assert_ruled, ruled

CLASSIC = {
    "F1 F3 1:32 1:33 a card fits by colour or by number": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R3
        P2: B3
        P3: B9
    """,
    "F1 1:34 a Skip fits on a Skip": """
        [Pos "R5 R > P1 P1:4 P2:4 P3:4"]
        P1: RS
        P3: YS
        P2: Y1
    """,
    "F1 neither colour nor number nor symbol": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: B3 !illegal_play
        P1: <B3 +2:foul
        P2: R1
    """,
    "F12 1:60 a Wild may be laid with a playable card in hand": """
        [Pos "R8 R > P1 P1:R1,W,B2 P2:4"]
        P1: W>B
        P2: B1
    """,
    "F14 the wrong colour after a Wild": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: W>B
        P2: R8 !illegal_play
    """,
    "G16 O1 the wrong card costs two and the turn, and they are due": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: B3 !illegal_play
        P1: <B3
        P2: R1 !penalty_not_drawn
    """,
    "G16 O1 whoever took a wrong card back has lost the turn": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: B3 !illegal_play
        P1: <B3 +2:foul
        P1: R1 !out_of_turn
    """,
    "foul.window a wrong card that the table lets lie stands, and nobody is blamed twice": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: B3 !illegal_play
        P2: B4
        P3: B5
    """,
    "G16 nobody saw the wrong card go back, and play goes on as if it had": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: B3 !illegal_play
        P2: R4
        P3: R5
    """,
    "the table itself puts the card back": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: B3 !illegal_play
        table: <B3
        P1: +2:foul
        P2: R4
    """,
    "F10 two cards in one turn, the second goes back": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R3
        P1: R4 !multiple_cards
        P1: <R4
        P2: R5
    """,
    "F10 0:15 two +2 laid together": """
        [Pos "R8 R > P1 P1:RD,BD,R1,G1 P2:4 P3:4"]
        P1: RD BD !multiple_cards
        P1: <BD
        P2: +2:d2 --
        P3: R1
    """,
    "D5 out of turn": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4 P4:4"]
        P1: R3
        P3: R4 !out_of_turn
        P3: <R4
        P2: R5
    """,
    "D5 the wrong way round": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4 P4:4"]
        P1: R3
        P4: R4 !out_of_turn
    """,
    "H2 after a Reverse play goes the other way": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: RR
        P3: R4
        P2: R5
    """,
    "two faults of one play are both told": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4 P4:4"]
        P1: R3
        P3: B4 !out_of_turn !illegal_play
    """,
    "a card out of turn that the table accepts is blamed once": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4 P4:4"]
        P1: R3
        P3: R4 !out_of_turn
        P4: R6
        P1: R7
    """,
    "a card out of turn that stays, and the right player goes on": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4 P4:4"]
        P1: R3
        P3: R4 !out_of_turn
        P2: B4
    """,
    "H1 whoever is skipped may not play": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: RS
        P2: R4 !played_while_skipped
        P2: <R4
        P3: R5
    """,
    "H3 the victim of a +2 may not play before drawing": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: RD
        P2: R4 !played_while_skipped
        P2: <R4 +2:d2 --
        P3: R5
    """,
    "M1 M2 with two players Skip and Reverse give another move": """
        [Pos "R8 R > P1 P1:5 P2:4"]
        P1: RS
        P1: RR
        P1: R4
        P2: R5
    """,
    "M3 M4 with two players the drawer waits": """
        [Pos "R8 R > P1 P1:6 P2:4"]
        P1: RD
        P2: +2:d2
        P1: W4>B
        P2: +4:w4 --
        P1: B4
        P2: B5
    """,
    "M5 J10 1:97 with two players an action card as last but one, then out": """
        [Pos "R8 R > P1 P1:RS,R4 P2:4"]
        P1: RS UNO!
        P1: R4
        wins P1
    """,
    "principle 4: six or nine, both fit": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R6|R9~0.55
        P2: R1
    """,
    "principle 4: six or nine, one of them fits: a question": """
        [Pos "B6 B > P1 P1:4 P2:4 P3:4"]
        P1: R6|R9~0.55 !illegal_play
    """,
    "principle 4: the card on top was six or nine, and the next one fits on one of them": """
        [Pos "G8 G > P1 P1:4 P2:4 P3:4"]
        P1: G6|G9~0.58
        P2: B6
        P3: R9 !illegal_play
    """,
    "principle 4: a doubtful single reading makes a question": """
        [Pos "B6 B > P1 P1:4 P2:4 P3:4"]
        P1: R3~0.5 !illegal_play
    """,
    "principle 4: a five or a Skip, and the game goes on as after a Skip": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R5|RS~0.6
        P3: R1
        P1: B1
    """,
    "principle 4: a five or a Skip, and the game goes on as after a five": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R5|RS~0.6
        P2: B5
        P3: B1
    """,
    "principle 4: a five or a Skip, and what follows fits on neither": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R5|RS~0.6
        P2: B4 !illegal_play
    """,
    "principle 4: a Wild or a +4, and four are drawn": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: W|W4~0.6 >B
        P2: +4:w4 --
        P3: B1
    """,
    "a card that fitted is lifted again": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R3
        P1: <R3 !took_back_played_card
        P1: R3
        P2: R4
    """,
    "O5 no jump-in here": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R3
        P3: ^R3 !out_of_turn
    """,
    "nobody saw whose hand laid the card: the one on turn is not blamed, nor another": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        table: R3
        P2: R4
    """,
    "B3 a third red 3 is a doubtful reading": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R3
        P2: R3
        P3: R3 !impossible_card
    """,
    "B5 no Swap Hands in a box of 108": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: WX>R*P2 !impossible_card
    """,
    "B3 G1 after a refill counting begins anew": """
        [Pos "R8 R > P1 P1:4 P2:4 P3:4"]
        P1: R3
        P2: R3
        P3: R4
        table: reshuffle(60)
        P1: R3
    """,
}


@pytest.mark.parametrize("situation", CLASSIC)
def test_classic(situation: str) -> None:
    assert_ruled(CLASSIC[situation])


CERTAINTIES = {
    "T a card that does not fit is seen": ("P1: B3", "foul", "sure"),
    "S a colour after a Wild was heard": ("P1: W>B\nP2: R3", "foul", "heard"),
    "a doubtful reading only makes a question": ("P1: B3~0.5", "question", "likely"),
    "two readings, neither fits": ("P1: B3|B7~0.5", "foul", "likely"),
}


@pytest.mark.parametrize("case", CERTAINTIES)
def test_how_sure_a_wrong_card_is(case: str) -> None:
    moves, kind, certainty = CERTAINTIES[case]
    [incident] = ruled('[Pos "R8 R > P1 P1:4 P2:4 P3:4"]\n' + moves).incidents
    assert (incident.code, incident.kind, incident.certainty) == ("illegal_play", kind, certainty)


REMEDIES = {
    ("classic-108", "P1: B3"): "Take it back, draw 2, next player.",
    ("112-card", "P1: B3"): "Take it back.",
    ("classic-108", "P1: RD\nP2: BD"): "Take it back, draw 2, next player.",
    ("seed-001", "P1: RD\nP2: BD"): "Take it back.",
}


@pytest.mark.parametrize(("profile", "moves"), REMEDIES)
def test_the_remedy_is_the_tables_own(profile: str, moves: str) -> None:
    [incident] = ruled('[Pos "R8 R > P1 P1:4 P2:4 P3:4"]\n' + moves, profile).incidents
    assert incident.say_remedy() == REMEDIES[profile, moves]

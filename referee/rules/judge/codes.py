"""Every incident the referee knows: what kind it is, on what proof it rests, what to do, and which option decides.

kind and proof are what an incident is unless the judge has less to go on; `option` names the profile's option whose
lines a table reads when it argues. Codes are those of the list of incidents.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.ruling import Certainty, Kind


@dataclass(frozen=True, slots=True)
class Offence:
    """One row of the list of incidents."""

    kind: Kind
    certainty: Certainty
    option: str
    remedy: str = ""


OFFENCES: dict[str, Offence] = {
    # plays
    "illegal_play": Offence("foul", "sure", "match.symbol"),
    "out_of_turn": Offence("foul", "sure", "setup.direction", "take_back"),
    "played_while_skipped": Offence("foul", "sure", "turn.cards", "take_back"),
    "multiple_cards": Offence("foul", "sure", "turn.cards", "take_back"),
    "early_play": Offence("foul", "heard", "wild.must_name", "take_back"),
    "stacked_not_allowed": Offence("foul", "sure", "house.stacking"),
    "hand_card_after_draw": Offence("foul", "sure", "turn.hand_card_after_draw", "take_back"),
    "took_back_played_card": Offence("foul", "sure", "foul.window", "put_down"),
    # draws
    "drawn_card_not_played": Offence("foul", "hidden", "turn.drawn_card", "none"),
    "drew_too_many": Offence("foul", "sure", "turn.draw", "put_back"),
    "drew_too_few": Offence("foul", "sure", "turn.draw", "draw_rest"),
    "penalty_not_drawn": Offence("foul", "sure", "house.stacking", "other_draws"),
    "drew_without_cause": Offence("foul", "sure", "turn.draw", "put_back"),
    "passed_without_drawing": Offence("foul", "sure", "turn.pass_without_draw", "draw"),
    # wilds
    "no_colour_named": Offence("foul", "heard", "wild.must_name", "name_colour"),
    "colour_not_changed": Offence("foul", "heard", "wild.may_keep_colour", "name_another_colour"),
    "wd4_with_matching_colour": Offence("foul", "hidden", "wild_draw_four.condition", "guilty"),
    "wd4_with_matching_colour_or_number": Offence("foul", "hidden", "wild_draw_four.condition", "guilty"),
    "wd4_bluff_shown": Offence("note", "sure", "wild_draw_four.window", "none"),
    "challenge_innocent": Offence("note", "hidden", "wild_draw_four.innocent", "innocent"),
    "challenge_not_entitled": Offence("note", "heard", "wild_draw_four.challenge", "void"),
    "challenge_late": Offence("note", "heard", "wild_draw_four.window", "void"),
    # UNO
    "missed_uno": Offence("foul", "heard", "uno.penalty", "draw"),
    "late_uno": Offence("note", "heard", "uno.self_correction", "none"),
    "catch_early": Offence("note", "heard", "uno.window_closes", "void"),
    "catch_late": Offence("note", "heard", "uno.window_closes", "void"),
    "false_uno": Offence("foul", "heard", "uno.false_call", "draw"),
    "false_catch": Offence("note", "heard", "uno.false_catch", "void"),
    "advice": Offence("question", "heard", "foul.advice_draws", "draw"),
    # opening, refilling, hands, the end
    "action_finish_forbidden": Offence("foul", "sure", "finish.action_card"),
    "last_draw_not_served": Offence("foul", "sure", "finish.last_draw_applies", "other_draws"),
    "start_card_must_be_replaced": Offence("note", "sure", "start_card.wild", "replace_start"),
    "start_effect_missed": Offence("foul", "sure", "start_card.skip", "serve_start"),
    "wrong_first_player": Offence("foul", "sure", "setup.first_player", "other_begins"),
    "deal_miscount": Offence("foul", "sure", "setup.hand_size", "complete_hand"),
    "top_card_moved": Offence("foul", "sure", "reshuffle.keep_top", "turn_top_back"),
    "hand_exchange_wrong": Offence("question", "likely", "house.seven_zero", "repeat_exchange"),
    "impossible_card": Offence("question", "likely", "deck.edition", "show_card"),
    "hand_count_mismatch": Offence("question", "likely", "setup.hand_size", "count_cards"),
    "score_mismatch": Offence("foul", "sure", "score.values", "restate"),
}

TAKEN_BACK = frozenset(
    {
        "illegal_play",
        "out_of_turn",
        "played_while_skipped",
        "multiple_cards",
        "early_play",
        "stacked_not_allowed",
        "hand_card_after_draw",
        "action_finish_forbidden",
        "wd4_with_matching_colour",
        "wd4_with_matching_colour_or_number",
        "start_effect_missed",
        "wrong_first_player",
    }
)
"""Fouls for which the card that was laid goes back to the hand."""

WEIGHTS: dict[Kind, int] = {"foul": 4, "question": 2, "note": 1}
"""How much each kind speaks against a state of the table, when the judge asks which one explains an entry."""

"""Options that cannot be played together, whatever the table prefers."""

from __future__ import annotations

from collections.abc import Iterator

from referee.rules.profiles.options import Profile

_HANDS_CARD = {"classic_108": "none", "blank_112": "none", "swap_112": "swap", "shuffle_112": "shuffle"}
_BLANKS = {"classic_108": 0, "blank_112": 4, "swap_112": 3, "shuffle_112": 3}


def contradictions(profile: Profile) -> Iterator[tuple[str, str]]:
    """Each contradiction as (option to look at, what is wrong); nothing for a profile that can be played."""
    deck, players, score = profile.deck, profile.players, profile.score
    if deck.hands_card not in ("none", _HANDS_CARD[deck.edition]):
        yield "deck.hands_card", f"the {deck.edition} box holds no {deck.hands_card} card"
    if deck.customizable > _BLANKS[deck.edition]:
        yield "deck.customizable", f"the {deck.edition} box holds {_BLANKS[deck.edition]} blank wilds"
    if players.min > players.max:
        yield "players.min", f"players.min {players.min} is above players.max {players.max}"
    if profile.partners.enabled and not players.min <= 4 <= players.max:
        yield "partners.enabled", "partners play with four, which players.min and players.max rule out"
    if (score.winner == "last_left") != (score.elimination != "none"):
        yield "score.elimination", "score.winner 'last_left' and score.elimination go together"
    if score.elimination != "none" and score.to != "each_own_hand":
        yield "score.to", "elimination needs each hand written against its own player: score.to 'each_own_hand'"
    if score.to == "nobody" and score.winner != "single_round":
        yield "score.winner", "without points only single rounds can be won: score.winner 'single_round'"
    if profile.wild_draw_four.enforcement == "challenge" and profile.wild_draw_four.challenge == "nobody":
        yield "wild_draw_four.challenge", "enforcement 'challenge' needs somebody who may challenge"

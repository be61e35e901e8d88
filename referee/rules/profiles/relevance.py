"""Which options matter at a table: nobody argues about the start effect of a card that is not in the box."""

from __future__ import annotations

from collections.abc import Callable

from referee.rules.profiles.options import Profile

_CHALLENGE = ("window", "hand_shown_to", "guilty", "innocent", "after_guilty", "challenge_last")


def _puts_first_card_back(profile: Profile) -> bool:
    start = profile.start_card
    return "redraw" in (start.skip, start.reverse, start.draw_two, start.wild, start.wild_draw_four)


_NEEDS: dict[str, Callable[[Profile], bool]] = {
    "deck.custom_rules": lambda p: p.deck.customizable > 0,
    "setup.dealer_action_card": lambda p: p.setup.dealer.startswith("highest"),
    "setup.dealer_tie": lambda p: p.setup.dealer.startswith("highest"),
    "start_card.wild_swap_hands": lambda p: p.deck.hands_card == "swap",
    "start_card.wild_shuffle_hands": lambda p: p.deck.hands_card == "shuffle",
    "start_card.wild_customizable": lambda p: p.deck.customizable > 0,
    "start_card.return_to": _puts_first_card_back,
    "wild_draw_four.enforcement": lambda p: p.wild_draw_four.condition != "none",
    "wild_draw_four.challenge": lambda p: p.wild_draw_four.condition != "none",
    **{f"wild_draw_four.{name}": lambda p: p.wild_draw_four.challenge != "nobody" for name in _CHALLENGE},
    "foul.window": lambda p: p.foul.remedy != "announce_only",
    "uno.after_hand_change": lambda p: p.deck.hands_card != "none" or p.house.seven_zero != "none",
    "finish.forbidden_remedy": lambda p: p.finish.action_card == "forbidden",
    "finish.hands_card": lambda p: p.deck.hands_card != "none",
    "score.target": lambda p: p.score.to != "nobody",
    "score.reach": lambda p: p.score.to != "nobody",
    "score.tie": lambda p: p.score.to != "nobody",
    "score.elimination": lambda p: p.score.to != "nobody",
    "score.values": lambda p: p.score.to != "nobody",
    "two_player.reverse_is_skip": lambda p: p.players.min <= 2,
    "partners.seats": lambda p: p.partners.enabled,
    "partners.score": lambda p: p.partners.enabled and p.score.to != "nobody",
}


def comes_up(option: str, profile: Profile) -> bool:
    """False for an option whose question cannot arise at this table, because of what other options say."""
    needs = _NEEDS.get(option)
    return needs is None or needs(profile)

"""The options of a rule profile: one frozen group per topic, each value typed.

A profile is what one table plays by. Every group's defaults are the project's defaults; a preset or a table's
own file changes some of them. `profile.uno.penalty` in code is `uno.penalty` in a file and in a ruling.
Allowed values are the Literals below: the loader reads them from here, so there is no second list.

Row ids (`F5`, `H6`) and gap ids (`G06`) are those of the rule matrix that compares the printed rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias

from referee.cards import Card, Symbol


@dataclass(frozen=True, slots=True)
class Bounds:
    """Lowest and highest value that a counted option may take, both inclusive."""

    low: int
    high: int


PlayerCount: TypeAlias = Annotated[int, Bounds(2, 10)]
HandSize: TypeAlias = Annotated[int, Bounds(1, 20)]
CardCount: TypeAlias = Annotated[int, Bounds(0, 20)]
Points: TypeAlias = Annotated[int, Bounds(0, 1000)]
Target: TypeAlias = Annotated[int, Bounds(1, 100_000)]

CustomEffect: TypeAlias = Literal[
    "next_draws", "others_draw", "others_discard_wilds", "discard_colour", "extra_turn", "free"
]
StartWild: TypeAlias = Literal["first_player_names_colour", "redraw"]


@dataclass(frozen=True, slots=True)
class CustomRule:
    """What a blank card says at this table (rows B7, I6); `count` cards are drawn if it is a draw."""

    text: str = ""
    effect: CustomEffect = "free"
    count: CardCount = 0


@dataclass(frozen=True, slots=True)
class CardValues:
    """Points of a card left in a hand (rows L1 to L4); `number` is the face value or fixed points."""

    number: Literal["face"] | Points = "face"
    skip: Points = 20
    reverse: Points = 20
    draw_two: Points = 20
    wild: Points = 50
    wild_draw_four: Points = 50
    wild_swap_hands: Points = 40
    wild_shuffle_hands: Points = 40
    wild_customizable: Points = 40

    def __getitem__(self, symbol: Symbol) -> int:
        """Points of one card with this symbol."""
        if symbol.is_number:
            return int(symbol.value) if self.number == "face" else self.number
        points: int = getattr(self, symbol.name.lower())
        return points

    def of(self, card: Card) -> int:
        """Points of one card."""
        return self[card.symbol]


@dataclass(frozen=True, slots=True)
class Source:
    """Where the profile comes from: its title, and the document's file name where it is a document's."""

    title: str = ""
    kind: Literal["seed", "official", "variant", "custom"] = "custom"
    file: str = ""


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards in the box (rows B1 to B8)."""

    edition: Literal["classic_108", "swap_112", "shuffle_112", "blank_112"] = "classic_108"
    hands_card: Literal["none", "swap", "shuffle"] = "none"
    customizable: Literal[0, 1, 2, 3, 4] = 0
    custom_rules: tuple[CustomRule, ...] = ()
    copies: Literal[1, 2] = 1


@dataclass(frozen=True, slots=True)
class Players:
    """How many may sit down (row A3)."""

    min: PlayerCount = 2
    max: PlayerCount = 10


@dataclass(frozen=True, slots=True)
class Setup:
    """Dealer, hands, who begins and which way (rows C1 to C5, D1 to D5)."""

    hand_size: HandSize = 7
    dealer: Literal["highest_number", "highest_points", "youngest", "agreed"] = "highest_number"
    dealer_action_card: Literal["zero", "redraw", "points"] = "zero"
    dealer_tie: Literal["redraw"] = "redraw"
    dealer_rotation: Literal["clockwise", "fixed", "winner"] = "clockwise"
    first_player: Literal["left_of_dealer", "youngest"] = "left_of_dealer"
    direction: Literal["clockwise", "counterclockwise"] = "clockwise"


@dataclass(frozen=True, slots=True)
class StartCard:
    """What the first card turned up does (rows E0 to E8)."""

    skip: Literal["apply", "redraw", "ignore"] = "apply"
    reverse: Literal["dealer_plays", "right_of_dealer_plays", "redraw", "ignore"] = "dealer_plays"
    draw_two: Literal["draw_and_skip", "draw_and_play", "redraw", "ignore"] = "draw_and_skip"
    wild: StartWild = "first_player_names_colour"
    wild_draw_four: StartWild = "redraw"
    wild_swap_hands: StartWild | Literal["first_player_names_colour_and_swaps"] = "redraw"
    wild_shuffle_hands: StartWild = "redraw"
    wild_customizable: StartWild = "redraw"
    return_to: Literal["shuffle", "middle", "bottom"] = "shuffle"


@dataclass(frozen=True, slots=True)
class Match:
    """What makes a card fit (rows F1, F2): `symbol`: a Skip goes on a Skip of another colour."""

    symbol: bool = True


@dataclass(frozen=True, slots=True)
class Turn:
    """What a player may do in a turn (rows F4 to F11)."""

    cards: Literal[1] = 1
    may_decline: bool = True
    draw: Literal["one", "until_playable"] = "one"
    drawn_card: Literal["may_play", "must_play", "keep"] = "may_play"
    hand_card_after_draw: Literal["forbidden", "allowed"] = "forbidden"
    pass_without_draw: Literal["forbidden", "allowed"] = "forbidden"


@dataclass(frozen=True, slots=True)
class Foul:
    """What a wrong card costs (gap G16) and what advice costs (gap G17)."""

    remedy: Literal["take_back", "take_back_draw_two_lose_turn", "announce_only"] = "take_back"
    window: Literal["next_player_begins", "round_end"] = "next_player_begins"
    advice_draws: Literal[0, 2, 4] = 0


@dataclass(frozen=True, slots=True)
class Reshuffle:
    """What happens when the draw pile runs out (rows G1, G2)."""

    keep_top: bool = True
    when_exhausted: Literal["draw_what_is_left", "end_round"] = "draw_what_is_left"


@dataclass(frozen=True, slots=True)
class Wild:
    """Naming a colour (rows F12 to F14)."""

    must_name: bool = True
    may_keep_colour: bool = True


@dataclass(frozen=True, slots=True)
class WildDrawFour:
    """When a Wild Draw Four may be laid, and its challenge (rows H5 to H15); held wilds never count (G04)."""

    condition: Literal["no_current_colour", "no_colour_or_number", "none"] = "no_current_colour"
    enforcement: Literal["challenge", "forbidden", "free"] = "challenge"
    challenge: Literal["next_player", "any_opponent", "nobody"] = "next_player"
    window: Literal["before_first_penalty_card", "before_last_penalty_card"] = "before_first_penalty_card"
    hand_shown_to: Literal["challenger", "table"] = "challenger"
    guilty: CardCount = 4
    innocent: CardCount = 6
    after_guilty: Literal["challenger_plays", "challenger_skipped"] = "challenger_plays"
    challenge_last: Literal["allowed", "void"] = "allowed"


@dataclass(frozen=True, slots=True)
class Uno:
    """The call with one card left, the catch and its window (rows J1 to J11)."""

    call_from: Literal["turn_begins", "card_leaves_hand", "card_lands"] = "turn_begins"
    call_until: Literal["card_lands", "caught_or_window_closes"] = "caught_or_window_closes"
    window_closes: Literal[
        "next_touches_pile", "next_draws_or_lifts_card", "next_plays_or_draws", "next_turn_over"
    ] = "next_draws_or_lifts_card"
    forced_draw_closes: bool = True
    penalty: Literal[2, 4] = 2
    self_correction: Literal["safe", "penalty"] = "safe"
    catch_words: Literal["any", "uno"] = "any"
    tie: Literal["favours_player", "favours_catcher", "undecided"] = "favours_player"
    repeat: bool = True
    after_hand_change: Literal["call_needed", "not_needed"] = "call_needed"
    false_call: Literal[0, 2, 4] = 0
    referee_catches: bool = False
    false_catch: Literal[0, 2, 4] = 0


@dataclass(frozen=True, slots=True)
class Finish:
    """Going out (rows K1 to K4, I3, O6)."""

    action_card: Literal["allowed", "forbidden"] = "allowed"
    forbidden_remedy: Literal["take_back_draw_one", "take_back_draw_two"] = "take_back_draw_one"
    last_draw_applies: bool = True
    hands_card: Literal["plain_wild", "applies"] = "plain_wild"


@dataclass(frozen=True, slots=True)
class Score:
    """Counting hands, and who wins the game (rows L1 to L13)."""

    to: Literal["round_winner", "each_own_hand", "nobody"] = "round_winner"
    target: Target = 500
    reach: Literal["at_least", "more_than"] = "at_least"
    winner: Literal["first_to_target", "lowest_when_target_hit", "last_left", "single_round"] = "first_to_target"
    elimination: Literal["none", "to_two_then_duel", "to_one"] = "none"
    tie: Literal["extra_round", "shared", "fewer_points_before"] = "extra_round"
    values: CardValues = CardValues()


@dataclass(frozen=True, slots=True)
class TwoPlayer:
    """Two at the table (rows M1 to M5)."""

    reverse_is_skip: bool = True


@dataclass(frozen=True, slots=True)
class Partners:
    """Four in two teams (row N1)."""

    enabled: bool = False
    seats: Literal["opposite"] = "opposite"
    score: Literal["both_opposing_hands"] = "both_opposing_hands"


@dataclass(frozen=True, slots=True)
class House:
    """House rules that change the turn (rows O1 to O5)."""

    stacking: Literal["none", "draw_two", "same_kind", "four_on_two", "any"] = "none"
    jump_in: Literal["none", "identical"] = "none"
    seven_zero: Literal["none", "seven_swaps", "zero_rotates", "both"] = "none"


@dataclass(frozen=True, slots=True)
class Speech:
    """Language in which the table hears its rulings."""

    language: Literal["en", "pt", "ro", "es"] = "en"


@dataclass(frozen=True, slots=True)
class Profile:
    """One table's rules. Two profiles are equal when every option is, whatever their names and sources.

    `name` is a preset's name or the stem of a file; `parents` is the chain it extends, nearest first;
    `documents` maps an option to the lines it rests on.
    """

    name: str = field(default="custom", compare=False)
    parents: tuple[str, ...] = field(default=(), compare=False)
    source: Source = field(default=Source(), compare=False)
    deck: Deck = Deck()
    players: Players = Players()
    setup: Setup = Setup()
    start_card: StartCard = StartCard()
    match: Match = Match()
    turn: Turn = Turn()
    foul: Foul = Foul()
    reshuffle: Reshuffle = Reshuffle()
    wild: Wild = Wild()
    wild_draw_four: WildDrawFour = WildDrawFour()
    uno: Uno = Uno()
    finish: Finish = Finish()
    score: Score = Score()
    two_player: TwoPlayer = TwoPlayer()
    partners: Partners = Partners()
    house: House = House()
    speech: Speech = Speech()
    documents: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: MappingProxyType({}), compare=False, repr=False
    )

    @property
    def title(self) -> str:
        """The profile's title as a reader knows it, or its name when it has none."""
        return self.source.title or self.name

    def value(self, option: str) -> object:
        """The value of an option by its dotted name (`turn.draw`); KeyError if there is no such option."""
        group, _, name = option.partition(".")
        try:
            found: object = getattr(getattr(self, group), name)
        except AttributeError:
            raise KeyError(option) from None
        return found

    def options(self) -> Iterator[tuple[str, Any]]:
        """Every option that players can differ on (all but `source.*`) as (dotted name, value), group by group."""
        for group in fields(self):
            value = getattr(self, group.name)
            if group.name in _NO_RULES:
                continue
            yield from ((f"{group.name}.{option.name}", getattr(value, option.name)) for option in fields(value))

    def source_of(self, option: str, row: str = "") -> tuple[str, ...]:
        """The lines that an option's value rests on, e.g. `("seed-001 1:38",)`; `("assumed",)` if none.

        `row`: a row of the matrix (`H3`) that says it more closely than the option does; its lines are given instead
        where the profile's document has it.
        """
        return self.documents.get(row) or self.documents.get(option, ("assumed",))

    def changed(self, options: Mapping[str, Any], *, name: str | None = None) -> Profile:
        """This profile with some options set by dotted name, said to be `this table` as their source.

        KeyError for an unknown option. Values are taken as they are; files go through the strict loader.
        """
        groups: dict[str, dict[str, Any]] = {}
        for option, value in options.items():
            self.value(option)
            group, _, leaf = option.partition(".")
            groups.setdefault(group, {})[leaf] = value
        changes: dict[str, Any] = {group: replace(getattr(self, group), **leaves) for group, leaves in groups.items()}
        documents = {**self.documents, **dict.fromkeys(options, ("this table",))}
        return replace(self, name=name or self.name, documents=MappingProxyType(documents), **changes)


_NO_RULES = frozenset({"name", "parents", "source", "documents"})

"""Table films drawn from a game record: picture, sound and truth of its rounds, all from a seed.

The record is the script. Everything is synthetic: drawn cards and arms, synthesised voices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.cards import Seat, deck_counts
from referee.rules.entries import Entry, Item, Result, Tag
from referee.rules.profiles import Profile, load_profile
from referee.rules.table import Table
from referee.synth.arm_looks import LOOKS, ArmLook, any_look
from referee.synth.faces import draw_face, printing
from referee.synth.film_beats import beats_of, first_dealer, seats_of
from referee.synth.film_between import Deck
from referee.synth.film_camera import Bump, Camera
from referee.synth.film_deal import Deal, deal_for, rounds_of, stock_of
from referee.synth.film_director import Directed, direct
from referee.synth.film_script import Beat, NextRound
from referee.synth.film_sound import film_sound
from referee.synth.film_stage import DrawFace, Stage
from referee.synth.film_style import FRAME_RATE_HZ, FilmStyle
from referee.synth.film_table import bare_table
from referee.synth.film_view import FilmView, deep_enough, straight_above
from referee.synth.photographed_faces import photographed_faces
from referee.synth.tabletop import CARD_HEIGHT_SHARE, Layout, table_layout

__all__ = ["FRAME_RATE_HZ", "Film", "FilmStyle", "film"]

Image = NDArray[np.uint8]

_BUMP_PX = 9.0
_BUMP_DEG = 0.7
_BUMP_MARGIN_PX = 24


@dataclass(frozen=True)
class Film:
    """A directed film, ready to be drawn. The same record, style and seed give the same film.

    draw_face: draws the film's cards. view: how the camera sees the layout, before it is bumped. deals: one a round.
    """

    items: tuple[Item, ...]
    style: FilmStyle
    seed: int
    layout: Layout
    view: FilmView
    draw_face: DrawFace
    profile: Profile
    beats: tuple[Beat, ...]
    deals: tuple[Deal, ...]
    directed: Directed

    @property
    def duration_s(self) -> float:
        """Length of the film in whole frames."""
        return int(self.directed.plan.duration_s * self.style.frame_rate_hz) / self.style.frame_rate_hz

    def frames(
        self, *, from_s: float = 0.0, until_s: float | None = None, empty_table: bool = False
    ) -> Iterator[Image]:
        """BGR uint8 (height, width, 3) at the style's frame rate.

        empty_table: the bare table under the same light and noise, for as long. A part of the film has the same
        cards and arms as the whole, but noise of its own.
        """
        stage, camera = self.stage(), self.camera()
        rate_hz = self.style.frame_rate_hz
        first = round(from_s * rate_hz)
        last = round((self.duration_s if until_s is None else min(until_s, self.duration_s)) * rate_hz)
        for index in range(first, last):
            t_s = index / rate_hz
            yield camera.picture(stage.top if empty_table else stage.frame(t_s), t_s)

    def sound(self) -> NDArray[np.int16]:
        """Mono int16 at 16 kHz, as long as the film; InputFault when the voices are not installed."""
        return film_sound(self.directed.plan, self.seed, self.style)

    def truth(self) -> tuple[Item, ...]:
        """The record with the time at which each entry is seen or heard in the film, to a tenth of a second."""
        return tuple(self._timed(index, item) for index, item in enumerate(self.items))

    def stage(self) -> Stage:
        """The table that draws the film's frames, before the camera."""
        view = self._stage_view
        return Stage(
            self.directed.plan,
            self.layout,
            view,
            bare_table(self.style, self.layout, view, self.seed),
            self.draw_face,
            self._looks(),
            self._stock,
            self.seed,
            self.style.exposure_s,
        )

    def camera(self) -> Camera:
        """The camera that looks at it."""
        return Camera(self.style.size_px, self.seed, self.style.sensor, bumps=self.bumps, margin_px=self._margin_px)

    @cached_property
    def bumps(self) -> tuple[Bump, ...]:
        """When and how the camera is pushed, somewhere in the middle of the film."""
        rng = np.random.default_rng([89, self.seed])
        found = []
        for _ in range(self.style.bumps):
            t_s = float(rng.uniform(0.25, 0.75)) * self.duration_s
            turn = rng.uniform(0, 2 * np.pi)
            way = rng.uniform(0.4, 1.0) * _BUMP_PX
            shift = (float(way * np.cos(turn)), float(way * np.sin(turn)))
            found.append(Bump(t_s, shift, float(rng.normal(0, _BUMP_DEG / 2))))
        return tuple(sorted(found, key=lambda b: b.t_s))

    @property
    def _stock(self) -> int:
        """Cards on the draw pile at the beginning."""
        return stock_of(self.deals[0], rounds_of(self.beats)[0])

    @property
    def _margin_px(self) -> int:
        return _BUMP_MARGIN_PX if self.style.bumps else 0

    @property
    def _stage_view(self) -> FilmView:
        """The view with room around the picture for a camera that is bumped."""
        return self.view.widened(self._margin_px) if self._margin_px else self.view

    def _looks(self) -> dict[Seat, ArmLook]:
        seats = [place.seat for place in self.layout.seats]
        if not self.style.any_arms:
            return {seat: LOOKS[(seat - 1) % len(LOOKS)] for seat in seats}
        return {seat: any_look(np.random.default_rng([97, self.seed, int(seat)])) for seat in seats}

    def _timed(self, index: int, item: Item) -> Item:
        if not isinstance(item, Entry | Result):
            return item
        at = self.directed.entry_s.get(index)
        return replace(item, time_s=None if at is None else round(at, 1))


def film(
    items: Sequence[Item],
    style: FilmStyle | None = None,
    seed: int = 0,
    *,
    profile: Profile | None = None,
) -> Film:
    """Direct a film of a recorded game, from right after the first deal to the laid-open hands of its last round.

    Deck and number of cards dealt are those of `profile`, else of the one that the record names (classic-108 without
    one). Raises InputFault for a profile that does not exist or a folder without faces, ValueError when the record
    cannot be filmed: seats not named, no first card, cards that no deal explains, a hand that does not fit the
    player's place; or for an unknown printing.
    """
    style = style or FilmStyle()
    draw = photographed_faces(style.faces) if isinstance(style.faces, Path) else _drawn_faces(style.faces)
    seats = seats_of(items)
    layout, view = _table(len(seats), style)
    if profile is None:
        named = next(
            (item.value for item in items if isinstance(item, Tag) and item.name == "Profile"), "classic-108"
        )
        profile = load_profile(named)
    deck = deck_counts(profile.deck.edition, customizable=profile.deck.customizable, decks=profile.deck.copies)
    beats = beats_of(items, _dealers(items, profile, seats))
    rounds = rounds_of(beats)
    deals = tuple(deal_for(part, seats, profile.setup.hand_size, deck, seed + n) for n, part in enumerate(rounds))
    decks = [_dealt(deal, part) for deal, part in zip(deals[1:], rounds[1:], strict=True)]
    directed = direct(beats, layout, style.pace, seed, view, style.manners, decks)
    return Film(tuple(items), style, seed, layout, view, draw, profile, beats, deals, directed)


def _dealers(items: Sequence[Item], profile: Profile, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Who deals each round: as the record says, else by the profile."""
    dealer = first_dealer(items)
    if sum(isinstance(item, Result) for item in items) < 2:
        return (dealer,)
    table = Table(profile, seats, dealer=dealer)
    found = [dealer]
    over = False
    for item in items:
        if isinstance(item, Tag) and item.name == "Dealer" and over:
            table.deal(Seat.parse(item.value))
        elif isinstance(item, Entry | Result):
            table.push(item)
            if over and table.state.phase == "play":
                found.append(table.state.dealer or dealer)
            over = isinstance(item, Result)
    return tuple(found)


def _dealt(deal: Deal, beats: Sequence[Beat]) -> Deck:
    """The deck of a later round: the pile as it is laid down, dealt from the dealer's left."""
    dealer = next(beat.seat for beat in beats if isinstance(beat, NextRound))
    seats = sorted(deal.hands, key=lambda seat: (seat <= dealer, seat))
    hands = tuple((seat, len(deal.hands[seat])) for seat in seats)
    return Deck(stock_of(deal, beats) + sum(count for _, count in hands) + 1, hands)


def _table(seats: int, style: FilmStyle) -> tuple[Layout, FilmView]:
    width, height = style.size_px
    if style.elevation_deg == 90 and style.roll_deg == style.azimuth_deg == 0:
        return table_layout(seats, style.size_px), straight_above(style.size_px)
    # A table deeper than the picture's shape, so that it fills the picture when it is seen at a slant.
    deep = deep_enough(width, style.size_px, style.elevation_deg)
    layout = table_layout(seats, (width, deep), CARD_HEIGHT_SHARE * height)
    view = FilmView(
        (float(width), float(deep)),
        style.size_px,
        style.elevation_deg,
        style.azimuth_deg,
        style.roll_deg,
        margin_px=0.01 * width,
    )
    return layout, view


def _drawn_faces(faces: str | int) -> DrawFace:
    look = printing(faces)

    def draw(code: str, height_px: int) -> NDArray[np.uint8]:
        return draw_face(code, look, height_px)

    return draw

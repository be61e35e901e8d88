"""Table films drawn from a game record: picture, sound and truth of one round, all from a seed.

The record is the script. Everything is synthetic: drawn cards and arms, synthesised voices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from referee.cards import deck_counts
from referee.rules.entries import Entry, Item, Result, Tag
from referee.rules.profiles import load_profile
from referee.synth.faces import Printing, printing
from referee.synth.film_beats import beats_of, seats_of
from referee.synth.film_camera import Camera
from referee.synth.film_deal import Deal, deal_for
from referee.synth.film_director import Directed, direct
from referee.synth.film_plan import Pace
from referee.synth.film_sound import film_sound
from referee.synth.film_stage import Stage
from referee.synth.surfaces import Surface, table_top
from referee.synth.tabletop import Layout, table_layout
from referee.synth.tableware import set_table

Image = NDArray[np.uint8]

FRAME_RATE_HZ = 10


@dataclass(frozen=True, slots=True)
class FilmStyle:
    """How a film looks and sounds.

    faces: a printing by name or number; noise: of the sensor, in grey levels; drift: relative change of the light;
    snr_db: voices against the room.
    """

    surface: Surface = "walnut"
    tableware: bool = True
    faces: str | int = "oval"
    size_px: tuple[int, int] = (960, 720)
    noise: float = 2.0
    drift: float = 0.02
    snr_db: float = 26.0
    pace: Pace = field(default_factory=Pace)


@dataclass(frozen=True)
class Film:
    """A directed film, ready to be drawn. The same record, style and seed give the same film."""

    items: tuple[Item, ...]
    style: FilmStyle
    seed: int
    layout: Layout
    faces: Printing
    deal: Deal
    directed: Directed

    @property
    def duration_s(self) -> float:
        """Length of the film in whole frames."""
        return int(self.directed.plan.duration_s * FRAME_RATE_HZ) / FRAME_RATE_HZ

    def frames(
        self, *, from_s: float = 0.0, until_s: float | None = None, empty_table: bool = False
    ) -> Iterator[Image]:
        """BGR uint8 (height, width, 3) at `FRAME_RATE_HZ`.

        empty_table: the bare table under the same light and noise, for as long. A part of the film has the same
        cards and arms as the whole, but noise of its own.
        """
        stage, camera = self.stage(), self.camera()
        first = round(from_s * FRAME_RATE_HZ)
        last = round((self.duration_s if until_s is None else min(until_s, self.duration_s)) * FRAME_RATE_HZ)
        for index in range(first, last):
            t_s = index / FRAME_RATE_HZ
            yield camera.picture(stage.top if empty_table else stage.frame(t_s), t_s)

    def sound(self) -> NDArray[np.int16]:
        """Mono int16 at 16 kHz, as long as the film; InputFault when the voices are not installed."""
        return film_sound(self.directed.plan, self.seed, self.style.snr_db)

    def truth(self) -> tuple[Item, ...]:
        """The record with the time at which each entry is seen or heard in the film, to a tenth of a second."""
        return tuple(self._timed(index, item) for index, item in enumerate(self.items))

    def stage(self) -> Stage:
        """The table that draws the film's frames, before the camera."""
        top = table_top(self.style.surface, self.layout.size_px, self.seed)
        if self.style.tableware:
            top = set_table(top, self.layout, self.seed)
        return Stage(self.directed.plan, self.layout, top, self.faces, len(self.deal.stock), self.seed)

    def camera(self) -> Camera:
        """The camera that looks at it."""
        return Camera(self.layout.size_px, self.seed, noise=self.style.noise, drift=self.style.drift)

    def _timed(self, index: int, item: Item) -> Item:
        if not isinstance(item, Entry | Result):
            return item
        at = self.directed.entry_s.get(index)
        return replace(item, time_s=None if at is None else round(at, 1))


def film(items: Sequence[Item], style: FilmStyle | None = None, seed: int = 0) -> Film:
    """Direct a film of a recorded round, from right after the deal to the laid-open hands.

    Deck and number of cards dealt are those of the profile that the record names (classic-108 without one).
    Raises InputFault for a profile that does not exist, ValueError when the record cannot be filmed: seats not
    named, no first card, cards that no deal explains, a hand that does not fit the player's place; or for an unknown
    printing.
    """
    style = style or FilmStyle()
    faces = printing(style.faces)
    seats, beats = seats_of(items), beats_of(items)
    layout = table_layout(len(seats), style.size_px)
    named = next((item.value for item in items if isinstance(item, Tag) and item.name == "Profile"), "classic-108")
    profile = load_profile(named)
    deck = deck_counts(profile.deck.edition, customizable=profile.deck.customizable, decks=profile.deck.copies)
    deal = deal_for(beats, seats, profile.setup.hand_size, deck, seed)
    return Film(tuple(items), style, seed, layout, faces, deal, direct(beats, layout, style.pace, seed))

"""Which gesture a table makes when: the manners of its players, where the script has room for them.

Nothing is added while a call is pending or a card is about to be taken back: there a stray hand would change what the
rules say about the moment.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.cards import Seat
from referee.synth import film_gestures
from referee.synth.film_manners import Manners
from referee.synth.film_plan import Planner
from referee.synth.film_script import Beat, Draw, Lay

_OVERLAP_S = (0.35, 1.2)
_MANY_ON_PILE = 4


@dataclass
class Habits:
    """Plans cards laid, and what happens between them."""

    planner: Planner
    manners: Manners
    rng: np.random.Generator
    _laid: int = 0
    _tossed: bool = False

    def lay(self, beat: Lay, following: Beat | None) -> float:
        """A card goes to the discard pile in one of the table's ways; returns when it rests."""
        manners, rng, planner = self.manners, self.rng, self.planner
        self._tossed = False
        called_before = beat.uno == "before"
        if not called_before and self._chance(manners.hesitate):
            film_gestures.hesitate(planner, rng, beat.seat, beat.card)
        if not called_before and self._chance(manners.fumble):
            film_gestures.fumble(planner, rng, beat.seat, beat.card)
        if self._chance(manners.idle):
            self._somebody_waits(beat.seat, following)
        self._laid += 1
        way = rng.random()
        if way < manners.slide:
            return film_gestures.slide(planner, rng, beat.seat, beat.card)
        if way < manners.slide + manners.drop:
            return film_gestures.drop(planner, rng, beat.seat, beat.card)
        if way < manners.slide + manners.drop + manners.toss:
            self._tossed = True
            return film_gestures.toss(planner, rng, beat.seat, beat.card, tumble=self._chance(manners.tumble))
        return planner.lay(beat.seat, beat.card)

    def anew(self) -> None:
        """Another round: nothing lies on the pile yet."""
        self._laid, self._tossed = 0, False

    def after(self, beat: Beat, following: Beat | None) -> None:
        """What the table does before the next beat, if anything."""
        if not isinstance(beat, Lay | Draw) or not isinstance(following, Lay | Draw) or beat.seat is following.seat:
            return
        if isinstance(beat, Lay):
            if beat.uno or beat.colour or following.entry == beat.entry:
                return
            if self._tossed and self._chance(self.manners.adjust):
                film_gestures.adjust(self.planner, self.rng, beat.seat)
                return
            if self._laid >= _MANY_ON_PILE and self._chance(self.manners.square):
                film_gestures.square(self.planner, self.rng, beat.seat)
                return
        if self._chance(self.manners.overlap):
            self.planner.clock_s -= float(self.rng.uniform(*_OVERLAP_S)) * self.planner.pace.rest_s

    def _somebody_waits(self, acting: Seat, following: Beat | None) -> None:
        busy = {acting, *([following.seat] if isinstance(following, Lay | Draw) else [])}
        free = [place.seat for place in self.planner.layout.seats if place.seat not in busy]
        free = [s for s in free if self.planner.busy_until_s.get(s, 0.0) < self.planner.clock_s]
        if free:
            seat = free[int(self.rng.integers(len(free)))]
            film_gestures.wait_aside(
                self.planner, self.rng, seat, self.planner.clock_s + float(self.rng.uniform(0, 0.5))
            )

    def _chance(self, share: float) -> bool:
        return bool(share > 0 and self.rng.random() < share)

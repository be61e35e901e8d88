"""What the eye and the ear report: facts with a time, a source and a confidence, before anyone judges them.

Times are seconds on the session clock (0 = the first sample of the recording). Every observation keeps the
span of picture or sound that it rests on, so that a dispute can look at the same moment again.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from referee.cards import Card, Seat

BACK = "back"

EMPTY_PILE = "no card lies on the discard pile"
"""Reason of a `ViewChanged`: where the discard pile was, nothing lies any more."""

UNREAD_CHANGE = "a change that shows no card"
"""Reason of a `ViewChanged`: the discard pile rests and looks different, and no card could be read on it."""


class Zone(enum.Enum):
    """A place on the table that hands and cards can be in; the value is UGN's word for it."""

    DRAW = "draw"
    DISCARD = "discard"
    HAND = "hand"


class ViewState(enum.Enum):
    """What can be judged from the picture just now."""

    READY = "ready"
    """The table rests and is in view."""
    HAND_OVER = "hand_over"
    """An arm covers a pile: nothing is judged under it."""
    SETTLING = "settling"
    """Something still moves, or readings still disagree."""
    LOST = "lost"
    """The table is not in view (dark, covered, turned away)."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """One card seen in a picture.

    card: the most probable face; None for a face-down card.
    confidence: 0…1, probability that `card` is right (not the detector's box score alone).
    quad_px: four corners (x, y), clockwise from the glyph's top-left, in pixels of the picture as given.
    alternatives: (code, probability) best first; the first is the card itself; `back` is a code here.
    """

    card: Card | None
    confidence: float
    quad_px: tuple[tuple[float, float], ...]
    alternatives: tuple[tuple[str, float], ...] = ()

    @property
    def code(self) -> str:
        """The card's code, or `back`."""
        return self.card.code if self.card else BACK


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Common to all: `t_s` is when it became true, `seen_s` when it was known (never before `t_s`)."""

    id: str
    t_s: float
    seen_s: float
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLanded(Observation):
    """A face-up card came to rest on the discard pile. `seat`: whose arm laid it, None if no arm was seen.

    perhaps: other seats whose arms were over the pile as much. found: it lay there when the pile came into view, and
    nobody saw how it came.
    """

    reading: CardReading
    seat: Seat | None = None
    perhaps: tuple[Seat, ...] = ()
    found: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLifted(Observation):
    """The top card left the discard pile again; `reading` is the card that left, `seat` whose arm took it."""

    reading: CardReading
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDrawn(Observation):
    """Face-down cards went from the draw pile to a seat. The true count lies in `at_least`…`at_most`.

    perhaps: other seats whose arm it may have been.
    """

    seat: Seat | None
    at_least: int = 1
    at_most: int = 1
    perhaps: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmSeen(Observation):
    """An arm from `seat` was over `zone` from `t_s` until `until_s`."""

    seat: Seat
    zone: Zone
    until_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsShown(Observation):
    """Cards laid open at a seat's own place. `complete`: no card hides another, so the count is the hand."""

    seat: Seat
    readings: tuple[CardReading, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CallHeard(Observation):
    """A call in the sound. `t_s` is the word's start.

    call: `uno`, `catch`, `challenge`, `colour:R|Y|G|B`, `guilty`, `innocent`, `undo`, `draw` …
    words: what was recognised, as the model spells it; empty if only the spotter heard it.
    phase: `provisional` while it is said; the end of the utterance makes the same id `confirmed` or `withdrawn`.
    `ignored`: the referee's own voice. Only confirmed calls are acted on.
    certainty: `sure`; `likely`: a call where it can mean something as the game stands, else chatter; `maybe`: too
    weak to be a call and strong enough that nobody may be told that they did not call.
    heard_by: `vosk`, `spotter` or `both`; empty where nothing was heard and an UNO may have been said from `t_s` to
    `end_s` all the same. channel, how whole the sound came through: `clear`, `overlapped` (others talk, or the
    referee itself), `clipped`, `noisy`, or `lost` (nobody listened: no microphone, a gap, nothing but zeros).
    speakers: how probable each seat is to have said it, by the voice's direction, the likeliest first; empty where
    the sound does not say.
    voice: whose voice it is for certain, by what was learnt of the players' voices. A hint: it accuses nobody.
    """

    call: str
    end_s: float
    words: str = ""
    phase: str = "confirmed"
    certainty: str = "sure"
    heard_by: str = "vosk"
    channel: str = "clear"
    speakers: tuple[tuple[Seat, float], ...] = ()
    voice: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewChanged(Observation):
    """The picture's state changed; `reason` says why in a few words."""

    state: ViewState
    reason: str = ""

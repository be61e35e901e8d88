"""Judges a recorded session from its pixels and samples, and tells each step as it becomes known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from referee.capture.media import frames, sound_chunks
from referee.rules.entries import Item
from referee.rules.profiles import Profile, load_profile
from referee.rules.ruling import Incident
from referee.rules.scoring import SheetLine
from referee.rules.ugn import format_items
from referee.session.corrected import CorrectedScribe
from referee.session.corrections import Standing
from referee.session.findings import Findings
from referee.session.frame_memory import FrameMemory
from referee.session.pipeline import Pipeline
from referee.session.plan import SessionPlan
from referee.session.rejudging import table_start
from referee.session.senses import Senses
from referee.session.telling import Entered, Ruled, Scored, Teller, Told

__all__ = ["FRAME_RATE_HZ", "Entered", "Replaying", "Ruled", "Scored", "Told"]

FRAME_RATE_HZ = 12.5


class Replaying:
    """One judging of `plan` by its profile; `run` may be called once. Pictures and texts go into `out`.

    corrections: what people put right at the table; observations that are the same as those corrected are put right.
    """

    def __init__(self, plan: SessionPlan, senses: Senses, out: Path, *, corrections: Sequence[Standing] = ()) -> None:
        self.plan = plan
        self.profile: Profile = load_profile(plan.profile)
        self._senses = senses
        self._memory = FrameMemory()
        self.findings = Findings(out, self._memory, plan, self.profile.speech.language)
        self._scribe = CorrectedScribe(self.profile, table_start(plan), corrections)
        self._teller = Teller(plan, self.profile, self._scribe, self.findings.picture_of)

    def run(self, on_time: Callable[[float], None] = lambda _t_s: None) -> Iterator[Told]:
        """Everything in the order in which it becomes known. Raises InputFault when the recording cannot be read."""
        media = self.plan.media[0]
        pipeline = Pipeline(self._scribe, self._senses.eye, self._senses.ear, self._memory)
        chunks = sound_chunks(media) if self._senses.ear else ()
        for step in pipeline.run(frames(media, FRAME_RATE_HZ), chunks, on_time):
            yield from self._teller.tell(step)
        self.findings.write_text("game.ugn", format_items(self.record()))
        self.findings.write_json("score.json", [line.to_json() for line in self.sheet])

    def record(self) -> list[Item]:
        """The game as it was seen and heard, with its tags."""
        return self._teller.record()

    def standing(self) -> tuple[Incident, ...]:
        """The incidents that no later entry took back."""
        return self._teller.standing()

    @property
    def sheet(self) -> tuple[SheetLine, ...]:
        """The score, a line a round."""
        return self._teller.sheet

"""Judges a recorded session from its pixels and samples, and tells each step as it becomes known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from referee.observations import Observation
from referee.rules.entries import Item
from referee.rules.profiles import Profile, load_profile
from referee.rules.ruling import Incident
from referee.rules.scoring import SheetLine
from referee.rules.ugn import format_items
from referee.session.corrected import CorrectedScribe
from referee.session.corrections import Standing
from referee.session.event_frames import EventFrames
from referee.session.findings import Findings
from referee.session.folder import score_record
from referee.session.frame_memory import FrameMemory
from referee.session.log import LogLine
from referee.session.pipeline import Pipeline
from referee.session.plan import SessionPlan
from referee.session.recording import recorded_frames, recorded_sound, spoken_spans
from referee.session.rejudging import noticed_line, table_start
from referee.session.senses import Senses
from referee.session.telling import Entered, Ruled, Scored, Teller, Told

__all__ = ["FRAME_RATE_HZ", "Entered", "Replaying", "Ruled", "Scored", "Told"]

FRAME_RATE_HZ = 12.5


class Replaying:
    """One judging of `plan` by its profile; `run` may be called once. Pictures and texts go into `out`.

    corrections: what people put right at the table; observations that are the same as those corrected are put right.
    remarks: pieces of the recording that could not be read. noticed: what eye and ear reported, as lines of a log.
    frames: where a picture of every event goes, with what was seen drawn on it.
    """

    def __init__(
        self,
        plan: SessionPlan,
        senses: Senses,
        out: Path,
        *,
        corrections: Sequence[Standing] = (),
        frames: Path | None = None,
    ) -> None:
        self.plan = plan
        self.profile: Profile = load_profile(plan.profile)
        self.remarks: list[str] = []
        self.noticed: list[LogLine] = []
        self._senses = senses
        self._memory = FrameMemory()
        self.findings = Findings(out, self._memory, plan, self.profile.speech.language)
        self._scribe = CorrectedScribe(self.profile, table_start(plan), corrections)
        self._teller = Teller(plan, self.profile, self._scribe, self.findings.picture_of)
        language, seen = self.profile.speech.language, self._teller.observations
        self._frames = EventFrames(frames, self._memory, plan, senses.zones, seen, language) if frames else None

    def run(self, on_time: Callable[[float], None] = lambda _t_s: None) -> Iterator[Told]:
        """Everything in the order in which it becomes known. Raises InputFault when the recording cannot be read."""
        pipeline = Pipeline(self._scribe, self._senses.eye, self._senses.ear, self._memory)
        if self._senses.ear is not None:
            for span in spoken_spans(self.plan):
                self._senses.ear.speaking(*span)
        frames = recorded_frames(self.plan, FRAME_RATE_HZ, on_fault=self.remarks.append)
        chunks = recorded_sound(self.plan) if self._senses.ear else ()
        for step in pipeline.run(frames, chunks, on_time):
            for told in self._teller.tell(step):
                if isinstance(told, Observation):
                    self.noticed.append(noticed_line(told, pipeline.judged_to_s, len(self.noticed) + 1))
                if self._frames:
                    self._frames.note(told)
                yield told
        if self._frames:
            self._frames.close()
        self.findings.write_text("game.ugn", format_items(self.record()))
        rounds = [line.to_json() for line in self.sheet]
        self.findings.write_json("score.json", score_record(self.profile.name, rounds))

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

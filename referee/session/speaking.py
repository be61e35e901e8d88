"""Lets a watched table speak: what is worth saying is said, written into the log, and not taken for a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.observations.clock import Clock
from referee.session.announcer import Announcer
from referee.session.settings import Settings
from referee.session.sitting import Sitting
from referee.session.telling import Told
from referee.session.voice import Voice


class Speaking:
    """The voice of a sitting by its settings. Raises InputFault when the engine that they name is not installed."""

    def __init__(self, sitting: Sitting, settings: Settings, clock: Clock, voice: Voice | None = None) -> None:
        own = settings.table.language if settings.table.players else ""
        language = own or sitting.watching.profile.speech.language
        self._sitting = sitting
        self._text = ""
        self._announcer = Announcer(sitting.plan, language, settings.table.strictness)
        self.voice = voice or Voice(
            language, clock, volume=settings.voice.volume, on_begin=self.begins, on_end=self.ended
        )
        sitting.devices.events.parts.set("voice", "running")

    def say_of(self, steps: Iterable[Told]) -> Iterator[Told]:
        """Pass the steps on, and say what is worth saying of each."""
        try:
            for told in steps:
                self._say(told)
                yield told
        finally:
            self.voice.stop()

    def _say(self, told: Told) -> None:
        try:
            announcement = self._announcer.of(told, self._sitting.watching.desk)
        except Exception as fault:  # what cannot be put into words is left unsaid
            self._sitting.devices.events.parts.set("voice", "lost", f"{type(fault).__name__}: {fault}")
            return
        if announcement is not None:
            self.voice.say(announcement.text)

    def mute(self, muted: bool) -> None:
        """Fall silent, or speak again."""
        self.voice.mute(muted)
        self._sitting.devices.events.parts.set("voice", "muted" if muted else "running")

    def begins(self, t_s: float, text: str) -> None:
        """A sentence begins: from now on the listener hears the referee itself."""
        self._text = text
        if self._sitting.senses.ear is not None:
            self._sitting.senses.ear.speaking(t_s)

    def ended(self, from_s: float, until_s: float) -> None:
        """It is over."""
        if self._sitting.senses.ear is not None:
            self._sitting.senses.ear.speaking(from_s, until_s)
        if self._sitting.live is not None:
            self._sitting.live.tell("announcement", from_s, {"text": self._text, "until_s": round(until_s, 3)})

"""`referee hear --live`: a level meter, and the calls as they come, until Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.live import Live
from rich.markup import escape
from rich.text import Text

from referee.capture.input_devices import chosen
from referee.capture.media import SoundChunk
from referee.capture.microphone import Microphone
from referee.capture.monotonic import MonotonicClock
from referee.capture.portaudio import PortAudioDriver
from referee.capture.sound_events import Clipped, Gap, Level, Lost, Regained, Silent, SoundEvent
from referee.cli.hear import call_record
from referee.cli.output import console, print_fault, print_json
from referee.hearing.ear import open_listener
from referee.hearing.listener import Listener
from referee.hearing.own_words import load_own_words
from referee.observations import CallHeard

_METER_WIDTH = 40
_METER_DB = 60.0
_LOUD_DBFS = -6.0


def hear_live(language: str, model: Path | None, words: Path | None, device: str | None, *, json_lines: bool) -> None:
    """Listen until Ctrl-C. Raises InputFault when there is no such microphone, or no speech model."""
    driver = PortAudioDriver()
    chosen(driver.inputs(), device)  # said before a model is loaded for seconds
    own = load_own_words(words) if words else None
    listener = open_listener(language, model, words=own, partials=True, told=print_fault)
    microphone = Microphone(driver, MonotonicClock(), device)
    microphone.open()
    with _ended_by_ctrl_c(microphone.stop):
        calls = listen(microphone, listener, json_lines=json_lines)
    if not json_lines:
        console().print(f"Stopped. {calls or 'No'} call{'' if calls == 1 else 's'} heard.")


def listen(microphone: Microphone, listener: Listener, *, json_lines: bool) -> int:
    """Tell what an open microphone hears until it is stopped; returns the number of calls that stood."""
    teller = _JsonTeller() if json_lines else _ScreenTeller(microphone)
    stood = 0
    with teller:
        for one in microphone.stream():
            if isinstance(one, SoundChunk):
                heard = listener.hear(one)
            else:
                teller.event(one)
                continue
            stood += _told(teller, heard)
        stood += _told(teller, listener.close())
    return stood


def _told(teller: _JsonTeller | _ScreenTeller, calls: list[CallHeard]) -> int:
    for call in calls:
        teller.call(call)
    return sum(call.phase == "confirmed" and call.certainty == "sure" for call in calls)


class _JsonTeller:
    """One JSON object an event on stdout."""

    def __enter__(self) -> _JsonTeller:
        return self

    def __exit__(self, *fault: object) -> None:
        pass

    def call(self, call: CallHeard) -> None:
        if not call.heard_by:
            print_json({"type": "unclear", "start_s": call.t_s, "end_s": call.end_s, "channel": call.channel})
            return
        names = ("phase", "certainty", "heard_by", "channel")
        more = {name: getattr(call, name) for name in names}
        print_json({"type": "call", "id": call.id, **call_record(call), **more})

    def event(self, event: SoundEvent) -> None:
        rounded: dict[str, Any] = {
            key: round(value, 3) if isinstance(value, float) else value for key, value in asdict(event).items()
        }
        print_json({"type": type(event).__name__.lower(), **rounded})


class _ScreenTeller:
    """Lines for people, and below them the meter on a terminal."""

    def __init__(self, microphone: Microphone) -> None:
        self._out = console()
        self._live = Live(Text(""), console=self._out, refresh_per_second=4, transient=True)
        self._name = microphone.health.device

    def __enter__(self) -> _ScreenTeller:
        self._out.print(f"Listening to [bold]{escape(self._name)}[/bold]; Ctrl-C ends it.")
        if self._out.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._live.stop()

    def call(self, call: CallHeard) -> None:
        if call.phase == "provisional" or not call.heard_by:
            return
        mark = {"withdrawn": " (taken back)", "ignored": " (the referee's own voice)"}.get(call.phase, "")
        mark = mark or {"likely": " (if it fits the game)", "maybe": " (perhaps)"}.get(call.certainty, "")
        self._out.print(
            f"  {call.t_s:8.2f} s  [bold]{call.call:<10}[/bold] {call.confidence:.2f}  [dim]{call.words}[/dim]{mark}"
        )

    def event(self, event: SoundEvent) -> None:
        match event:
            case Level():
                self._live.update(meter(event))
            case Clipped():
                self._out.print(f"  {event.t_s:8.2f} s  [red]clipped[/red]: too loud, turn the microphone down")
            case Gap():
                self._out.print(
                    f"  {event.t_s:8.2f} s  [yellow]gap[/yellow] of {event.duration_s:.2f} s: {event.cause}"
                )
            case Silent():
                self._out.print(f"  {event.t_s:8.2f} s  [yellow]only zeros come[/yellow]: muted, or access is denied")
            case Lost():
                self._out.print(
                    f"  {event.t_s:8.2f} s  [red]not listening[/red]: {escape(event.why)}", soft_wrap=True
                )
            case Regained():
                self._out.print(f"  {event.t_s:8.2f} s  [green]listening again[/green] after {event.away_s:.0f} s")


def meter(level: Level) -> Text:
    """A bar for the loudness, a mark at the peak; full width is full scale."""
    length = round(max(0.0, 1 + level.rms_dbfs / _METER_DB) * _METER_WIDTH)
    peak = min(_METER_WIDTH - 1, round(max(0.0, 1 + level.peak_dbfs / _METER_DB) * _METER_WIDTH))
    bar = ("█" * length).ljust(_METER_WIDTH, "·")
    shown = bar[:peak] + "|" + bar[peak + 1 :]
    return Text(
        f"  {shown} {level.rms_dbfs:6.1f} dB", style="red" if level.peak_dbfs > _LOUD_DBFS else "green", no_wrap=True
    )


@contextmanager
def _ended_by_ctrl_c(stop: Callable[[], None]) -> Iterator[None]:
    """Ctrl-C lets the running sound be heard to its end, instead of breaking into the middle of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: stop())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

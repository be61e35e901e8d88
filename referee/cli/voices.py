"""`referee calibrate voices`: learns from where each player is heard, and how, from recordings of them saying UNO."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cards import Seat
from referee.cli.output import console, print_json
from referee.faults import InputFault

if TYPE_CHECKING:
    from referee.capture.media import SoundChunk

_PAUSE_S = 3.0


def voices(
    recordings: Annotated[
        list[str],
        typer.Argument(metavar="P1=FILE…", help="A stereo recording of each player saying UNO a few times."),
    ],
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings to write; else your own.")] = None,
    language: Annotated[str | None, typer.Option(metavar="L", help="Phrase pack; else the settings' own.")] = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="Forget what was learnt of these seats (`P1 P2`).")
    ] = False,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object for each seat on stdout.")] = False,
) -> None:
    """Learn from where each player is heard, so that an UNO is known to be its own player's.

    It takes two microphones, or one with two channels, in the middle of the table, its axis at no player's mirror.
    With the voice encoder installed (pip install --no-deps resemblyzer==0.1.4) the voices are learnt too: a hint that
    only ever speaks for a player, kept on this machine by the players' names; one channel is enough for it.
    """
    from referee.capture.media import sound_chunks
    from referee.hearing.direction import alike
    from referee.hearing.ear import open_listener
    from referee.hearing.learning_seats import VoiceLearner, learn_seats
    from referee.hearing.voiceprint import voice_encoder
    from referee.session.settings import load_settings, save_settings, settings_path
    from referee.session.voiceprints import forget_voices, remember_voices

    file = config or settings_path()
    settings = load_settings(file if file.exists() else None)
    known = {seat: one.model_dump() for seat, one in settings.voices.items()}
    names = dict(zip(map(str, Seat.first(10)), settings.table.players, strict=False))
    if forget:
        gone = {str(_seat(name)) for name in recordings}
        save_settings(file, {}, without={"voices": gone})
        unlearnt = forget_voices({names.get(seat) or seat for seat in gone})
        console().print(f"Forgotten in {file}: {', '.join(sorted(gone & set(known))) or 'nothing'}", markup=False)
        if unlearnt:
            console().print(f"Forgotten voices: {', '.join(unlearnt)}", markup=False)
        return
    files = dict(_named(text) for text in recordings)
    begun_s = 0.0

    def going_on(path: Path) -> Iterator[SoundChunk]:
        nonlocal begun_s
        first_s = begun_s
        for chunk in sound_chunks(path):
            yield replace(chunk, t_s=first_s + chunk.t_s)
            begun_s = first_s + chunk.t_s + chunk.duration_s + _PAUSE_S

    ear = open_listener(language or settings.speech.pack or settings.table.language)
    encoder = voice_encoder()
    by_voice = VoiceLearner(encoder) if encoder else None
    learnt = learn_seats({seat: (str(path), going_on(path)) for seat, path in files.items()}, ear, by_voice)
    prints = {names.get(str(seat)) or str(seat): one for seat, one in (by_voice.prints() if by_voice else {}).items()}
    stored = remember_voices(prints) if prints else None
    found = {str(seat): {"delay_ms": one.delay_ms, "spread_ms": one.spread_ms} for seat, one in learnt.items()}
    if found:
        save_settings(file, {"voices": found})
    if json_lines:
        for seat in map(str, files):
            print_json({"seat": seat, **found.get(seat, {}), "voice": (names.get(seat) or seat) in prints})
        return
    for seat, one in found.items():
        console().print(f"{names.get(seat, seat)}: {one['delay_ms']:+.3f} ms", markup=False)
    for one_seat, other in alike(learnt):
        who = f"{names.get(str(one_seat), one_seat)} and {names.get(str(other), other)}"
        console().print(f"{who} sound alike to these microphones: turn or move them, and learn again", markup=False)
    if found:
        console().print(f"Stored: {file}", markup=False)
    if stored is not None:
        console().print(f"Voices of {', '.join(prints)} stored on this machine alone: {stored}", markup=False)


def _named(text: str) -> tuple[Seat, Path]:
    seat, equals, path = text.partition("=")
    if not equals:
        raise InputFault(f"{text!r} names no seat", mend="give each player's recording as P1=FILE")
    return _seat(seat), Path(path)


def _seat(text: str) -> Seat:
    try:
        return Seat.parse(text)
    except ValueError as fault:
        raise InputFault(str(fault), mend="seats are P1 to P10, clockwise") from None

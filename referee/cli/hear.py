"""`referee hear AUDIO…`: the calls in sound files; `referee hear --live`: as they are said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from referee.cli.output import EXIT_BAD_INPUT, console, print_fault, print_json
from referee.faults import InputFault

if TYPE_CHECKING:
    from referee.observations import CallHeard


def hear(
    audio: Annotated[
        list[Path] | None, typer.Argument(metavar="AUDIO", help="Recordings of any format, films too.")
    ] = None,
    language: Annotated[
        str, typer.Option(metavar="L", help="Phrase pack: en, es, pt, ro, stand-in, or a .toml file.")
    ] = "stand-in",
    model: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of a Vosk model, or the name of a fetched one.")
    ] = None,
    words: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="TOML with your table's own words for the calls."),
    ] = None,
    live: Annotated[bool, typer.Option("--live", help="Listen to a microphone until Ctrl-C.")] = False,
    device: Annotated[
        str | None, typer.Option(metavar="NAME", help="Microphone by name, see `referee devices`.")
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json", help="One JSON object a recording on stdout; with --live, one an event.")
    ] = False,
) -> None:
    """Name the calls in recordings (uno, catch, challenge, colours …), each with its time and confidence.

    Ends with status 2 when a recording cannot be read or holds no sound; the others are heard all the same.
    """
    if live == bool(audio):
        raise InputFault("nothing to hear, or too much", mend="name recordings, or give --live")
    if device and not live:
        raise InputFault("--device names a microphone", mend="give --live with it")
    if live:
        from referee.cli.hear_live import hear_live

        hear_live(language, model, words, device, json_lines=json_lines)
        return
    if not _hear_files(audio or [], language, model, words, json_lines=json_lines):
        raise typer.Exit(EXIT_BAD_INPUT)


def _hear_files(
    audio: list[Path], language: str, model: Path | None, words: Path | None, *, json_lines: bool
) -> bool:
    from referee.capture.media import SoundChunk
    from referee.capture.sound_events import Clipped, Silent
    from referee.capture.sound_file import file_sound
    from referee.hearing.ear import open_listener
    from referee.hearing.own_words import load_own_words

    own = load_own_words(words) if words else None
    whole = True
    for number, path in enumerate(audio):
        listener = open_listener(language, model, words=own, told=print_fault if number == 0 else _say_nothing)
        calls: list[CallHeard] = []
        remarks: list[str] = []
        try:
            for one in file_sound(path):
                if isinstance(one, SoundChunk):
                    calls += listener.hear(one)
                elif isinstance(one, Clipped):
                    remarks.append(f"clipped at {one.t_s:.1f} s")
                elif isinstance(one, Silent):
                    remarks.append(f"digital silence from {one.t_s:.1f} s")
        except InputFault as fault:
            print_fault(fault)
            whole = False
            continue
        calls = [call for call in [*calls, *listener.close()] if is_sure(call)]
        if json_lines:
            print_json({"audio": str(path), "calls": [call_record(call) for call in calls]})
        else:
            _tell(path, calls, remarks)
    return whole


def _say_nothing(_: str) -> None:
    """What was told for the first recording holds for the others."""


def is_sure(call: CallHeard) -> bool:
    """Whether it stands: neither provisional, nor withdrawn, nor the referee's own voice, nor a mere perhaps."""
    return call.phase == "confirmed" and call.certainty == "sure"


def call_record(call: CallHeard) -> dict[str, str | float]:
    """A call as `--json` tells it."""
    return {
        "call": call.call,
        "start_s": call.t_s,
        "end_s": call.end_s,
        "heard_at_s": call.seen_s,
        "confidence": call.confidence,
    }


def _tell(path: Path, calls: list[CallHeard], remarks: list[str]) -> None:
    out = console()
    out.print(f"[bold]{escape(str(path))}[/bold]  {len(calls) or 'no'} call{'' if len(calls) == 1 else 's'}")
    for call in calls:
        out.print(
            f"  {call.t_s:8.2f}-{call.end_s:.2f} s  {call.call:<10} {call.confidence:.2f}  [dim]{call.words}[/dim]"
        )
    more = f" and {len(remarks) - 3} times more" if len(remarks) > 3 else ""
    if remarks:
        out.print(f"  [yellow]{', '.join(remarks[:3])}{more}[/yellow]")

"""`referee hear AUDIO…`: the calls in sound files."""

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
    audio: Annotated[list[Path], typer.Argument(metavar="AUDIO", help="Recordings of any format, films too.")],
    language: Annotated[
        str, typer.Option(metavar="L", help="Phrase pack: en, es, pt, ro, stand-in, or a .toml file.")
    ] = "stand-in",
    model: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of a Vosk model.")] = None,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object a recording on stdout.")] = False,
) -> None:
    """Name the calls in recordings (uno, catch, challenge, colours …), each with its time and confidence.

    Ends with status 2 when a recording cannot be read or holds no sound; the others are heard all the same.
    """
    from referee.capture.media import sound_chunks
    from referee.hearing.listener import Listener
    from referee.hearing.model_folder import model_of
    from referee.hearing.phrases import load_pack
    from referee.hearing.vosk_recogniser import VoskRecogniser

    pack = load_pack(language)
    recogniser = VoskRecogniser(model_of(pack, model))
    failed = told = False
    for path in audio:
        listener = Listener(recogniser, pack)
        if not told:
            for phrase, words in listener.refused.items():
                print_fault(f"{pack.where}: {phrase!r} is not listened for: the model lacks {', '.join(words)}")
            told = True
        calls: list[CallHeard] = []
        try:
            for chunk in sound_chunks(path, recogniser.rate_hz):
                calls += listener.hear(chunk)
        except InputFault as fault:
            print_fault(fault)
            failed = True
            continue
        calls += listener.close()
        if json_lines:
            print_json({"audio": str(path), "calls": [_record(call) for call in calls]})
        else:
            _tell(path, calls)
    if failed:
        raise typer.Exit(EXIT_BAD_INPUT)


def _record(call: CallHeard) -> dict[str, str | float]:
    return {
        "call": call.call,
        "start_s": call.t_s,
        "end_s": call.end_s,
        "heard_at_s": call.seen_s,
        "confidence": call.confidence,
    }


def _tell(path: Path, calls: list[CallHeard]) -> None:
    out = console()
    out.print(f"[bold]{escape(str(path))}[/bold]  {len(calls) or 'no'} call{'' if len(calls) == 1 else 's'}")
    for call in calls:
        out.print(
            f"  {call.t_s:8.2f}-{call.end_s:.2f} s  {call.call:<10} {call.confidence:.2f}  [dim]{call.words}[/dim]"
        )

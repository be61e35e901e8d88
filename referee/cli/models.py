"""`referee models list|get|check`: which models there are, fetching a speech model once, what it can hear."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from referee.cli.output import EXIT_BAD_INPUT, console, print_json, progress
from referee.faults import InputFault

if TYPE_CHECKING:
    from referee.hearing.model_fetching import Progress
    from referee.hearing.phrases import PhrasePack

app = typer.Typer(help="The models that ship, and speech models for your language.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="One JSON object a line on stdout.")]


@app.command("list")
def list_models(json_lines: Json = False) -> None:
    """List the models that ship, those that were fetched, and the official ones that can be."""
    from referee.hearing.model_catalogue import without_model
    from referee.hearing.model_store import store_folder

    records = [*_bundled_models(), *_speech_models()]
    missing = without_model()
    if json_lines:
        for record in records:
            print_json(record)
        for language, why in missing.items():
            print_json({"type": "no_model", "language": language, "why": why})
        return
    out = console()
    out.print(_table("Models that ship with the referee", [r for r in records if r["type"] == "bundled_model"]))
    out.print(_table("Speech models", [r for r in records if r["type"] == "speech_model"]))
    out.print("[dim]Fetch one once with: referee models get NAME[/dim]")
    for language, why in missing.items():
        out.print(f"[yellow]{language}[/yellow]  {escape(why)}")
    out.print(f"[dim]Fetched models lie in {escape(str(store_folder()))}[/dim]")


@app.command("get")
def get(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A model of the list, or a language: en, es, pt.")],
    into: Annotated[Path | None, typer.Option(metavar="DIR", help="Another folder than the user's own.")] = None,
    url: Annotated[str | None, typer.Option("--url", hidden=True)] = None,
) -> None:
    """Fetch an official speech model once: the only time that anything is downloaded. Goes on where it stopped."""
    from referee.hearing.model_catalogue import known_model
    from referee.hearing.model_fetching import fetch
    from referee.hearing.model_store import store_folder

    model = known_model(name)
    out = console()
    if model.package and url is None:
        out.print(f"{model.name} is a Python package: pip install 'uno-table-referee\\[demo]'")
        return
    store = into or store_folder()
    if (store / model.name).is_dir():
        out.print(f"{model.name} is there already: {escape(str(store / model.name))}")
        return
    wanted = replace(model, url=url or model.url)
    out.print(f"[bold]{model.name}[/bold]  {escape(model.what)}")
    out.print(f"  {model.size_bytes / 1e6:.0f} MB, {model.licence}, from {escape(wanted.url)}")
    with _progress(model.size_bytes) as progress:
        done = fetch(wanted, store, progress)
    told = "as known beforehand" if done.expected else "not known beforehand; this is what came"
    out.print(f"  sha256 {done.sha256}\n  ({told})", soft_wrap=True)
    out.print(f"  ready in {escape(str(done.folder))}", soft_wrap=True)


@app.command("check")
def check(
    path: Annotated[Path | None, typer.Argument(metavar="PATH", help="A model's folder, or a fetched one.")] = None,
    language: Annotated[str | None, typer.Option(metavar="L", help="One phrase pack only.")] = None,
    words: Annotated[Path | None, typer.Option(metavar="FILE", help="TOML with your own words as well.")] = None,
    json_lines: Json = False,
) -> None:
    """Say which phrases of which language a model knows; the words that it lacks with near ones that it knows.

    Ends with status 2 when a language that was asked for cannot be played with the model, or PATH holds none.
    """
    from referee.hearing.model_folder import checked_model_folder, model_of
    from referee.hearing.phrases import languages, load_pack

    unfit = False
    if path is not None:  # one line for a wrong folder, not one for every language
        checked_model_folder(model_of(load_pack(language or languages()[0]), path))
    for name in [language] if language else languages():
        pack = load_pack(name)
        try:
            record = _checked(pack, path, words)
        except InputFault as fault:
            if language:
                raise
            record = {"type": "check", "language": name, "fault": str(fault)}
        unfit = unfit or bool(record.get("unheard"))
        if json_lines:
            print_json(record)
        else:
            _tell(record)
    if unfit and language:
        raise typer.Exit(EXIT_BAD_INPUT)


def _checked(pack: PhrasePack, path: Path | None, words: Path | None) -> dict[str, Any]:
    from referee.hearing.model_folder import checked_model_folder, model_of
    from referee.hearing.own_words import load_own_words, with_own_words
    from referee.hearing.vocabulary import MOST_NAMED_NEAR, near_words, vocabulary

    folder = checked_model_folder(model_of(pack, path)).resolve()
    known = vocabulary(folder)
    if words:
        pack = with_own_words(pack, load_own_words(words), known.__contains__, lambda word: near_words(word, folder))
    calls: dict[str, list[str]] = {call: [] for call in sorted(pack.calls)}
    lacking: dict[str, list[str]] = {
        word: [] for phrase in pack.phrases for word in phrase.words if word not in known
    }
    for phrase in pack.phrases:
        if phrase.call and not any(word in lacking for word in phrase.words):
            calls[phrase.call].append(" ".join(phrase.words))
    if len(lacking) <= MOST_NAMED_NEAR:
        lacking = {word: near_words(word, folder) for word in lacking}
    return {
        "type": "check",
        "language": pack.language,
        "model": str(folder),
        "heard": calls,
        "unheard": [call for call, wordings in calls.items() if not wordings],
        "lacking": lacking,
    }


def _tell(record: dict[str, Any]) -> None:
    from referee.hearing.vocabulary import MOST_NAMED_NEAR

    out = console()
    if fault := record.get("fault"):
        out.print(f"[bold]{record['language']}[/bold]  {escape(fault)}", soft_wrap=True)
        return
    out.print(f"[bold]{record['language']}[/bold]  {escape(record['model'])}", soft_wrap=True)
    for call, wordings in record["heard"].items():
        told = (
            escape(", ".join(wordings)) if wordings else "[red]cannot be heard: none of its wordings is known[/red]"
        )
        out.print(f"  {call:<10} {told}")
    if len(record["lacking"]) > MOST_NAMED_NEAR:
        out.print(f"  [yellow]lacks[/yellow] {len(record['lacking'])} words: a model of another language?")
        return
    for word, near in record["lacking"].items():
        told = f"near ones: {', '.join(near)}" if near else "nothing near"
        out.print(f"  [yellow]lacks[/yellow] {escape(word)}  [dim]{escape(told)}[/dim]")


def _bundled_models() -> Iterator[dict[str, Any]]:
    import tomllib

    from referee.bundled import bundled

    manifest = bundled("models/manifest.toml")
    for entry in tomllib.loads(manifest.read_text(encoding="utf-8"))["model"]:
        file = manifest.parent / entry["file"]
        yield {
            "type": "bundled_model",
            "name": entry["name"],
            "what": entry["kind"].replace("_", " "),
            "licence": entry["licence"],
            "size_bytes": file.stat().st_size if file.exists() else 0,
            "sha256": entry["sha256"],
            "url": "",
            "state": "ships with the referee" if file.exists() else "missing",
        }


def _speech_models() -> Iterator[dict[str, Any]]:
    from referee.hearing.model_catalogue import known_models
    from referee.hearing.model_folder import packaged_model_folder
    from referee.hearing.model_store import installed_models

    fetched = {folder.name: folder for folder in installed_models()}
    for model in known_models():
        folder = packaged_model_folder(model.package) if model.package else fetched.pop(model.name, None)
        yield {
            "type": "speech_model",
            "name": model.name,
            "languages": list(model.languages),
            "what": model.what,
            "licence": model.licence,
            "size_bytes": model.size_bytes,
            "sha256": model.sha256,
            "url": model.url,
            "state": "installed" if folder else "not fetched",
            "folder": str(folder or ""),
        }
    for name, folder in fetched.items():
        yield {
            "type": "speech_model",
            "name": name,
            "languages": [],
            "what": "your own",
            "licence": "",
            "size_bytes": 0,
            "sha256": "",
            "url": "",
            "state": "installed",
            "folder": str(folder),
        }


def _table(title: str, records: list[dict[str, Any]]) -> Table:
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0), title_style="bold")
    for column in ("name", "for", "size", "licence", "state"):
        table.add_column(column, overflow="fold")
    for record in records:
        languages = ", ".join(record.get("languages", []))
        table.add_row(
            record["name"],
            f"{languages}: {record['what']}" if languages else record["what"],
            f"{record['size_bytes'] / 1e6:.0f} MB"
            if record["size_bytes"] >= 1e6
            else f"{record['size_bytes'] / 1e3:.0f} kB",
            record["licence"],
            record["state"],
        )
    return table


@contextmanager
def _progress(size_bytes: int) -> Iterator[Progress]:
    from rich.progress import BarColumn, DownloadColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with progress(*columns) as bar:
        task = bar.add_task("", total=size_bytes)
        yield lambda here, whole: bar.update(task, completed=here, total=whole or size_bytes)

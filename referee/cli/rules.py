"""`referee rules list | show P | diff P Q`: whose rules a table plays, and the document line behind each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from referee.cli.output import console, print_json
from referee.rules.profiles import CardValues, Profile, load_profile, preset_names
from referee.rules.profiles.catalogue import Entry, entries
from referee.rules.profiles.differences import Difference, Side, differences
from referee.rules.profiles.documents import Citation, cite
from referee.rules.profiles.relevance import comes_up

app = typer.Typer(
    help="Rule profiles: list them, read one, or see what two tables argue about.", no_args_is_help=True
)

ProfileName = Annotated[str, typer.Argument(metavar="P", help="A profile's name, or a TOML file of your own.")]
OtherProfile = Annotated[str, typer.Argument(metavar="Q", help="The profile to compare with.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line on stdout.")]


@app.command("list")
def list_profiles(json_lines: Json = False) -> None:
    """Name every profile that ships with the referee, with its title, its kind and the one it extends."""
    profiles = [load_profile(name) for name in preset_names()]
    if json_lines:
        for profile in profiles:
            print_json({"type": "profile", **_head(profile)})
        return
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for title in ("Profile", "Kind", "Extends"):
        table.add_column(title, no_wrap=True)
    table.add_column("Title", overflow="fold")
    order = {"seed": 0, "official": 1, "variant": 2, "custom": 3}
    for profile in sorted(profiles, key=lambda p: (order[p.source.kind], p.name)):
        table.add_row(profile.name, profile.source.kind, next(iter(profile.parents), ""), profile.title)
    console().print(table)


@app.command("show")
def show(name: ProfileName, json_lines: Json = False) -> None:
    """Read one profile: every option with its value, what it means, and the line it rests on."""
    profile = load_profile(name)
    if json_lines:
        print_json({"type": "profile", **_head(profile)})
        for entry in entries().values():
            print_json(_option(profile, entry))
        return
    console().print(_heading(profile))
    for topic, of_topic in groupby(entries().values(), key=lambda entry: entry.topic):
        console().print(_topic_table(profile, topic, list(of_topic)))
    console().print(_legend(cite(source) for option in entries() for source in profile.source_of(option)))


@app.command("diff")
def diff(left: ProfileName, right: OtherProfile, json_lines: Json = False) -> None:
    """Tell what two tables argue about: only what they answer differently, each side with its line."""
    ours, theirs = load_profile(left), load_profile(right)
    found = list(differences(ours, theirs))
    if json_lines:
        for difference in found:
            print_json(_difference(difference))
        return
    out = console()
    out.print(Text.assemble((ours.name, "bold"), f"  {ours.title}\n", (theirs.name, "bold"), f"  {theirs.title}"))
    if not found:
        out.print("\nThese two tables play by the same rules.")
        return
    width = max(len(ours.name), len(theirs.name))
    for topic, of_topic in groupby(found, key=lambda difference: difference.topic):
        out.print(Text(f"\n{topic}", style="bold"))
        for difference in of_topic:
            out.print(Text(f"  {difference.question}:"))
            out.print(Padding(_two_sides(difference, width), (0, 0, 0, 4)))
    out.print(_legend(citation for d in found for side in (d.left, d.right) for citation in side.sources))


def _two_sides(difference: Difference, name_width: int) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    table.add_column(no_wrap=True, width=name_width, style="cyan")
    table.add_column(ratio=1)
    table.add_column(justify="right", style="dim", max_width=18)
    for side in (difference.left, difference.right):
        table.add_row(side.profile, side.says, _short(side.sources))
    return table


def _heading(profile: Profile) -> RenderableType:
    lines = [Text.assemble((profile.name, "bold"), f"  {profile.title}")]
    if profile.source.file:
        lines.append(Text(f"document: {profile.source.file}"))
    if profile.parents:
        lines.append(Text(f"extends: {' → '.join(profile.parents)}"))
    return Group(*lines)


def _topic_table(profile: Profile, topic: str, of_topic: list[Entry]) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    table.add_column(ratio=1)
    table.add_column(justify="right", style="dim", max_width=18)
    for entry in of_topic:
        value = profile.value(entry.option)
        shown = Text.assemble(f"{entry.question}: {entry.saying(value)}")
        if not comes_up(entry.option, profile):
            shown.append(" (does not come up)", style="dim")
        shown.append(f"\n  {entry.option} = {_toml(value)}", style="cyan")
        table.add_row(shown, _short(cite(source) for source in profile.source_of(entry.option)))
    return Group(Text(f"\n{topic}", style="bold"), Padding(table, (0, 0, 0, 2)))


def _legend(citations: Iterable[Citation]) -> RenderableType:
    """Tells how to find the lines that were quoted: the file of each seed, the sheets, the gaps."""
    unique = {citation.source: citation for citation in citations}.values()
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="cyan")
    table.add_column(ratio=1)
    for key, words in dict(_legend_rows(unique)).items():
        table.add_row(key, words)
    return Group(Text("\nWhere to look", style="bold"), Padding(table, (0, 0, 0, 2)))


def _legend_rows(citations: Iterable[Citation]) -> Iterator[tuple[str, str]]:
    """One row a seed document (its first line quoted shows the way), one a sheet, one a gap."""
    documents: set[str] = set()
    for citation in sorted(citations, key=lambda c: (c.line is None, c.document, c.line, c.source)):
        if citation.line is None:
            if citation.words != citation.source:
                yield citation.source, citation.words
        elif citation.document not in documents:
            documents.add(citation.document)
            yield citation.short, f"{citation.words} ({citation.document}), and so on"


def _short(citations: Iterable[Citation]) -> str:
    return ", ".join(citation.short for citation in citations)


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, CardValues):
        return "{ " + ", ".join(f"{name} = {_toml(points)}" for name, points in asdict(value).items()) + " }"
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(rule.text) for rule in value)}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _plain(value: object) -> Any:
    if isinstance(value, CardValues):
        return asdict(value)
    return [asdict(rule) for rule in value] if isinstance(value, tuple) else value


def _head(profile: Profile) -> dict[str, Any]:
    return {
        "name": profile.name,
        "title": profile.title,
        "kind": profile.source.kind,
        "parent": next(iter(profile.parents), None),
        "file": profile.source.file or None,
    }


def _option(profile: Profile, entry: Entry) -> dict[str, Any]:
    value = profile.value(entry.option)
    return {
        "type": "option",
        "option": entry.option,
        "value": _plain(value),
        "topic": entry.topic,
        "question": entry.question,
        "says": entry.saying(value),
        "rows": list(entry.rows),
        "sources": [_source(cite(source)) for source in profile.source_of(entry.option)],
        "comes_up": comes_up(entry.option, profile),
    }


def _difference(difference: Difference) -> dict[str, Any]:
    return {
        "type": "difference",
        "option": difference.option,
        "topic": difference.topic,
        "question": difference.question,
        "sentence": difference.sentence,
        "rows": list(difference.rows),
        "left": _side(difference.left),
        "right": _side(difference.right),
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "profile": side.profile,
        "value": _plain(side.value),
        "says": side.says,
        "sources": [_source(citation) for citation in side.sources],
    }


def _source(citation: Citation) -> dict[str, Any]:
    return {"source": citation.source, "file": citation.file or None, "line": citation.line, "words": citation.words}

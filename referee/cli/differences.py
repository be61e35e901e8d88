"""Says on the screen how two judgings differ, and what the lines of a log mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.cli.output import console, print_json
from referee.session.times import clock

if TYPE_CHECKING:
    from referee.session.log import LogLine


def table_rulings_of(lines: Sequence[LogLine]) -> list[dict[str, Any]]:
    """The rulings given at the table."""
    from referee.session.comparing import table_rulings

    return table_rulings(lines)


def report(
    table: Sequence[Mapping[str, Any]],
    replayed: Sequence[Mapping[str, Any]],
    first: str,
    second: str,
    json_lines: bool,
) -> None:
    """Say what only one of two judgings ruled. first, second: their names, `At the table`, `by seed-003`."""
    from referee.session.comparing import differences

    found = differences(table, replayed)
    if json_lines:
        for difference in found:
            print_json(difference.to_json())
        return
    out = console()
    if not found:
        out.print(f"{first} and {second}: the same rulings.", markup=False)
        return
    out.print(f"{first} and {second}, {len(found)} ruling{'s' if len(found) > 1 else ''} differ:", markup=False)
    for difference in found:
        side = first if difference.side == "table" else second.capitalize()
        at = clock(float(difference.ruling["t_s"]))
        text = f"  {at}  only {side[0].lower()}{side[1:]}: {difference.ruling.get('text')}"
        out.print(text, markup=False, soft_wrap=True)


def say_line(record: Mapping[str, Any]) -> None:
    """One line of a log in a line of text."""
    at, kind = clock(float(record["t_s"])), str(record["type"])
    match kind:
        case "entry":
            words = str(record.get("ugn"))
        case "ruling":
            words = f"{str(record.get('kind')).upper()}: {record.get('text')}"
        case "observation":
            what = record.get("call") or (record.get("reading") or {}).get("card") or record.get("zone") or ""
            words = f"{record.get('kind')} {what} {record.get('seat') or ''}"
            words += f" ({float(record.get('confidence') or 0):.0%})"
        case _:
            left = {k: v for k, v in record.items() if k not in ("type", "t_s", "id") and v not in (None, "")}
            words = ", ".join(f"{name}: {value}" for name, value in left.items())
    console().print(f"{at:>8}  {kind:12} {' '.join(words.split())}  [{record['id']}]", markup=False, soft_wrap=True)

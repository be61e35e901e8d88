"""How well a table is watched and judged, on drawn films of whole rounds that nobody has seen before.

    python benchmarks/table.py [--films 60] [--first 0] [--faces DIR] [--jobs 1] --results DIR [--keep DIR]
    python benchmarks/table.py --rounds 2 --films 6 --results DIR     films of games: counted, shuffled, dealt anew
    python benchmarks/table.py --folders FOLDER...        session folders with truth.ugn and truth.json
    python benchmarks/table.py --live                     cost of a still table and of play at 1280x720
    python benchmarks/table.py --real VIDEO               a film of other cards: hands seen, plays claimed

Each film is judged from pixels and sound only, through the same pipeline as `referee replay`. A finished film is
kept as JSON in --results and not done twice, so the benchmark can be run in pieces. --keep saves a picture of each
miss, and the films in --results: a kept film without its JSON is judged again. Seconds of processor are of one
process with all its threads.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import table_live
from rich.console import Console
from rich.table import Table
from table_films import judge, run


def report(results: Sequence[dict[str, Any]], out: Console) -> None:
    """Print the issue's table."""
    recorded, found = _total(results, "recorded"), _total(results, "found")
    hours = sum(r["duration_s"] for r in results) / 3600
    sure = [f for r in results for f in r["fouls"] if f["certainty"] == "sure"]
    sure_found = [f for r in results for f in r["fouls_found"] if f["certainty"] == "sure"]
    others = sum(len(r["fouls"]) for r in results) - len(sure)
    others_found = sum(len(r["fouls_found"]) for r in results) - len(sure_found)
    accused = [(r, a) for r in results for a in r["accused"]]
    arms = {name: sum(r["arms"][name] for r in results) for name in ("seen", "right", "unseen")}
    ruled = sorted(s for r in results for s in r["ruled_after_s"])
    false = sum(r["false"] for r in results)
    marks = _total([r for r in results if "round_marks" in r], "round_marks")
    judged_s, drawn_s = (sum(r.get(name, 0.0) for r in results) for name in ("judge_cpu_s", "draw_cpu_s"))
    table = Table(title=f"{len(results)} films, {hours * 60:.0f} minutes", show_edge=False)
    for heading in ("", "measured", "of", "wanted"):
        table.add_column(heading)
    rows = [
        ("plays found, card and seat right, within 0.5 s", _share(found["play"], recorded["play"]), "99 %"),
        ("cards taken back found", _share(found["taken back"], recorded["taken back"]), ""),
        ("draws: true count within bounds", _share(found["draw"], recorded["draw"]), "99 %"),
        ("draws: bounds exact", _share(sum(r["exact_draws"] for r in results), recorded["draw"]), "90 %"),
        ("hands laid open read whole", _share(found["hand shown"], recorded["hand shown"]), ""),
        ("rounds begun and counted as they were", _share(marks["found"], marks["recorded"]), "100 %"),
        ("sure fouls flagged", _share(len(sure_found), len(sure)), "97 %"),
        ("other fouls flagged (heard, likely)", _share(others_found, others), ""),
        ("seat of the arm right", _share(arms["right"], arms["seen"]), "99 %"),
        ("arms at a pile seen", _share(arms["right"], arms["right"] + arms["unseen"]), ""),
    ]
    for name, (share, of), wanted in rows:
        table.add_row(name, share, of, wanted)
    table.add_row("false plays per hour", f"{false / hours:.1f}", f"{false} in {hours:.2f} h", "≤ 1")
    table.add_row("accused of what did not happen", str(len(accused)), f"{len(results)} rounds", "0")
    if ruled:
        middle, high = statistics.median(ruled), ruled[int(0.95 * (len(ruled) - 1))]
        table.add_row("ruling after the card rests", f"{middle:.2f} s, {high:.2f} s", "median, 95 %", "0.7, 1.5")
    costs = (judged_s / hours / 3600, drawn_s / hours / 3600)
    table.add_row("processor seconds per second of film", f"{costs[0]:.2f} judging", f"{costs[1]:.2f} drawing", "")
    out.print(table)
    for result, what in accused:
        out.print(
            f"accused: film {result.get('number', '?')} at {what['t_s']:.1f} s: {what['text']} [{what['code']}]"
        )
    kinds = Counter(miss["kind"] for r in results for miss in r["misses"])
    out.print("misses by kind:", ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) or "none")
    out.print(f"questions asked: {sum(len(r['questions']) for r in results)}")


def _total(results: Sequence[dict[str, Any]], name: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for result in results:
        total.update(result[name])
    return total


def _share(good: int, of: int) -> tuple[str, str]:
    return (f"{100 * good / of:.1f} %" if of else "-", f"{good} of {of}")


def _judged_folder(folder: Path, keep: Path | None) -> dict[str, Any]:
    return {"number": folder.name, **judge(folder, keep / folder.name if keep else None)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", type=int, default=60)
    parser.add_argument("--first", type=int, default=0, help="number of the first film")
    parser.add_argument("--rounds", type=int, default=1, help="rounds played in each film")
    parser.add_argument("--faces", type=Path, metavar="DIR", help="photographed faces instead of printings")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path("table-films"), metavar="DIR")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the films and a picture of each miss")
    parser.add_argument("--folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--real", type=Path, metavar="VIDEO")
    parser.add_argument("--misses", action="store_true", help="print each miss")
    given = parser.parse_args()
    out = Console(width=130, highlight=False)
    if given.live:
        out.print(table_live.live_cost())
        return
    if given.real:
        out.print(table_live.other_cards(given.real))
        return
    given.results.mkdir(parents=True, exist_ok=True)
    results: list[dict[str, Any]] = []
    if given.folders:
        results = [_judged_folder(folder, given.keep) for folder in given.folders]
    else:
        numbers = range(given.first, given.first + given.films)
        with ProcessPoolExecutor(given.jobs) as pool:
            waiting = [
                pool.submit(run, number, given.faces, given.results, given.keep, given.rounds) for number in numbers
            ]
            for job in waiting:
                results.append(result := job.result())
                line = f"film {result['number']}: {result['duration_s']:.0f} s, {result['seats']} seats"
                out.print(line, f"{len(result['misses'])} misses, {len(result['accused'])} false accusations")
    report(results, out)
    if given.misses:
        for result in results:
            for miss in result["misses"]:
                out.print(f"film {result['number']} {miss['t_s']:7.2f} s {miss['kind']}: {miss['text']}")


if __name__ == "__main__":
    main()

"""Is anybody accused when things go unseen? Made-up rounds by the thousand, with gaps and blurs drawn by number.

    python benchmarks/unseen.py [--rounds 300] [--first 0]

No picture is drawn: the observations that an eye and an ear would report are made from the rounds, then plays, draws,
cards taken back and words are left out or half seen. Of every share and every kind of gap the table says how many
fouls were ruled against a player who committed none at that moment, and how many true fouls were ruled.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.fusion.rough_rounds import (
    blurred,
    in_a_blind_spot,
    in_a_push,
    in_the_dark,
    innocent,
    observed,
    on_purpose,
    plain,
    rough_round,
    told,
    watched,
)

WAYS = {
    "the pile is hidden": watched,
    "the lights go out": in_the_dark,
    "the camera is pushed": in_a_push,
    "the eye says nothing of the pile": plain,
    "one move, no trace of it": in_a_blind_spot,
}
SHARES = ((0.0, 0.0), (0.03, 0.0), (0.1, 0.0), (0.3, 0.0), (0.03, 0.2), (0.1, 0.2), (0.3, 0.2))
FOUL_RATES = (0.0, 0.3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=300, help="rounds of each row")
    parser.add_argument("--first", type=int, default=0, help="number of the first round")
    given = parser.parse_args()
    out = Console(width=130, highlight=False)
    table = Table(show_edge=False)
    for heading in ("unseen", "half seen", "how", "rounds", "wrongly accused", "true fouls ruled"):
        table.add_column(heading)
    rounds = [
        (game, observed(game), on_purpose(game))
        for rate in FOUL_RATES
        for game in (rough_round(n, rate) for n in range(given.first, given.first + given.rounds // len(FOUL_RATES)))
    ]
    for share, blur in SHARES:
        for how, left_by in WAYS.items():
            wrong: Counter[str] = Counter()
            ruled = true_fouls = 0
            for number, (game, entries, true) in enumerate(rounds):
                rng = Random(number)
                unseen = [n for n, of_entry in enumerate(entries) if n and of_entry and rng.random() < share]
                found = told(game, blurred(left_by(entries, unseen), rng, blur))
                wrong.update(code for code, _, _ in innocent(found, true))
                true_fouls += len(true)
                ruled += sum(any((code, seat, n) in found for n in (at, at + 1)) for code, seat, at in true)
            accused = ", ".join(f"{code} {count}" for code, count in wrong.items()) or "0"
            flagged = f"{100 * ruled / max(1, true_fouls):.1f} % of {true_fouls}"
            table.add_row(f"{share:.0%}", f"{blur:.0%}", how, str(len(rounds)), accused, flagged)
    out.print(table)


if __name__ == "__main__":
    main()

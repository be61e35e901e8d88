"""What a tournament consists of: players, rounds of tables, results. Values only; faults are told, never repaired."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from referee.faults import InputFault
from referee.nearness import nearest

SMALLEST, LARGEST = 3, 6
"""Players at a table: of two one only wins what the other loses, and seven wait too long for a turn."""

Counting: TypeAlias = Literal["most", "fewest"]
"""Which card points are better: of the rules by which the round's winner collects, or by which each notes his own."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player. left_after: the last round played, None while still in."""

    name: str
    left_after: int | None = None


@dataclass(frozen=True, slots=True)
class TableOfRound:
    """A table of a round. points: card points by name, None before the result."""

    name: str
    players: tuple[str, ...]
    points: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament. seed: what the lots of pairings and of last ties come from. rounds: tables of each, in order."""

    title: str
    seed: int = 1
    table_size: int = 4
    counting: Counting = "most"
    players: tuple[Player, ...] = ()
    rounds: tuple[tuple[TableOfRound, ...], ...] = field(default=())

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody, also those who have left."""
        return tuple(player.name for player in self.players)

    def playing(self) -> tuple[str, ...]:
        """Who plays in the next round."""
        return tuple(player.name for player in self.players if player.left_after is None)

    def open_tables(self) -> tuple[TableOfRound, ...]:
        """Tables of the current round that have no result yet."""
        return tuple(table for table in self.rounds[-1] if table.points is None) if self.rounds else ()

    def table(self, name: str, number: int | None = None) -> TableOfRound:
        """A table of round `number`, the current one if None. Raises InputFault."""
        tables = self.rounds[self._index(number)]
        found = next((table for table in tables if table.name == name), None)
        if found is None:
            near = nearest(name, [table.name for table in tables])
            raise InputFault(
                f"round {number or len(self.rounds)} has no table {name!r}",
                mend=f"did you mean {near[0]}?" if near else f"its tables: {', '.join(t.name for t in tables)}",
            )
        return found

    def known(self, name: str, where: str = "") -> str:
        """The player's name as the book has it, whatever the capitals and spaces. Raises InputFault."""
        by_key = {key_of(known): known for known in self.names}
        if key_of(name) in by_key:
            return by_key[key_of(name)]
        near = nearest(name, list(self.names))
        mend = (
            f"did you mean {near[0]}?" if near else "add the player with `referee tournament players FILE --add NAME`"
        )
        raise InputFault(f"{name!r} does not play in this tournament", where=where, mend=mend)

    def with_players(self, names: Iterable[str], where: str = "") -> Tournament:
        """More players. One who had left and is added again is back. Raises InputFault for a name given twice."""
        players, seen = {key_of(player.name): player for player in self.players}, set[str]()
        for given in names:
            name = " ".join(given.split())
            if not name or len(name) > 80 or not name.isprintable():
                raise InputFault(f"{given!r} is no name", where=where, mend="give 1 to 80 letters")
            key = key_of(name)
            if key in seen or (key in players and players[key].left_after is None):
                raise InputFault(f"{name} is in the book already", where=where, mend="give each player another name")
            seen.add(key)
            players[key] = replace(players[key], left_after=None) if key in players else Player(name)
        return replace(self, players=tuple(players.values()))

    def without(self, given: str) -> Tournament:
        """A player plays no further round; what was played stays. Raises InputFault."""
        name = self.known(given)
        for player in self.players:
            if player.name == name and player.left_after is not None:
                raise InputFault(f"{name} has left already")
        gone = [replace(p, left_after=len(self.rounds)) if p.name == name else p for p in self.players]
        return replace(self, players=tuple(gone))

    def with_round(self, tables: Iterable[TableOfRound], where: str = "") -> Tournament:
        """A round more. Raises InputFault unless everybody who plays sits at exactly one table of a fit size."""
        if self.open_tables():
            waiting = ", ".join(table.name for table in self.open_tables())
            raise InputFault(
                f"round {len(self.rounds)} is not over: no result of table {waiting}",
                where=where,
                mend="enter it with `referee tournament result`",
            )
        made = tuple(replace(t, players=tuple(self.known(name, where) for name in t.players)) for t in tables)
        checked_round(made, self.playing(), where)
        return replace(self, rounds=(*self.rounds, made))

    def with_result(
        self,
        name: str,
        points: Mapping[str, int],
        *,
        number: int | None = None,
        correct: bool = False,
        where: str = "",
    ) -> Tournament:
        """The result of a table: card points of each of its players. correct: takes the place of an earlier one.

        Raises InputFault for an unknown table or player, one who sits elsewhere, and a result given twice.
        """
        table = self.table(name, number)
        if table.points is not None and not correct:
            raise InputFault(f"table {name} has a result already", where=where, mend="use --correct to replace it")
        told: dict[str, int] = {}
        for given, count in points.items():
            player = self.known(given, where)
            if player not in table.players:
                mend = f"at table {name} sit {', '.join(table.players)}"
                raise InputFault(f"{player} does not sit at table {name} this round", where=where, mend=mend)
            if player in told:
                raise InputFault(f"{player} is told twice at table {name}", where=where, mend="give one line each")
            if abs(count) > 1_000_000:
                raise InputFault(f"{player}: {count} points are no result", where=where, mend="give card points")
            told[player] = count
        missing = [player for player in table.players if player not in told]
        if missing:
            raise InputFault(
                f"table {name}: no points for {', '.join(missing)}", where=where, mend="give all of them"
            )
        index = self._index(number)
        done = replace(table, points={player: told[player] for player in table.players})
        tables = tuple(done if one.name == name else one for one in self.rounds[index])
        return replace(self, rounds=(*self.rounds[:index], tables, *self.rounds[index + 1 :]))

    def _index(self, number: int | None) -> int:
        if not self.rounds:
            raise InputFault("no round has been paired yet", mend="run `referee tournament pair FILE`")
        if number is not None and not 1 <= number <= len(self.rounds):
            raise InputFault(f"there is no round {number}", mend=f"rounds 1 to {len(self.rounds)} are in the book")
        return (number or len(self.rounds)) - 1


def checked_round(tables: tuple[TableOfRound, ...], playing: Iterable[str], where: str = "") -> None:
    """Raises InputFault unless each of `playing`, and nobody else, sits at exactly one table of 3 to 6."""
    seats: dict[str, str] = {}
    names = [table.name for table in tables]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None or not all(names):
        raise InputFault(f"two tables are called {twice!r}", where=where, mend="give each table another name")
    for table in tables:
        if not SMALLEST <= len(table.players) <= LARGEST:
            size = f"table {table.name} has {len(table.players)} players"
            raise InputFault(size, where=where, mend=f"seat {SMALLEST} to {LARGEST} at a table")
        for player in table.players:
            if player in seats:
                both = f"{player} sits at table {seats[player]} and at table {table.name}"
                raise InputFault(both, where=where, mend="seat each player once")
            seats[player] = table.name
    playing = set(playing)
    if missing := sorted(playing - seats.keys()):
        raise InputFault(f"no table for {', '.join(missing)}", where=where, mend="seat everybody who plays")
    if gone := sorted(seats.keys() - playing):
        raise InputFault(f"{', '.join(gone)} has left the tournament", where=where, mend="add the player again")


def key_of(name: str) -> str:
    """Names that differ in capitals or spaces only are one player."""
    return " ".join(name.split()).casefold()

"""The score sheet of a game: totals over rounds, who is out, and who has won (rows L6 to L13)."""

from __future__ import annotations

from dataclasses import replace

from referee.cards import Seat
from referee.rules.profiles import Profile
from referee.rules.scoring import RoundScore, SheetLine, team_of


class Match:
    """A game of several rounds. Add each round's score; the sheet says how the game stands."""

    def __init__(self, profile: Profile, seats: tuple[Seat, ...]) -> None:
        self.profile = profile
        self.seats = seats
        self._lines: list[SheetLine] = []

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """The sheet, a line a round."""
        return tuple(self._lines)

    @property
    def totals(self) -> dict[Seat, int]:
        """Points of every seat so far."""
        return dict(self._lines[-1].totals) if self._lines else dict.fromkeys(self.seats, 0)

    @property
    def playing(self) -> tuple[Seat, ...]:
        """The seats that are still in the game."""
        out = self._lines[-1].out if self._lines else ()
        return tuple(seat for seat in self.seats if seat not in out)

    @property
    def over(self) -> bool:
        """True once the game is won."""
        return bool(self._lines) and self._lines[-1].over

    def add(self, score: RoundScore) -> SheetLine:
        """Write a round on the sheet and say how the game stands after it."""
        before = self.totals
        totals = {seat: points + score.points.get(seat, 0) for seat, points in before.items()}
        line = SheetLine(len(self._lines) + 1, score, totals)
        option = self.profile.score.winner
        if option == "single_round":
            line = replace(line, over=True, winners=self._team(score.winner))
        elif option == "last_left":
            line = self._eliminate(line, before)
        else:
            line = self._by_target(line, before, lowest=option == "lowest_when_target_hit")
        self._lines.append(line)
        return line

    def _reached(self, points: int) -> bool:
        """Whether so many points end the game (row L7, contradiction C20)."""
        score = self.profile.score
        return points > score.target if score.reach == "more_than" else points >= score.target

    def _team(self, seat: Seat) -> tuple[Seat, ...]:
        return tuple(sorted(team_of(self.profile, self.seats, seat)))

    def _by_target(self, line: SheetLine, before: dict[Seat, int], *, lowest: bool) -> SheetLine:
        totals = {seat: points for seat, points in line.totals.items() if seat in self.playing}
        hit = {seat: points for seat, points in totals.items() if self._reached(points)}
        if not hit:
            return line
        best = min(totals.values()) if lowest else max(hit.values())
        field = totals if lowest else hit
        first = [seat for seat, points in field.items() if points == best]
        return self._decide(line, first, before)

    def _decide(self, line: SheetLine, first: list[Seat], before: dict[Seat, int]) -> SheetLine:
        """The winner among equals (row L12, gap G15); partners are equal and win together."""
        teams = {self._team(seat) for seat in first}
        tie = self.profile.score.tie
        if len(teams) > 1 and tie == "fewer_points_before":
            fewest = min(before[seat] for seat in first)
            first = [seat for seat in first if before[seat] == fewest]
            teams = {self._team(seat) for seat in first}
        if len(teams) > 1 and tie != "shared":
            return replace(line, tied=tuple(first))  # another round decides
        return replace(line, over=True, winners=tuple(first))

    def _eliminate(self, line: SheetLine, before: dict[Seat, int]) -> SheetLine:
        """Who reaches the target is out, until one is left, or two who play it out (row L10, contradiction C22)."""
        old = self._lines[-1] if self._lines else None
        out = old.out if old else ()
        playing = [seat for seat in self.seats if seat not in out]
        hit = [seat for seat in playing if self._reached(line.totals[seat])]
        duel = self.profile.score.elimination == "to_two_then_duel"
        if duel and len(playing) > 2:
            # the two with the fewest points are left even if more reach the target at once
            hit = sorted(hit, key=lambda seat: (-line.totals[seat], seat))[: len(playing) - 2]
        left = [seat for seat in playing if seat not in hit]
        line = replace(line, out=(*out, *hit), duel=duel and len(left) == 2)
        if len(left) == 1:
            return replace(line, over=True, winners=tuple(left), duel=False)
        if not left:
            fewest = min(line.totals[seat] for seat in playing)
            first = [seat for seat in playing if line.totals[seat] == fewest]
            line = replace(line, out=(*out, *(seat for seat in playing if seat not in first)), duel=False)
            return self._decide(line, first, before)
        return line

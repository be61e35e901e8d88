"""What two tables would argue about: the options on which two profiles differ, each side with its line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.rules.profiles.catalogue import entries
from referee.rules.profiles.documents import Citation, cite
from referee.rules.profiles.options import Profile
from referee.rules.profiles.relevance import comes_up


@dataclass(frozen=True, slots=True)
class Side:
    """What one table does, and where it says so."""

    profile: str
    value: object
    says: str
    sources: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """One question that two tables answer differently."""

    option: str
    topic: str
    question: str
    rows: tuple[str, ...]
    left: Side
    right: Side

    @property
    def sentence(self) -> str:
        """The quarrel in one line: "When you can't play: seed-003 draws one card; seed-004 keeps drawing …"."""
        return f"{self.question}: {self.left.profile} {self.left.says}; {self.right.profile} {self.right.says}."


def differences(left: Profile, right: Profile) -> Iterator[Difference]:
    """Every question that comes up at both tables and gets two answers, in the order in which a game meets them."""
    for option, entry in entries().items():
        ours, theirs = left.value(option), right.value(option)
        if ours == theirs or not (comes_up(option, left) and comes_up(option, right)):
            continue
        yield Difference(
            option=option,
            topic=entry.topic,
            question=entry.question,
            rows=entry.rows,
            left=_side(left, option, ours, theirs),
            right=_side(right, option, theirs, ours),
        )


def _side(profile: Profile, option: str, value: object, other: object) -> Side:
    says = entries()[option].saying(value, unlike=other)
    return Side(profile.name, value, says, tuple(cite(source) for source in profile.source_of(option)))

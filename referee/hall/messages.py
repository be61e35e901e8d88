"""What tables say to the hall, one model a topic. The models are the documentation: `docs/hall/` holds their schemas.

Every message carries `format`; a change that an older hall would misunderstand raises it.
"""

from __future__ import annotations

import datetime as dt
import json
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

FORMAT = 1
MESSAGE_BYTES = 32_768
"""No table with ten players and four rulings comes near it; longer messages are not read."""

Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=80)]
Word: TypeAlias = Annotated[str, Field(pattern=r"^[a-z0-9_.-]{1,60}$")]
SeatName: TypeAlias = Annotated[str, Field(pattern=r"^P([1-9]|10)$")]
Instance: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Phase: TypeAlias = Literal["starting", "playing", "asking", "out_of_step", "round_over", "ended"]


class WrongMessage(ValueError):
    """A message that cannot be used. kind: `newer` or `older` (than this hall's format), or `malformed`."""

    def __init__(self, kind: Literal["newer", "older", "malformed"], why: str) -> None:
        super().__init__(why)
        self.kind, self.why = kind, why


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


class Player(_Message):
    """A player and what stands on the sheet."""

    seat: SeatName
    name: Name
    points: int = Field(ge=-1_000_000, le=1_000_000, description="total of this session, after the last full round")


class PublicRuling(_Message):
    """A ruling by its code: the hall puts it into words. Never the card it is about, nor any other."""

    t_s: float = Field(ge=0, description="seconds on the table's session clock")
    incident: Word = Field(description="code of the incident, as `referee judge --json` prints it")
    variant: Literal[""] | Word = Field(default="", description="which wording of it")
    kind: Literal["foul", "question"]
    certainty: Literal["sure", "heard", "likely", "hidden"]
    seat: SeatName | None = None
    other: SeatName | None = Field(default=None, description="the other player concerned, if any")
    remedy: Literal[""] | Word = Field(default="", description="what to do, as a code")
    option: Literal[""] | Word = Field(default="", description="the option of the rules that decides it")
    standing: bool = Field(default=True, description="false: taken back since")


class PublicState(_Message):
    """What everybody in the hall may know of a table."""

    round: int = Field(ge=1, le=100_000)
    phase: Phase
    view: Literal["ready", "hand_over", "settling", "lost"] = Field(description="whether the table is in view")
    asks: bool = Field(description="a question waits for an answer at the table")
    hears: bool = Field(description="calls can be judged")
    players: list[Player] = Field(max_length=10)
    rulings: list[PublicRuling] = Field(default=[], max_length=8, description="the newest last")
    health: dict[Word, Word] = Field(default={}, max_length=16, description="each part of the table in one word")
    winners: list[SeatName] = Field(default=[], max_length=10, description="who has won the game, once it is won")


class TableState(PublicState):
    """Topic `…/state`, retained: the public state of a table, sent when it changes and at least every 10 seconds."""

    format: Literal[1] = 1
    table: Name = Field(description="what the table is called in this hall")
    instance: Instance = Field(description="drawn anew each time a table starts: tells two tables of one name apart")
    at: AwareDatetime = Field(description="when it was sent, by the table's wall clock")

    @classmethod
    def of(cls, state: PublicState, table: str, instance: str, at: dt.datetime) -> TableState:
        """The state of a table as it is sent."""
        return cls(**dict(state), table=table, instance=instance, at=at)


class Presence(_Message):
    """Topic `…/presence`, retained: whether the table is there. The broker itself says that it is not: the last will.

    A last will was written when the table connected, so that its `at` tells that moment.
    """

    format: Literal[1] = 1
    table: Name
    instance: Instance
    at: AwareDatetime
    online: bool
    ended: bool = Field(default=False, description="true: the session was ended in order")


Message: TypeAlias = TableState | Presence
KINDS: dict[str, type[TableState] | type[Presence]] = {"state": TableState, "presence": Presence}
"""The last part of a topic, and what is said there."""


def encode(message: Message) -> bytes:
    """The message as it is sent: JSON in UTF-8."""
    return message.model_dump_json().encode()


def decode(kind: str, payload: bytes) -> Message:
    """Read what came on a topic that ends in `kind`. Raises WrongMessage."""
    model = KINDS.get(kind)
    if model is None:
        raise WrongMessage("malformed", "no such topic")
    if len(payload) > MESSAGE_BYTES:
        raise WrongMessage("malformed", f"{len(payload)} bytes: too long")
    try:
        data = json.loads(payload)
    except (ValueError, RecursionError):
        raise WrongMessage("malformed", "is no JSON") from None
    said = data.get("format") if isinstance(data, dict) else None
    if not isinstance(said, int) or isinstance(said, bool):
        raise WrongMessage("malformed", "names no format")
    if said != FORMAT:
        raise WrongMessage("newer" if said > FORMAT else "older", f"format {said}, this hall reads {FORMAT}")
    try:
        return model.model_validate_json(payload)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise WrongMessage("malformed", f"{place}: {first['msg']}"[:200]) from None


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what is said on a topic that ends in `kind`."""
    written = KINDS[kind].model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **written}

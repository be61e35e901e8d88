"""The settings of one's own table: one TOML file, checked key by key, written without losing its comments."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
import tomlkit
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from tomlkit.exceptions import TOMLKitError

from referee.faults import InputFault
from referee.nearness import nearest
from referee.rules.messages import LANGUAGES
from referee.session.plan import HeardFrom
from referee.session.toml_lines import line_of_key

SETTINGS_FILE = "table.toml"
Strictness = Literal["coach", "friendly", "strict"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class TablePart(_Part):
    """What is played, and by whom."""

    title: str = Field(default="", description="what the session is called")
    players: Annotated[list[str], Field(max_length=10)] = Field(default=[], description="names, clockwise from P1")
    dealer: str = Field(default="", description="who deals first: a name or a seat")
    profile: str = Field(default="classic-108", description="the rules: a name of `referee rules list`, or a file")
    language: str = Field(default="en", description="en, pt, es or ro")
    calibration: str = Field(default="", description="where piles and seats lie: a file of `referee calibrate`")
    deck: str = Field(default="", description="an enrolled deck, if any")
    strictness: Strictness = Field(default="friendly", description="coach, friendly or strict")


class CameraPart(_Part):
    """Which camera, and what is asked of it."""

    name: str = Field(default="", description="as `referee devices` lists it; empty: the first")
    path: str = Field(default="", description="tells two cameras of one name apart")
    width_px: Annotated[int, Field(ge=320, le=3840)] = 1280
    height_px: Annotated[int, Field(ge=240, le=2160)] = 720
    rate_hz: Annotated[float, Field(ge=5, le=60)] = 15.0


class MicrophonePart(_Part):
    """Which microphone."""

    on: bool = Field(default=True, description="false: referee without sound")
    name: str = Field(default="", description="as `referee devices` lists it; empty: the system's own choice")
    host_api: str = Field(default="", description="tells two microphones of one name apart")


class SpeechPart(_Part):
    """What listens."""

    pack: str = Field(default="", description="phrase pack; empty: the one of the table's language")
    model: str = Field(default="", description="folder of a Vosk model; empty: the one of the phrase pack")


class VoicePart(_Part):
    """What speaks."""

    engine: Literal["off", "espeak-ng"] = Field(default="off", description="off (phones may speak) or espeak-ng")
    volume: Annotated[int, Field(ge=0, le=200)] = 100


class PagesPart(_Part):
    """Who may see the pages."""

    lan: bool = Field(default=False, description="true: phones in this network may join")
    port: Annotated[int, Field(ge=0, le=65535)] = 8400


class RecordingPart(_Part):
    """What is kept."""

    on: bool = Field(default=True, description="false: nothing of a session is written")
    media: bool = Field(default=True, description="false: the log alone, no picture and no sound")
    folder: str = Field(default="", description="where sessions go; empty: the user's data folder")
    keep_gb: Annotated[float, Field(ge=0.1)] = Field(
        default=20.0, description="room for all sessions; the oldest media go"
    )


class HallPart(_Part):
    """Whether this table's scores, rulings and health are told to a hall of many tables."""

    broker: str = Field(default="", description="mqtt://HOST or, encrypted, mqtts://HOST; empty: nothing is told")
    table: str = Field(default="", description="what this table is called in the hall; empty: the session's title")
    username: str = Field(default="", description="who enters the broker")
    password: str = Field(default="", description="better kept in one of the next two")
    password_variable: str = Field(default="", description="an environment variable that holds the password")
    password_file: str = Field(default="", description="a file whose first line is the password")
    ca_file: str = Field(default="", description="PEM of who vouches for the broker; empty: as the system does")
    certificate_file: str = Field(default="", description="PEM of this table's own certificate, if the broker asks")
    key_file: str = Field(default="", description="PEM of its key")
    prefix: str = Field(default="referee", description="the first part of every topic")


class Settings(_Part):
    """All of them; what the file leaves out has its default."""

    format: Literal[1] = 1
    table: TablePart = TablePart()
    camera: CameraPart = CameraPart()
    microphone: MicrophonePart = MicrophonePart()
    speech: SpeechPart = SpeechPart()
    voice: VoicePart = VoicePart()
    pages: PagesPart = PagesPart()
    recording: RecordingPart = RecordingPart()
    hall: HallPart = HallPart()
    voices: dict[str, HeardFrom] = {}


def settings_path() -> Path:
    """Where one's own settings lie on this system."""
    return platformdirs.user_config_path("referee", appauthor=False) / SETTINGS_FILE


def sessions_folder(settings: Settings) -> Path:
    """Where sessions are recorded."""
    if settings.recording.folder:
        return Path(settings.recording.folder).expanduser()
    return platformdirs.user_data_path("referee", appauthor=False) / "sessions"


def load_settings(path: Path | None = None) -> Settings:
    """The settings in `path`; one's own, or the defaults where there are none, if it is None.

    Raises InputFault with file, line, key, what it is and what it may be.
    """
    if path is None:
        path = settings_path()
        if not path.exists():
            return Settings()
    faults = faults_of(path)
    if faults:
        raise faults[0]
    return Settings.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))


def faults_of(path: Path) -> list[InputFault]:
    """Everything that is wrong with a settings file, in the order of its lines."""
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except FileNotFoundError:
        return [InputFault("is not there", where=str(path), mend="`referee config show > FILE` writes one")]
    except tomllib.TOMLDecodeError as fault:
        return [InputFault(f"is not TOML: {fault}", where=str(path), mend="mend that line")]
    except UnicodeDecodeError:
        return [InputFault("is no text", where=str(path), mend="save it as UTF-8 text")]
    except OSError as fault:
        return [InputFault(f"cannot be read: {fault.strerror}", where=str(path), mend="name a file you may read")]
    try:
        settings = Settings.model_validate(data)
    except ValidationError as wrong:
        found = [_fault(path, text, error) for error in wrong.errors()]
        return [fault for _, fault in sorted(found, key=lambda one: one[0])]
    return _against_each_other(path, text, settings)


def save_settings(
    path: Path, changes: Mapping[str, Mapping[str, Any]], *, without: Mapping[str, Collection[str]] | None = None
) -> Settings:
    """Write `changes` (by part and key) into the file, keeping its comments and all else; returns the whole.

    without: keys of each part that go.

    Raises InputFault, and leaves the file as it was, when a change is not valid.
    """
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else default_text()
        document = tomlkit.parse(text)
    except (OSError, UnicodeDecodeError, TOMLKitError) as fault:
        raise InputFault(f"cannot be changed: {fault}", where=str(path), mend="`referee config check`") from None
    try:
        for part, values in changes.items():
            table = document.setdefault(part, tomlkit.table())
            for key, value in values.items():
                table[key] = value
        for part, keys in (without or {}).items():
            for key in keys:
                document.get(part, {}).pop(key, None)
    except (TypeError, ValueError, AttributeError, TOMLKitError) as fault:
        raise InputFault(f"{part}: cannot be written: {fault}", where=str(path), mend="give a valid value") from None
    half = path.with_name(path.name + ".new")
    try:
        half.parent.mkdir(parents=True, exist_ok=True)
        half.write_text(tomlkit.dumps(document), encoding="utf-8")
        faults = faults_of(half)
        if faults:
            half.unlink()
            raise InputFault(faults[0].what, where=str(path), mend=faults[0].mend)
        half.replace(path)
    except OSError as fault:
        raise InputFault(f"cannot be written: {fault.strerror}", where=str(path), mend="check its rights") from None
    return load_settings(path)


def default_text() -> str:
    """A settings file with every key, its default, and what it means."""
    lines = ["# The settings of this table. `referee config check` tells what is wrong with them.", "format = 1"]
    for part, info in Settings.model_fields.items():
        kind = info.annotation
        if part == "format" or not isinstance(kind, type) or not issubclass(kind, BaseModel):
            continue
        lines += ["", f"[{part}]  # {(kind.__doc__ or '').strip()}"]
        for key, field in kind.model_fields.items():
            value = tomlkit.item(field.get_default()).as_string()
            lines.append(f"{key} = {value}" + (f"  # {field.description}" if field.description else ""))
    return "\n".join(lines) + "\n"


def _fault(path: Path, text: str, error: Any) -> tuple[int, InputFault]:
    keys = [str(part) for part in error["loc"] if isinstance(part, str)]
    line = line_of_key(text, keys)
    name = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        known = list(_model_at(keys[:-1]).model_fields)
        near = nearest(keys[-1], known)
        mend = f"did you mean {near[0]}?" if near else "known keys: " + ", ".join(known)
        return line, InputFault(f"{name}: there is no such key", where=f"{path}:{line}", mend=mend)
    says = f"{name} = {error['input']!r}: {error['msg'][:1].lower()}{error['msg'][1:]}"
    return line, InputFault(says, where=f"{path}:{line}", mend=_meaning(keys))


def _model_at(keys: list[str]) -> type[BaseModel]:
    model: type[BaseModel] = Settings
    for key in keys:
        kind = model.model_fields[key].annotation
        model = kind if isinstance(kind, type) and issubclass(kind, BaseModel) else model
    return model


def _meaning(keys: list[str]) -> str:
    field = _model_at(keys[:-1]).model_fields.get(keys[-1]) if keys else None
    return field.description if field is not None and field.description else "give a valid value"


def _against_each_other(path: Path, text: str, settings: Settings) -> list[InputFault]:
    """What is valid key by key and still cannot be."""
    table, found = settings.table, []

    def wrong(key: str, says: str, mend: str) -> None:
        where = f"{path}:{line_of_key(text, ['table', key])}"
        found.append(InputFault(f"table.{key}: {says}", where=where, mend=mend))

    names = [name.strip() for name in table.players]
    if names and (len(names) < 2 or not all(names) or len(set(names)) < len(names)):
        wrong("players", "too few, an empty one, or one name twice", "give two to ten players a name each")
    seats = [f"P{n}" for n in range(1, len(names) + 1)]
    if table.dealer and table.dealer not in names + seats:
        wrong("dealer", f"{table.dealer!r} does not sit at this table", f"choose one of {', '.join(names or seats)}")
    if table.language not in LANGUAGES:
        wrong(
            "language", f"{table.language!r} is no language of the referee", f"choose one of {', '.join(LANGUAGES)}"
        )
    return found

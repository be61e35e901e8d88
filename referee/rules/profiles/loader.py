"""Loads profiles: a preset by name or a table's own TOML file by path, each with its chain of `extends`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from referee.faults import InputFault
from referee.rules.profiles.catalogue import assumed
from referee.rules.profiles.consistency import contradictions
from referee.rules.profiles.options import Profile
from referee.rules.profiles.schema import nearest
from referee.rules.profiles.sheet import Sheet, did_you_mean, read_sheet
from referee.rules.profiles.toml_lines import line_of

_PRESETS = files("referee.rules.profiles") / "presets"


class ProfileFault(InputFault):
    """A profile file with one or more faults; `faults` has them one by one, each with `file:line`."""

    def __init__(self, faults: list[InputFault]) -> None:
        self.faults = tuple(faults)
        if len(faults) == 1:
            super().__init__(faults[0].what, where=faults[0].where, mend=faults[0].mend)
            return
        files = {fault.where.rpartition(":")[0] for fault in faults}
        shared = files.pop() if len(files) == 1 else ""
        told = (str(fault).replace(f"{shared}:", "line ", 1) if shared else str(fault) for fault in faults)
        super().__init__(f"{len(faults)} faults: {'; '.join(told)}", where=shared)


@lru_cache(maxsize=1)
def preset_names() -> tuple[str, ...]:
    """The names of the presets that ship with the referee, sorted."""
    found = (entry.name for entry in _PRESETS.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def load_profile(name_or_path: str | Path) -> Profile:
    """The profile of a preset name or of a TOML file.

    Raises InputFault (a ProfileFault with all its faults for a file that was read) when there is no such preset or
    file, when an option or a value is unknown, when `extends` names nothing or leads back to itself, and when
    options contradict each other.
    """
    if isinstance(name_or_path, str) and name_or_path in preset_names():
        return _preset(name_or_path)
    path = Path(name_or_path)
    if not os.path.exists(path) and path.suffix != ".toml":  # Path.exists raises on a name too long
        near = nearest(str(name_or_path), preset_names())
        mend = did_you_mean(near) or "`referee rules list` names them; a file of your own is given by its path"
        raise InputFault(f"there is no profile {str(name_or_path)!r}", mend=mend)
    return _build(_chain(_read_file(path), folder=path.parent))


@lru_cache(maxsize=64)
def _preset(name: str) -> Profile:
    return _build(_chain(_read_preset(name), folder=None))


def _chain(sheet: Sheet, *, folder: Path | None) -> list[Sheet]:
    """The sheet and its parents, nearest first; raises ProfileFault for what is wrong in any of them."""
    chain = [sheet]
    while sheet.extends:
        parent, folder = _parent(sheet, folder)
        if parent is None:
            break
        if parent.identity in {link.identity for link in chain}:
            sheet.fault("extends", f"extends {sheet.extends!r}, which leads back to itself")
            break
        chain.append(parent)
        sheet = parent
    if faults := [fault for link in chain for fault in link.faults]:
        raise ProfileFault(faults)
    return chain


def _parent(sheet: Sheet, folder: Path | None) -> tuple[Sheet | None, Path | None]:
    """The sheet that `sheet` extends and the folder it was read from (None for a preset)."""
    if sheet.extends in preset_names():
        return _read_preset(sheet.extends), None
    if folder is not None and sheet.extends.endswith(".toml"):
        path = folder / sheet.extends
        if path.is_file():
            return _read_file(path), path.parent
    near = nearest(sheet.extends, preset_names())
    sheet.fault("extends", f"extends {sheet.extends!r}, and there is no such profile", did_you_mean(near))
    return None, None


def _build(chain: list[Sheet]) -> Profile:
    sheet = chain[0]
    profile = Profile(name=sheet.name, parents=tuple(link.name for link in chain[1:]))
    documents: dict[str, tuple[str, ...]] = {option: assumed(option) for option, _ in profile.options()}
    for link in reversed(chain):
        # a title belongs to its own file: a table's file does not pass for the document it extends
        inherited = {o: v for o, v in link.options.items() if link is sheet or not o.startswith("source.")}
        profile = _laid_over(profile, inherited)
        # the parent's line says nothing about a value that this file changes
        documents |= {option: assumed(option) for option in inherited} | link.documents
    faults = [
        InputFault(what, where=f"{sheet.shown}:{line_of(option, sheet.lines)}")
        for option, what in contradictions(profile)
    ]
    if faults:
        raise ProfileFault(faults)
    return replace(profile, documents=MappingProxyType(documents))


def _laid_over(profile: Profile, options: Mapping[str, object]) -> Profile:
    groups: dict[str, dict[str, object]] = {}
    for option, value in options.items():
        group, _, leaf = option.partition(".")
        # a table changes only the entries it names
        laid = replace(getattr(getattr(profile, group), leaf), **value) if isinstance(value, dict) else value
        groups.setdefault(group, {})[leaf] = laid
    changes: dict[str, Any] = {group: replace(getattr(profile, group), **leaves) for group, leaves in groups.items()}
    return replace(profile, **changes)


def _read_preset(name: str) -> Sheet:
    text = (_PRESETS / f"{name}.toml").read_text(encoding="utf-8")
    return read_sheet(text, name=name, shown=f"{name}.toml", identity=f"preset {name}", own_file=False)


def _read_file(path: Path) -> Sheet:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputFault("is not a text file", where=str(path), mend="save the profile as UTF-8") from None
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise InputFault(f"cannot be read: {reason.lower()}", where=str(path), mend="check the path") from None
    return read_sheet(text, name=path.stem, shown=str(path), identity=str(path.resolve()), own_file=True)

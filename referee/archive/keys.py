"""The key of a judging: what was recorded, what looks at it, by which rules, by which version.

Two judgings of one key give the same, so a finished one is never done twice.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from referee import __version__
from referee.archive.shelves import Shelf
from referee.archive.tasks import Action, Task
from referee.bundled import bundled
from referee.faults import InputFault
from referee.rules.profiles import Profile, load_profile, preset_names
from referee.session.plan import SESSION_FILE

MANIFEST = "manifest.toml"


def digest(parts: Iterable[str]) -> str:
    """SHA-256 over some texts, each kept apart from the next."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def profile_hash(profile: Profile) -> str:
    """Of everything that a profile decides, its name among it."""
    return digest([repr(profile)])


def weights_manifest(weights: str | None) -> Path | None:
    """The manifest of `weights` when that is a folder of models, else None. Raises InputFault for neither."""
    if weights is None:
        return None
    path = Path(weights)
    if (path / MANIFEST).is_file():
        return path / MANIFEST
    if path.is_file() and path.suffix == ".pt":
        return None
    raise InputFault(
        "are no weights", where=weights, mend="give a folder that `referee train export` wrote, or an X.pt"
    )


def models_hash(weights: str | None = None) -> str:
    """Of the models that look and listen. Raises InputFault when `weights` are none."""
    manifest = weights_manifest(weights)
    own = Path(weights) if weights and manifest is None else None
    stats = [(p, p.stat().st_mtime_ns) for p in (manifest or bundled(f"models/{MANIFEST}"), own) if p]
    return _hash_of(tuple(stats))


@lru_cache(maxsize=8)
def _hash_of(files: tuple[tuple[Path, int], ...]) -> str:
    manifest, *own = (path for path, _ in files)
    try:
        named = tomllib.loads(manifest.read_text(encoding="utf-8")).get("model", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise InputFault(f"cannot be read: {fault}", where=str(manifest), mend="export the models again") from None
    shas = [f"{model.get('name')} {model.get('sha256')}" for model in named]
    return digest([*shas, *(hashlib.sha256(path.read_bytes()).hexdigest() for path in own)])


def tasks_of(
    shelf: Shelf, action: Action, *, profile: str | None = None, weights: str | None = None
) -> tuple[list[Task], list[Task]]:
    """A task for each session on `shelf`, in the order of their names; and those whose files cannot be read.

    Raises InputFault when profile or weights are wrong, or when the shelf holds no session.
    """
    models = models_hash(weights)
    rules = profile_hash(load_profile(profile)) if profile else ""
    sound: list[Task] = []
    unreadable: list[Task] = []
    names = shelf.sessions()
    if not names:
        raise InputFault(
            f"holds no session: no folder with a {SESSION_FILE}", where=shelf.root, mend="name a folder of sessions"
        )
    for name in names:
        try:
            files, bad = shelf.prints(name, media=action != "rejudge"), False
            own = rules or _own_rules(shelf.read(name, SESSION_FILE))
        except InputFault:
            files, own, bad = [], "", True
        key = digest([action, __version__, models, own, name, *(f"{file} {mark}" for file, mark in files)])
        task = Task(shelf.root, name, action, profile, rules, weights, __version__, models, key)
        (unreadable if bad else sound).append(task)
    return sound, unreadable


def _own_rules(session: bytes | None) -> str:
    """The hash of the preset that a session names; a file of its own is among the files that are hashed."""
    try:
        name = tomllib.loads((session or b"").decode()).get("profile", "classic-108")
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return ""
    return profile_hash(load_profile(name)) if name in preset_names() else ""

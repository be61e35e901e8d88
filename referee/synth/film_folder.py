"""Writes a drawn film as a session folder: session, calibration, media, truth, and where it comes from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.rules.entries import Tag
from referee.synth.film import Film
from referee.synth.film_calibration import calibration_toml
from referee.synth.film_random import PROFILE_FILE
from referee.synth.film_truth import truth_json
from referee.synth.voices import VOICE_RATE_HZ

MEDIA = "media/table.mkv"
TRUTH_JSON = "truth.json"


class FilmWriter(Protocol):
    """Takes pictures and sound in turn and keeps them in step by their counts."""

    def picture(self, image_bgr: NDArray[np.uint8]) -> None:
        """Append one frame."""

    def sound(self, samples: NDArray[np.int16]) -> None:
        """Append mono sound."""


OpenWriter = Callable[[Path], AbstractContextManager[FilmWriter]]


def write_film(
    film: Film,
    sound: NDArray[np.int16],
    writer: FilmWriter,
    *,
    empty_table: bool = False,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Draw the film into a writer, a second of its sound after each second of picture.

    progress: told the share done (0…1) after each second.
    """
    rate_hz = film.style.frame_rate_hz
    for index, image in enumerate(film.frames(empty_table=empty_table), start=1):
        writer.picture(image)
        if index % rate_hz == 0:
            second = index // rate_hz
            writer.sound(sound[(second - 1) * VOICE_RATE_HZ : second * VOICE_RATE_HZ])
            if progress is not None:
                progress(second / film.duration_s)
    done = int(film.duration_s) * VOICE_RATE_HZ
    rest = sound[done : round(film.duration_s * VOICE_RATE_HZ)]
    if len(rest):
        writer.sound(rest)


def session_toml(film: Film, title: str, language: str = "stand-in") -> str:
    """The text of the film's session file."""
    tags = {item.name: item.value for item in reversed(film.items) if isinstance(item, Tag)}  # the first ones count
    lines = [
        "format = 1",
        f"title = {_quoted(title)}",
        f"profile = {_quoted(tags.get('Profile', 'classic-108'))}",
        'calibration = "calibration.toml"',
        f'media = ["{MEDIA}"]',
        f'language = "{language}"  # phrase pack',
        f'dealer = "{tags.get("Dealer", str(film.layout.seats[-1].seat))}"',
        "",
        "[players]",
    ]
    lines += [f"{place.seat} = {_quoted(tags[str(place.seat)])}" for place in film.layout.seats]
    return "\n".join(lines) + "\n"


def write_session(
    film: Film,
    folder: Path,
    open_writer: OpenWriter,
    truth_text: str,
    *,
    title: str,
    command: str,
    profile_toml: str | None = None,
    empty_table: bool = False,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Write the whole session folder; an older film in it is overwritten.

    profile_toml: the text of the game's profile file when it is no preset.

    Raises InputFault, with nothing written, when the voices are not installed.
    """
    sound = film.sound()
    media = folder / MEDIA
    media.parent.mkdir(parents=True, exist_ok=True)
    with open_writer(media) as writer:
        write_film(film, sound, writer, empty_table=empty_table, progress=progress)
    (folder / "session.toml").write_text(session_toml(film, title), encoding="utf-8")
    (folder / "calibration.toml").write_text(calibration_toml(film.layout, film.view), encoding="utf-8")
    (folder / "truth.ugn").write_text(truth_text, encoding="utf-8")
    told = json.dumps(truth_json(film), ensure_ascii=False, indent=1)
    (folder / TRUTH_JSON).write_text(told + "\n", encoding="utf-8")
    names = ["session.toml", "calibration.toml", MEDIA, "truth.ugn", TRUTH_JSON]
    if profile_toml is not None:
        (folder / PROFILE_FILE).write_text(profile_toml, encoding="utf-8")
        names.append(PROFILE_FILE)
    (folder / "SOURCE.toml").write_text(_source_toml(film, folder, names, command), encoding="utf-8")


def _source_toml(film: Film, folder: Path, names: Iterable[str], command: str) -> str:
    width, height = film.view.size_px
    photographed = isinstance(film.style.faces, Path)
    cards = "photographed cards" if photographed else "drawn cards"
    licence = "none: it shows photographs of others, for measuring only, not to be kept or passed on"
    if not photographed:
        licence = "AGPL-3.0-or-later, as the program that drew it; no photograph or recording is in it"
    lines = [
        f"# Where this session comes from. It is synthetic: {cards}, drawn arms, synthesised voices.",
        f"synthetic = {str(not photographed).lower()}",
        f"how_made = {_quoted(command)}",
        f"seed = {film.seed}",
        f"faces = {_quoted('photographs' if photographed else str(film.style.faces))}",
        f'table_top = "{film.style.surface}"',
        f"size_px = [{width}, {height}]",
        f"frame_rate_hz = {film.style.frame_rate_hz}",
        f"duration_s = {film.duration_s}",
        f"elevation_deg = {film.style.elevation_deg:.1f}",
        f'licence = "{licence}"',
        'ground_truth = "truth.ugn: times are when a card came to rest, left the pile, or a word began"',
        "",
        "[sha256]",
    ]
    for name in names:
        lines.append(f'"{name}" = "{hashlib.sha256((folder / name).read_bytes()).hexdigest()}"')
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A basic string of TOML; its escapes are those of JSON."""
    return json.dumps(text, ensure_ascii=False)

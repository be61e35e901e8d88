"""`referee synth film`: draws a table film with sound and ground truth from a written or a made-up game."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.output import console, progress
from referee.faults import InputFault

if TYPE_CHECKING:
    from referee.rules.entries import Item
    from referee.rules.profiles import Profile
    from referee.synth.film_folder import FilmWriter
    from referee.synth.film_manners import Manners
    from referee.synth.film_style import FilmStyle

app = typer.Typer(
    no_args_is_help=True, help="Draw synthetic material: films of whole rounds, always named synthetic."
)

_SCRIPT, _LOOK, _SOUND = "The game", "Table and camera", "Sound"


@app.callback()
def _group() -> None:
    """Keep `film` a command of its own name while it is the only one."""


@app.command()
def film(
    ctx: typer.Context,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Session folder to write.")],
    game: Annotated[
        Path | None, typer.Argument(metavar="GAME.ugn", help="The rounds to film, from the start of the first.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another number, another film of the same game.")] = 0,
    hard: Annotated[
        bool, typer.Option("--hard", help="Everything mixed by the seed; other options go before.")
    ] = False,
    random: Annotated[
        int | None, typer.Option(metavar="SEED", help="Film a made-up round instead.", rich_help_panel=_SCRIPT)
    ] = None,
    seats: Annotated[int, typer.Option(min=2, max=6, help="Players of it.", rich_help_panel=_SCRIPT)] = 4,
    fouls: Annotated[
        float, typer.Option(min=0, max=1, help="Chance of a foul at each move of it.", rich_help_panel=_SCRIPT)
    ] = 0.0,
    hand: Annotated[
        int, typer.Option(min=1, max=20, help="Cards dealt to each player in it.", rich_help_panel=_SCRIPT)
    ] = 7,
    plays: Annotated[
        int, typer.Option(min=5, help="Most cards laid and drawn in a round of it.", rich_help_panel=_SCRIPT)
    ] = 120,
    rounds: Annotated[
        int, typer.Option(min=1, max=5, help="Rounds of it, each dealt anew.", rich_help_panel=_SCRIPT)
    ] = 1,
    faces: Annotated[
        str | None,
        typer.Option(
            help="Printing of the cards: a name (oval, ring, flat …) or a number; or a folder of photographs.",
            rich_help_panel=_LOOK,
        ),
    ] = None,
    surface: Annotated[
        str | None,
        typer.Option(help="Table top: oak, pine, white, blue_cloth …", rich_help_panel=_LOOK),
    ] = None,
    manners: Annotated[
        str | None,
        typer.Option(
            help="How the players play: neat, lively, or chances as toss=0.3,square=0.1.", rich_help_panel=_LOOK
        ),
    ] = None,
    elevation: Annotated[
        float | None,
        typer.Option(min=30, max=90, help="Degrees of the camera above the table.", rich_help_panel=_LOOK),
    ] = None,
    azimuth: Annotated[
        float | None, typer.Option(min=-20, max=20, help="Degrees from which it looks.", rich_help_panel=_LOOK)
    ] = None,
    bumps: Annotated[
        int | None, typer.Option(min=0, max=5, help="How often the camera is pushed.", rich_help_panel=_LOOK)
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Pixels.", rich_help_panel=_LOOK)] = "960x720",
    rate: Annotated[int | None, typer.Option(min=5, max=30, help="Frames a second.", rich_help_panel=_LOOK)] = None,
    noise: Annotated[
        float | None, typer.Option(min=0, max=20, help="Of the sensor, in grey levels.", rich_help_panel=_LOOK)
    ] = None,
    auto_exposure: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="How much the camera evens out its picture.", rich_help_panel=_LOOK),
    ] = None,
    flicker: Annotated[
        float | None, typer.Option(min=0, max=0.1, help="Of the lamp, as a share.", rich_help_panel=_LOOK)
    ] = None,
    any_arms: Annotated[
        bool | None, typer.Option("--any-arms/--known-arms", help="Arms from the seed.", rich_help_panel=_LOOK)
    ] = None,
    snr: Annotated[
        float | None, typer.Option(metavar="DB", help="Voices against the room.", rich_help_panel=_SOUND)
    ] = None,
    chatter: Annotated[
        float | None, typer.Option(min=0, help="Lines of other talk a minute.", rich_help_panel=_SOUND)
    ] = None,
    music: Annotated[
        float | None, typer.Option(min=0, max=4, help="Music against the room's noise.", rich_help_panel=_SOUND)
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the session.")] = "A drawn round",
    empty_table: Annotated[bool, typer.Option("--empty-table", help="The same sound over a bare table.")] = False,
    quality: Annotated[int, typer.Option(min=15, max=40, help="H.264 quantiser: smaller is better and larger.")] = 27,
    fast: Annotated[bool, typer.Option("--fast", help="Encode fast rather than small.")] = False,
) -> None:
    """Draw a film with sound and ground truth from a written game, or from one made up by chance."""
    from referee.synth.film_style import FilmStyle, hard_style

    if (game is None) == (random is None):
        raise InputFault("needs one game", mend="give a GAME.ugn, or --random with a number")
    size_px = _size(size)
    style = hard_style(seed, size_px) if hard else FilmStyle(size_px=size_px)
    wanted = {
        "faces": None if faces is None else _faces(faces),
        "surface": None if surface is None else _surface(surface),
        "elevation_deg": elevation,
        "azimuth_deg": azimuth,
        "bumps": bumps,
        "frame_rate_hz": rate,
        "any_arms": any_arms,
        "snr_db": snr,
        "chatter": chatter,
        "music": music,
    }
    sensor = {"noise": noise, "auto_exposure": auto_exposure, "flicker": flicker}
    style = replace(style, **_given(wanted), sensor=replace(style.sensor, **_given(sensor)))
    if manners is not None:
        style = replace(style, manners=_manners(manners))
    items, profile, profile_toml = _script(game, random, seats, fouls, hand, plays, rounds)
    _write(
        items,
        style,
        seed,
        profile,
        profile_toml,
        out,
        title,
        quality,
        _command(ctx),
        fast=fast,
        empty_table=empty_table,
    )


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _script(
    game: Path | None, random: int | None, seats: int, fouls: float, hand: int, plays: int, rounds: int
) -> tuple[tuple[Item, ...], Profile | None, str | None]:
    from referee.synth.film_random import random_script

    if game is not None:
        return _written(game)
    try:
        script = random_script(random or 0, seats, foul_rate=fouls, hand_size=hand, moves=(5, plays), rounds=rounds)
    except ValueError as fault:
        raise InputFault(str(fault), where="--plays, --hand") from fault
    return script.items, script.profile, script.profile_toml


def _written(game: Path) -> tuple[tuple[Item, ...], Profile | None, str | None]:
    """A game with its own profile file, named in its tags and lying beside it, if it has one."""
    from referee.rules.entries import Tag
    from referee.rules.profiles import load_profile
    from referee.synth.film_random import PROFILE_FILE

    items = _items(game)
    named = next((item.value for item in items if isinstance(item, Tag) and item.name == "Profile"), "")
    if not named.endswith(".toml"):
        return items, None, None
    path = game.parent / named
    profile = load_profile(path)
    if path.name != PROFILE_FILE:
        raise InputFault(f"the game's profile is called {path.name}", where=str(game), mend=f"call it {PROFILE_FILE}")
    return items, profile, path.read_text(encoding="utf-8")


def _write(
    items: tuple[Item, ...],
    style: FilmStyle,
    seed: int,
    profile: Profile | None,
    profile_toml: str | None,
    out: Path,
    title: str,
    quality: int,
    command: str,
    *,
    fast: bool,
    empty_table: bool,
) -> None:
    from referee.capture.media import MediaWriter
    from referee.rules.ugn import format_items
    from referee.synth.film import film as direct_film
    from referee.synth.film_folder import write_session

    try:
        made = direct_film(items, style, seed, profile=profile)
    except ValueError as fault:
        raise InputFault(str(fault), mend="a film needs another game or printing") from fault
    width, height = style.size_px

    def open_writer(path: Path) -> AbstractContextManager[FilmWriter]:
        return MediaWriter(
            path,
            width_px=width,
            height_px=height,
            frame_rate_hz=style.frame_rate_hz,
            video_crf=quality,
            video_preset="veryfast" if fast else "medium",
        )

    with progress() as bar:
        task = bar.add_task(f"drawing {made.duration_s:.0f} s of film", total=1.0)
        write_session(
            made,
            out,
            open_writer,
            format_items(made.truth()),
            title=title,
            command=command,
            profile_toml=profile_toml,
            empty_table=empty_table,
            progress=lambda share: bar.update(task, completed=share),
        )
    console().print(f"{out}: {made.duration_s:.0f} s of film with its truth")


def _command(ctx: typer.Context) -> str:
    """The command line that draws the film again: names without folders, options that were given."""
    import shlex

    words = ["referee", "synth", "film"]
    for parameter in ctx.command.params:
        value = ctx.params.get(parameter.name or "")
        if parameter.name == "game" and value is not None:
            words.append(Path(value).name)
        elif parameter.name == "out":
            words += ["--out", "DIR"]
        elif value is not None and value != parameter.default and parameter.name != "game":
            words += [parameter.opts[0]] if value is True else [parameter.opts[0], str(value)]
    return " ".join(shlex.quote(word) for word in words)


def _faces(text: str) -> str | int | Path:
    if text.isdigit():
        return int(text)
    return Path(text) if Path(text).is_dir() else text


def _surface(name: str) -> str:
    from referee.synth.surfaces import SURFACES

    if name not in SURFACES:
        raise InputFault(f"no table top is called {name!r}", mend=f"choose one of {', '.join(SURFACES)}")
    return name


def _manners(text: str) -> Manners:
    from referee.synth.film_manners import manners_of

    try:
        return manners_of(text)
    except ValueError as fault:
        raise InputFault(str(fault), where="--manners") from fault


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 160 <= int(height) <= int(width) <= 3840):
        raise InputFault(f"{text!r} is no size of a picture", where="--size", mend="write it as 960x720")
    return int(width) // 2 * 2, int(height) // 2 * 2


def _items(path: Path) -> tuple[Item, ...]:
    from referee.rules.ugn import read_items

    try:
        reading = read_items(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise InputFault("cannot be read as text", where=str(path), mend="give a .ugn file") from fault
    if reading.faults:
        first = reading.faults[0]
        raise InputFault(first.what, where=f"{path}:{first.line}", mend=first.mend)
    return reading.items

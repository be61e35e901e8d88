"""`referee doctor`: looks the table's equipment over, and says what to do about what is not well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from referee.cli.output import EXIT_BAD_INPUT, console, print_json

if TYPE_CHECKING:
    from referee.capture.camera import Camera
    from referee.capture.microphone import Microphone
    from referee.capture.monotonic import MonotonicClock
    from referee.session.doctor import Finding
    from referee.session.settings import Settings

_MARKS = {"well": "[green]well[/]", "note": "[yellow]look[/]", "bad": "[red bold]bad [/]"}


def doctor(
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings; else your own.")] = None,
    devices: Annotated[
        bool, typer.Option("--devices/--no-devices", help="Open camera and microphone for some seconds.")
    ] = True,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object a finding on stdout.")] = False,
) -> None:
    """Look over camera, light, microphone, models, disk, addresses, versions and the offline switches.

    Ends with status 2 when something must be put right before the game.
    """
    from referee.session.settings import load_settings

    settings = load_settings(config)
    bad = 0
    for finding in _findings(settings, devices=devices):
        bad += finding.state == "bad"
        if json_lines:
            print_json(finding.to_json())
            continue
        console().print(f"{_MARKS[finding.state]}  [bold]{finding.area}[/]  {escape(finding.says)}", soft_wrap=True)
        if finding.remedy:
            console().print(f"      {'':{len(finding.area)}}[italic]{escape(finding.remedy)}[/]", soft_wrap=True)
    if bad:
        raise typer.Exit(EXIT_BAD_INPUT)


def _findings(settings: Settings, *, devices: bool) -> Iterator[Finding]:
    from referee.capture.monotonic import MonotonicClock
    from referee.session import doctor as looks

    if devices:
        clock = MonotonicClock()
        yield from looks.camera_findings(lambda: _camera(settings, clock), clock, settings.camera.rate_hz)
        if settings.microphone.on:
            yield from looks.microphone_findings(lambda: _microphone(settings, clock), clock)
    yield from looks.speech_findings(settings)
    yield from looks.model_findings()
    yield from looks.disk_findings(settings)
    yield _address(settings)
    yield from looks.version_findings()
    yield from looks.offline_findings()


def _camera(settings: Settings, clock: MonotonicClock) -> Camera:
    from referee.capture.camera import Camera
    from referee.capture.opencv_camera import OpenCvDriver
    from referee.capture.video_devices import Wish

    wanted = settings.camera
    wish = Wish(wanted.width_px, wanted.height_px, wanted.rate_hz)
    return Camera(OpenCvDriver(), clock, wanted.name or None, path=wanted.path, wish=wish)


def _microphone(settings: Settings, clock: MonotonicClock) -> Microphone:
    from referee.capture.microphone import Microphone
    from referee.capture.portaudio import PortAudioDriver

    wanted = settings.microphone
    return Microphone(PortAudioDriver(), clock, wanted.name or None, host_api=wanted.host_api or None)


def _address(settings: Settings) -> Finding:
    from referee.faults import InputFault
    from referee.session.doctor import Finding
    from referee.web.server import bound, own_address

    lan, port = settings.pages.lan, settings.pages.port
    try:
        bound("0.0.0.0" if lan else "127.0.0.1", port).close()
    except InputFault:
        says = f"port {port} is taken: the pages will get another one"
        return Finding("pages", "note", says, "end the other referee, or set pages.port")
    where = "for phones in this network" if lan else "on this machine alone"
    return Finding("pages", "well", f"http://{own_address() if lan else '127.0.0.1'}:{port}, {where}")

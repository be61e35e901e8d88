"""`referee devices`: the cameras and microphones there are, by the names to call them by."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from referee.cli.output import console, print_json
from referee.faults import InputFault


def devices(
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object a device on stdout.")] = False,
) -> None:
    """List cameras and microphones by name. Having none is no fault: recordings are judged without any."""
    from referee.capture.camera_names import cameras
    from referee.capture.portaudio import PortAudioDriver

    seen = cameras()
    trouble = ""
    try:
        heard = PortAudioDriver().inputs()
    except InputFault as fault:
        heard, trouble = [], str(fault)
    if json_lines:
        for camera in seen:
            print_json({"type": "camera", "name": camera.name, "path": camera.path})
        for one in heard:
            print_json(
                {
                    "type": "microphone",
                    "name": one.name,
                    "host_api": one.host_api,
                    "channels": one.channels,
                    "rate_hz": one.rate_hz,
                    "default": one.is_default,
                }
            )
        if trouble:
            print_json({"type": "trouble", "what": trouble})
        return
    out = console()
    out.print("[bold]Cameras[/bold]" if seen else "[bold]Cameras[/bold]  none is connected")
    for camera in seen:
        out.print(f"  {escape(camera.name)}  [dim]{escape(camera.path)}[/dim]")
    out.print("[bold]Microphones[/bold]" if heard else f"[bold]Microphones[/bold]  {trouble or 'none is connected'}")
    for one in heard:
        mark = "  [green]the system's own choice[/green]" if one.is_default else ""
        out.print(
            f"  {escape(one.name)}  [dim]{escape(one.host_api)}, {one.channels} channel"
            f"{'' if one.channels == 1 else 's'}, {one.rate_hz} Hz[/dim]{mark}"
        )

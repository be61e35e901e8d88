"""`referee train detector|classifier`: make the card models again, or carry their training on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import console

app = typer.Typer(help="Train the card models on drawn cards (needs the extra 'train').", no_args_is_help=True)

Minutes = Annotated[float, typer.Option(min=0.05, help="Wall-clock minutes of training; drawing comes before.")]
Out = Annotated[Path, typer.Option(file_okay=False, help="Folder for drawn data, checkpoints and the record.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of all that is drawn and of the training.")]
Resume = Annotated[bool, typer.Option("--resume", help="Carry on from the weights in OUT instead of from nothing.")]


@app.command()
def detector(
    *,
    minutes: Minutes,
    out: Out,
    seed: Seed = 1,
    resume: Resume = False,
    scenes: Annotated[int, typer.Option(min=20, help="Scenes to draw for training.")] = 9000,
    workers: Annotated[int, typer.Option(min=1, help="Processes that draw.")] = 2,
) -> None:
    """Train the detector that finds cards and backs."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from referee.training.detector import DetectorRun, train_detector
    from referee.vision.yolo import TrainingStep

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(err=True)) as progress:
        drawing = progress.add_task("drawing scenes", total=None)
        training = progress.add_task("training", total=minutes, visible=False)

        def drawn(done: int, total: int) -> None:
            progress.update(drawing, advance=done, total=total)

        def step(now: TrainingStep) -> None:
            progress.update(drawing, visible=False)
            text = f"step {now.number}, loss {now.loss:.2f}"
            progress.update(training, completed=now.minutes, visible=True, description=text)
            if now.number % 100 == 0:
                progress.console.print(f"{now.minutes:7.1f} min  {text}")

        weights = train_detector(DetectorRun(minutes, out, seed, scenes, workers=workers, resume=resume), drawn, step)
    console().print(f"weights: {weights}")

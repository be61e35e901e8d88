"""`referee train detector|classifier|signs|hearing`: make the models again, or carry their training on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.output import console

if TYPE_CHECKING:
    from referee.vision.yolo import TrainingStep

app = typer.Typer(
    help="Train the models on drawn cards and spoken lines (needs the extra 'train').", no_args_is_help=True
)

Minutes = Annotated[float, typer.Option(min=0.05, help="Wall-clock minutes of training; drawing comes before.")]
Out = Annotated[Path, typer.Option(file_okay=False, help="Folder for drawn data, checkpoints and the record.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of all that is drawn and of the training.")]
Resume = Annotated[bool, typer.Option("--resume", help="Carry on from the weights in OUT instead of from nothing.")]
Workers = Annotated[int, typer.Option(min=1, help="Processes that draw.")]
Threads = Annotated[int, typer.Option(min=1, help="Processor threads that train.")]


@app.command()
def detector(
    *,
    minutes: Minutes,
    out: Out,
    seed: Seed = 1,
    resume: Resume = False,
    scenes: Annotated[int, typer.Option(min=20, help="Scenes to draw for training.")] = 9000,
    workers: Workers = 2,
    threads: Threads = 2,
) -> None:
    """Train the detector that finds cards and backs."""
    from referee.training.detector import DetectorRun, train_detector

    with _Bars("drawing scenes", minutes) as bars, _curves(out, bars, resume) as on_step:
        run = DetectorRun(minutes, out, seed, scenes, workers=workers, resume=resume, threads=threads)
        weights = train_detector(run, bars.drawn, on_step)
    console().print(f"weights: {weights}")


@app.command()
def classifier(
    *,
    minutes: Minutes,
    out: Out,
    seed: Seed = 1,
    resume: Resume = False,
    crops: Annotated[int, typer.Option(min=500, help="Crops to draw for training.")] = 40_000,
    workers: Workers = 2,
    threads: Threads = 2,
) -> None:
    """Train the classifier that names the face of a straightened card."""
    from referee.training.classifier import ClassifierRun, train_classifier

    with _Bars("drawing crops", minutes) as bars, _curves(out, bars, resume) as on_step:
        run = ClassifierRun(
            minutes, out, seed, crops=crops, workers=workers, threads=threads, resume=resume,
            validation_crops=max(200, min(4000, crops // 8)),
        )  # fmt: skip
        weights = train_classifier(run, bars.drawn, on_step)
    console().print(f"weights: {weights}")


@app.command()
def signs(
    *,
    minutes: Minutes,
    out: Out,
    seed: Seed = 1,
    resume: Resume = False,
    corners: Annotated[int, typer.Option(min=500, help="Corners of cards to draw for training.")] = 40_000,
    workers: Workers = 2,
    threads: Threads = 2,
    to: Annotated[
        Path | None, typer.Option(file_okay=False, help="Export it into this folder of models, manifest and all.")
    ] = None,
) -> None:
    """Train the classifier that reads the sign in a card's corner when others lie on the rest."""
    from referee.training.export import publish_signs
    from referee.training.sign_classifier import SignRun, train_signs

    with _Bars("drawing corners", minutes) as bars, _curves(out, bars, resume) as on_step:
        run = SignRun(
            minutes, out, seed, crops=corners, workers=workers, threads=threads, resume=resume,
            validation_crops=max(200, min(4000, corners // 8)),
        )  # fmt: skip
        weights = train_signs(run, bars.drawn, on_step)
    console().print(f"weights: {weights}")
    if to:
        made = publish_signs(out, to)
        console().print(f"{made.file}: OpenCV differs from torch by at most {made.largest_difference:.1e}")


@app.command()
def hearing(
    *,
    minutes: Minutes,
    out: Out,
    seed: Seed = 1,
    resume: Resume = False,
    windows: Annotated[int, typer.Option(min=200, help="Windows of sound to draw for training.")] = 40_000,
    threads: Annotated[int, typer.Option(min=1, help="Processor threads that train.")] = 1,
    to: Annotated[
        Path | None, typer.Option(file_okay=False, help="Export it into this folder of models, manifest and all.")
    ] = None,
) -> None:
    """Train the spotter that confirms calls and finds those that the speech model misses."""
    from referee.training.hearing import HearingRun, train_spotter
    from referee.training.hearing_export import publish_spotter

    run = HearingRun(minutes, out, seed, windows, max(100, min(4000, windows // 8)), resume, threads)
    with _Bars("speaking and drawing", minutes) as bars:
        weights = train_spotter(run, lambda _part, total: bars.drawn(1, total), bars.step)
    console().print(f"weights: {weights}")
    if to:
        console().print(f"exported: OpenCV differs from torch by at most {publish_spotter(out, to):.1e}")


@app.command()
def export(
    detector: Annotated[Path, typer.Option(file_okay=False, exists=True, help="Folder of a detector training.")],
    classifier: Annotated[Path, typer.Option(file_okay=False, exists=True, help="Folder of a classifier training.")],
    to: Annotated[Path, typer.Option(file_okay=False, help="Folder for the ONNX files and the manifest.")],
) -> None:
    """Export a trained pair as ONNX, check it in OpenCV against torch, and write the manifest."""
    from referee.training.export import publish

    for made in publish(detector, classifier, to):
        console().print(f"{made.file}: OpenCV differs from torch by at most {made.largest_difference:.1e}")


@contextmanager
def _curves(out: Path, bars: _Bars, resume: bool) -> Iterator[Callable[[TrainingStep], None]]:
    """Notes the steps in `out` while they are made, and draws them as a picture in the end."""
    from referee.training.curves import StepLog

    log = StepLog(out, bars.step, carried_on=resume)
    try:
        yield log.step
    finally:
        if picture := log.draw():
            bars.say(f"learning curves: {picture}")


class _Bars:
    """Two progress bars on stderr: what is drawn first, then the training."""

    def __init__(self, drawing: str, minutes: float) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=console(err=True))
        self._drawing = self._progress.add_task(drawing, total=None)
        self._training = self._progress.add_task("training", total=minutes, visible=False)

    def __enter__(self) -> _Bars:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def say(self, line: str) -> None:
        """Print a line above the bars."""
        self._progress.console.print(line, markup=False, soft_wrap=True)

    def drawn(self, done: int, total: int) -> None:
        """Move the drawing bar by what has just been drawn."""
        self._progress.update(self._drawing, advance=done, total=total)

    def step(self, now: TrainingStep) -> None:
        """Move the training bar; every hundred steps leave a line, for logs."""
        self._progress.update(self._drawing, visible=False)
        text = f"step {now.number}, loss {now.loss:.2f}"
        self._progress.update(self._training, completed=now.minutes, visible=True, description=text)
        if now.number % 100 == 0:
            self._progress.console.print(f"{now.minutes:7.1f} min  {text}")

"""Trains the call spotter on drawn windows of voices, and calibrates it on voices that it never heard."""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from referee.hearing.features import FRAMES
from referee.training.call_clips import FAMILY_CAST, TRAINING_CAST, UNSEEN_CAST, clips_of
from referee.training.call_mixing import levelled, varied
from referee.training.call_network import CallNetwork
from referee.training.call_windows import LABELS, SLACK_FRAMES, WindowDrawer, WindowSet
from referee.training.two_heads import follow
from referee.vision.yolo import TrainingStep, rate_share

WINDOWS = 40_000
FULL_CAST = 10_000
"""With fewer windows than this the voices say less, too."""
UNSEEN_WINDOWS = 4_000
BATCH = 128
RATE = 3e-3
LATER_RATE = 2e-3
"""Highest learning rate from nothing, and when carrying on."""
WEIGHTS = "spotter.pt"
KEEP_EVERY_S = 120.0


@dataclass(frozen=True, slots=True)
class HearingRun:
    """One training of the spotter: wall-clock minutes (speaking and drawing not counted), folder, seed, windows."""

    minutes: float
    out: Path
    seed: int
    windows: int = WINDOWS
    unseen_windows: int = UNSEEN_WINDOWS
    resume: bool = False
    threads: int = 1


def train_spotter(
    run: HearingRun, on_drawn: Callable[[str, int], None], on_step: Callable[[TrainingStep], None]
) -> Path:
    """Speak and draw what is missing, train, and return the weights `out/spotter.pt`.

    Windows that earlier stretches drew into the same folder are learnt again. `out/run.json` keeps what was done, the
    temperature, and the figures on windows of voices that training never heard.
    """
    run.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(run.threads)
    torch.manual_seed(run.seed)
    network = CallNetwork(len(LABELS))
    weights = run.out / WEIGHTS
    resumed = run.resume and weights.exists()
    if resumed:
        network.load_state_dict(torch.load(weights, weights_only=True))
        _draw_mistaken(run, network, on_drawn)
    train, unseen = drawn_sets(run, on_drawn)
    averaged, steps = _train(network, train, run, on_step, LATER_RATE if resumed else RATE)
    torch.save(averaged.state_dict(), weights)
    record = run.out / "run.json"
    earlier = json.loads(record.read_text(encoding="utf-8"))["stretches"] if resumed and record.exists() else []
    stretch = {
        "minutes": round(run.minutes, 2),
        "iterations": steps,
        "batch": BATCH,
        "seed": run.seed,
        "windows": len(train.labels),
    }
    facts = {"kind": "call_spotter", "stretches": [*earlier, stretch], "figures": measure(averaged, unseen)}
    record.write_text(json.dumps(facts, indent=1), encoding="utf-8")
    return weights


def drawn_sets(run: HearingRun, on_drawn: Callable[[str, int], None]) -> tuple[WindowSet, WindowSet]:
    """The windows of a run for training and for measuring, read from its folder or drawn and kept there."""
    clips = run.out / "clips"
    unheard = (*UNSEEN_CAST, *FAMILY_CAST)
    for part, casts, count in (("train", TRAINING_CAST, run.windows), ("unseen", unheard, run.unseen_windows)):
        path = run.out / f"{part}-{run.seed}.npz"
        if not path.exists():
            # The voices speak once; every seed mixes what they said anew.
            said = clips_of(clips, casts, 1, on_drawn, min(1.0, run.windows / FULL_CAST))
            drawer = WindowDrawer(said, run.seed, noise_minutes=min(8.0, run.windows / 2000))
            drawer.draw(count, partial(on_drawn, part, count)).save(path)
    train = WindowSet.joined([WindowSet.load(path) for path in sorted(run.out.glob("train-*.npz"))])
    return train, WindowSet.load(run.out / f"unseen-{run.seed}.npz")


def _draw_mistaken(run: HearingRun, network: CallNetwork, on_drawn: Callable[[str, int], None]) -> None:
    """Windows without a call that the network takes for one: carrying on begins with its own mistakes."""
    path = run.out / f"train-mistaken-{run.seed}.npz"
    if path.exists():
        return
    said = clips_of(run.out / "clips", TRAINING_CAST, 1, on_drawn, min(1.0, run.windows / FULL_CAST))
    drawer = WindowDrawer(said, run.seed + 1000, noise_minutes=min(8.0, run.windows / 2000))
    count = max(run.windows // 2, 64)
    drawn = drawer.draw(count, partial(on_drawn, "mistaken", count), calls=0.0)
    shares = logits_of(network, drawn).softmax(1)[:, 0].numpy()
    # Never none at all: the surest are kept even if the network makes no mistake.
    worst = np.argsort(shares)[: max(int((shares < 0.5).sum()), 8)]
    WindowSet(drawn.pictures[worst], drawn.labels[worst], drawn.snr_db[worst]).save(path)


def _train(
    network: CallNetwork, train: WindowSet, run: HearingRun, on_step: Callable[[TrainingStep], None], rate: float
) -> tuple[CallNetwork, int]:
    rng = np.random.default_rng(run.seed)
    optimiser = torch.optim.AdamW(network.parameters(), rate, weight_decay=0.02)
    network = network.to(memory_format=torch.channels_last)  # a fifth quicker
    averaged = copy.deepcopy(network).eval()
    start, number = time.monotonic(), 0
    kept = start
    order = rng.permutation(len(train.labels))
    silent = np.flatnonzero(train.labels == 0)
    network.train()
    while (gone := (time.monotonic() - start) / (run.minutes * 60)) < 1:
        if len(order) < BATCH:
            order = rng.permutation(len(train.labels))
        pick, order = order[:BATCH], order[BATCH:]
        for group in optimiser.param_groups:
            group["lr"] = rate * rate_share(gone)
        noises = train.pictures[rng.choice(silent, len(pick))]
        windows = varied(torch.from_numpy(train.pictures[pick]), torch.from_numpy(noises))
        # Half precision is a third quicker on processors that have it, and the same on others.
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = network(windows)
        loss = functional.cross_entropy(logits.float(), torch.from_numpy(train.labels[pick]), label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        number += 1
        follow(averaged, network, min(0.998, number / (number + 20)))
        if time.monotonic() - kept > KEEP_EVERY_S:
            # A training that is stopped can be carried on from here.
            kept = time.monotonic()
            torch.save(averaged.state_dict(), run.out / WEIGHTS)
        on_step(TrainingStep(number, gone * run.minutes, optimiser.param_groups[0]["lr"], float(loss.detach())))
    return averaged, number


@torch.no_grad()
def logits_of(network: CallNetwork, windows: WindowSet, first: int = SLACK_FRAMES // 2) -> Tensor:
    """Logits (n, classes) of all windows cut from frame `first`."""
    network.eval()
    parts = [
        network(levelled(torch.from_numpy(windows.pictures[at : at + 256, first : first + FRAMES]).float()))
        for at in range(0, len(windows.labels), 256)
    ]
    return torch.cat(parts)


def fitted_temperature(logits: Tensor, labels: Tensor) -> float:
    """The temperature under which the labels are most likely."""
    candidates = [math.exp(x) for x in np.linspace(math.log(0.4), math.log(4.0), 70)]
    return min(candidates, key=lambda heat: float(functional.cross_entropy(logits / heat, labels)))


def measure(network: CallNetwork, unseen: WindowSet) -> dict[str, float]:
    """Figures on voices never heard: the temperature fitted on one half, the rest measured on the other.

    uno_found_*: share of "uno" at or above 0.5, with noise more or less than 10 dB below the voice; false_uno: share
    of the windows without it that reach 0.5 (every third of them holds a word that sounds like it).
    """
    logits, labels = logits_of(network, unseen), torch.from_numpy(unseen.labels)
    half = len(labels) // 2
    heat = fitted_temperature(logits[:half], labels[:half])
    shares, truth = (logits[half:] / heat).softmax(1), labels[half:]
    snr_db = torch.from_numpy(unseen.snr_db[half:])
    uno, other = truth == 1, truth != 1
    calls = truth > 1
    found = shares[:, 1] >= 0.5
    right = shares.argmax(1) == truth
    sure = shares.max(1).values >= 0.9
    figures = {
        "temperature": heat,
        "windows": float(len(truth)),
        "uno_found_quiet": float(found[uno & (snr_db >= 10)].float().mean()),
        "uno_found_noisy": float(found[uno & (snr_db < 10)].float().mean()),
        "false_uno": float(found[other].float().mean()),
        "other_calls_right": float(right[calls].float().mean()),
        "none_kept": float(right[truth == 0].float().mean()),
        "share_above_0.9": float(sure.float().mean()),
        "right_above_0.9": float(right[sure].float().mean()),
    }
    return {name: round(value, 4) for name, value in figures.items()}

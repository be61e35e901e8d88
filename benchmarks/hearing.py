"""How well calls are heard: `python benchmarks/hearing.py [FOLDER] [--prompts DIR] [--only TABLE …] [--every N]`.

FOLDER holds `sound.tsv` and the recordings it names; they are for measuring only and lie beside a checkout
(../shared/real), not in it. --prompts: where Debian's asterisk-core-sounds-{en,es,it}-wav and asterisk-prompt-es-co
are (human voices, CC BY-SA; measuring only). Synthetic words are spoken by voices that training never heard.
Calls are matched by time. Every figure says what it rests on: synthetic = voices that training never heard, of
synthesisers that it knows by others; family = a synthesiser none of whose voices it heard; speaker = new speakers of
the one of which it heard the most; human = recorded people; the mixing with noise is always digital. CPU figures are
processor time, not wall-clock time.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from hearing_ears import Ear, Remembering, acted_on, near, share
from hearing_peer import Sphinx
from hearing_sounds import (
    LEVEL,
    RATE_HZ,
    Marked,
    Sound,
    Word,
    bed,
    in_line,
    int16,
    load,
    new_speakers,
    prompt_words,
    recorded_words,
    unseen_family,
    unseen_words,
)
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from referee.faults import InputFault
from referee.hearing.model_folder import model_of
from referee.hearing.phrases import PhrasePack, load_pack
from referee.hearing.recogniser import Recogniser
from referee.hearing.spotter import CallSpotter
from referee.hearing.vosk_recogniser import VoskRecogniser
from referee.observations import CallHeard
from referee.synth.rooms import mix_room
from referee.synth.speech import CALL_LINES, CHATTER, speak
from referee.synth.voices import SPEAKERS

REAL = Path(__file__).resolve().parents[2] / "shared" / "real"
PROMPTS = Path("/usr/share/asterisk/sounds")
TABLES = ("noise", "sentence", "false", "near", "calls", "window", "lines", "long")
WANTED = {
    "none": (0.97, 0.9), "babble 10": (0.93, 0.8), "pink 10": (0.85, 0.6), "talker 10": (0.75, 0.7),
}  # fmt: skip


@dataclass
class Bench:
    """The ears that are compared, the sounds, and the place to print to."""

    vosk: Ear
    both: Ear
    sphinx: Sphinx | None
    sounds: Path | None
    spoken: dict[str, list[Word]]
    human: list[Word]
    spanish: list[Word]
    english: list[Word]
    recorded: list[Word]
    out: Console

    def ears(self) -> list[tuple[str, Callable[[Sound], list[CallHeard]]]]:
        """The ears by name, each giving the calls of a sound."""
        found: list[tuple[str, Callable[[Sound], list[CallHeard]]]] = [
            ("Vosk", self.vosk.sure),
            ("with spotter", self.both.sure),
        ]
        return [*found, ("pocketsphinx", self.sphinx.hear)] if self.sphinx else found

    def named(self, kind: str, made: str = "") -> list[Word]:
        """The synthetic words of one kind, of all voices or of those `made` so."""
        return [word for name in ([made] if made else self.spoken) for word in self.spoken[name] if word.kind == kind]

    def noise(self, noise: str, count: int, snr_db: float) -> NDArray[np.float64]:
        """So much of a noise below words; hiss where there are no recordings."""
        return bed(self.sounds or Path(), noise if self.sounds else "none", count) * LEVEL * 10 ** (-snr_db / 20)


def noise_table(b: Bench) -> Table:
    """ "uno" by itself in noise, and the same noise with the word muted."""
    words = {**{made: b.named("uno", made) for made in b.spoken}, "human": b.human}
    words = {made: some for made, some in words.items() if some}
    table = Table(title='"uno" found, and how often the same noise fires with the word muted')
    for name in (
        "noise, ear",
        *(f"{made} ({len(some)})" for made, some in words.items()),
        "muted, a minute",
        "wanted",
    ):
        table.add_column(name)
    noises = [("none", 60), ("babble", 20), ("babble", 10), ("babble", 5), ("pink", 10), ("talker", 10)]
    for noise, snr_db in noises if b.sounds else noises[:1]:
        lines = {made: in_line(some) for made, some in words.items()}
        beds = {made: b.noise(noise, len(clean), snr_db) for made, (clean, _) in lines.items()}
        quiet = int16(np.concatenate(list(beds.values())))
        wanted = WANTED.get(noise if noise == "none" else f"{noise} {snr_db}")
        for name, hear in b.ears():
            cells = [f"{noise} {snr_db} dB, {name}"]
            for made, (clean, marks) in lines.items():
                calls = hear(int16(clean + beds[made]))
                cells.append(share([near(calls, "uno", mark) for mark in marks]))
            fires = sum(call.call == "uno" for call in hear(quiet))
            cells.append(f"{fires} ({fires / (len(quiet) / RATE_HZ / 60):.2f})")
            table.add_row(*cells, f"≥ {wanted[0]}, human {wanted[1]}" if wanted else "")
    return table


def sentence_table(b: Bench) -> Table:
    """ "uno" at the end of a sentence."""
    table = Table(title='"uno" inside a sentence (quiet room): found, wanted ≥ 0.9')
    _by_voices(b, table, "in_sentence", lambda calls, mark: [near(calls, "uno", mark)])
    return table


def near_table(b: Bench) -> Table:
    """Minimal pairs taken for "uno"."""
    table = Table(title='Minimal pairs and near words taken for "uno" / for any call, wanted ≤ 5 %')

    def taken(calls: Sequence[CallHeard], mark: Marked) -> list[bool]:
        return [near(calls, "uno", mark), any(near([call], call.call, mark) for call in calls)]

    _by_voices(b, table, "near", taken)
    return table


def _by_voices(b: Bench, table: Table, kind: str, tell: Callable[[Sequence[CallHeard], Marked], list[bool]]) -> None:
    """A row for each sort of voices: the shares of what is told of each of their words in a quiet room."""
    for name in ("voices", *(name for name, _ in b.ears())):
        table.add_column(name)
    for made in b.spoken:
        if not (words := b.named(kind, made)):
            continue
        clean, marks = in_line(words)
        sound = int16(clean + bed(Path(), "none", len(clean)) * LEVEL * 10 ** (-40 / 20))
        cells = [f"{made} ({len(words)})"]
        for _, hear in b.ears():
            calls = hear(sound)
            cells.append(" / ".join(map(share, zip(*(tell(calls, mark) for mark in marks), strict=True))))
        table.add_row(*cells)


def false_table(b: Bench) -> Table:
    """Calls that nobody made, a minute."""
    table = Table(title='False "uno" a minute / other false calls a minute (wanted ≤ 0.1 "uno")')
    for name in ("sound", "minutes", *(name for name, _ in b.ears())):
        table.add_column(name)
    talk = [word for word in b.recorded if word.kind == "read speech"]
    digits = [word for word in b.recorded if word.kind in ("digits, Spanish", '"one"')]
    sets: list[tuple[str, Sound]] = [
        (name, int16(in_line(words, 0.6)[0]))
        for name, words in (
            ("read speech, human", talk),
            ("Spanish prompts, human", b.spanish),
            ("English prompts, human", b.english),
            ('Spanish digits but 1, "one", human', digits),
            ("table talk, syn", b.named("talk") + b.named("nonsense")),
        )
        if words
    ]
    if b.sounds:
        sets += [(name, load(b.sounds / f"noise-{name}.wav")) for name in ("babble", "music", "pink")]
    for name, sound in sets:
        minutes = len(sound) / RATE_HZ / 60
        cells = [name, f"{minutes:.1f}"]
        for _, hear in b.ears():
            counts = Counter(call.call for call in hear(sound))
            unos = counts.pop("uno", 0)
            others = ", ".join(f"{number} {call}" for call, number in counts.items())
            cells.append(f"{unos / minutes:.2f} / {sum(counts.values()) / minutes:.2f} {others and f'({others})'}")
        table.add_row(*cells)
    return table


def calls_table(b: Bench) -> Table:
    """Challenge, catch and colours: found, or taken for another call."""
    every = (*(word for words in b.spoken.values() for word in words), *b.recorded)
    words = [word for word in every if word.call not in ("", "uno")]
    clean, marks = in_line(words)
    sound = int16(clean + b.noise("babble", len(clean), 20))
    table = Table(
        title="Challenge, catch, colours (syn and human, babble 20 dB): found / confused, wanted ≥ 0.9 / ≤ 0.02"
    )
    for name in ("call", "words", "Vosk", "with spotter"):
        table.add_column(name)
    heard = [ear.sure(sound) for ear in (b.vosk, b.both)]
    for call in sorted({word.call for word in words}):
        mine = [mark for mark in marks if mark.word.call == call]
        cells = [call, str(len(mine))]
        for calls in heard:
            found = [near(calls, call, mark) for mark in mine]
            other = [any(near([c], c.call, mark) for c in calls if c.call != call) for mark in mine]
            cells.append(f"{share(found)} / {share(other)}")
        table.add_row(*cells)
    return table


def window_table(b: Bench) -> Table:
    """A player calls in an open window and is caught: how often would they be accused.

    Only one who was heard neither for certain, nor likely, nor perhaps, while nothing else was said either, is.
    """
    words = [*b.named("uno"), *b.human]
    clean, marks = in_line(words)
    table = Table(title="In an UNO window: honest callers not even heard as a doubt, wanted ≤ 0.005 (babble 10 dB)")
    made = list(dict.fromkeys(word.made for word in words))
    table.add_column("noise, ear")
    for name in made:
        table.add_column(f"{name} ({sum(word.made == name for word in words)}): accused")
        table.add_column("believed")
    table.add_column("doubts a minute, nothing said")
    for noise, snr_db in [("none", 60), ("babble", 10)] if b.sounds else [("none", 60)]:
        quiet = b.noise(noise, len(clean), snr_db)
        for ear_name, ear in (("Vosk", b.vosk), ("with spotter", b.both)):
            calls = [call for call in ear.hear(int16(clean + quiet)) if call.phase == "confirmed"]
            likely = [call for call in calls if call.certainty == "likely" and call.channel != "noisy"]
            believed = [*acted_on(calls), *likely]
            cells = [f"{noise} {snr_db} dB, {ear_name}"]
            for name in made:
                mine = [mark for mark in marks if mark.word.made == name]
                cells.append(share([not near(calls, "uno", mark) for mark in mine]))
                cells.append(share([near(believed, "uno", mark) for mark in mine]))
            alone = [call for call in ear.hear(int16(quiet)) if call.call == "uno"]
            table.add_row(*cells, f"{len(alone) / (len(quiet) / RATE_HZ / 60):.2f}")
    return table


def lines_table(b: Bench) -> Table:
    """The lines of drawn films in a drawn room: voices that the spotter knows."""
    levels = (25, 15)
    table = Table(
        title=f"Lines of drawn films (syn, voices known to the spotter): found of {len(SPEAKERS)} / other calls"
    )
    for name in ("call", "line", *(f"{name} {level} dB" for level in levels for name in ("Vosk", "with spotter"))):
        table.add_column(name)
    said = [(call, variant, line.meaning) for call, lines in CALL_LINES.items() for variant, line in enumerate(lines)]
    for call, variant, meaning in said:
        words = [Word(speak(call, name, variant=variant), call, call, "synthetic") for name in SPEAKERS]
        table.add_row(call, meaning, *_in_rooms(b, words, levels, variant))
    chatter = [
        Word(speak(line.text, name, language=line.language), "", "", "synthetic")
        for line in CHATTER
        for name in SPEAKERS
    ]
    table.add_row("none", f"chatter, {len(chatter)} sentences", *_in_rooms(b, chatter, levels, 0))
    return table


def _in_rooms(b: Bench, words: Sequence[Word], levels: Sequence[int], seed: int) -> list[str]:
    _, marks = in_line(words)
    placed = [(mark.start_s, mark.word.samples) for mark in marks]
    cells = []
    for level in levels:
        room = mix_room(placed, marks[-1].end_s + 1.5, seed=seed, snr_db=level)
        for ear in (b.vosk, b.both):
            calls = ear.sure(room)
            others = Counter(call.call for call in calls if call.call != words[0].call)
            named = ", ".join(f"{number} {name}" for name, number in others.items()) or "none"
            found = f"{sum(near(calls, words[0].call, mark) for mark in marks)} / " if words[0].call else ""
            cells.append(found + named)
    return cells


def delay_lines(b: Bench) -> list[str]:
    """From the end of a word to the call, in stream time; what the listening costs."""
    words = [*b.named("uno"), *b.human, *b.named("green"), *b.named("blue")]
    clean, marks = in_line(words)
    ear = Ear(b.both.recogniser, b.both.pack, b.both.spotter, partials=True)
    calls = ear.hear(int16(clean + bed(Path(), "none", len(clean)) * LEVEL * 10 ** (-30 / 20)))
    lines = []
    for phase in ("provisional", "confirmed"):
        delays = sorted(
            min(c.seen_s for c in mine) - mark.end_s
            for mark in marks
            if (mine := [c for c in calls if c.phase == phase and near([c], mark.word.call, mark)])
        ) or [float("nan")]
        lines.append(
            f"from the end of the word to the {phase} call (syn and human, stream time): "
            f"median {statistics.median(delays):.2f} s, 95th percentile {delays[int(0.95 * (len(delays) - 1))]:.2f}"
            f" s, {len(delays)} of {len(marks)} (wanted ≤ 0.4, ≤ 0.8)"
        )
    withdrawn = sum(call.phase == "withdrawn" for call in calls)
    return [*lines, f"provisional calls withdrawn: {withdrawn}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=REAL)
    parser.add_argument("--prompts", type=Path, default=PROMPTS)
    parser.add_argument(
        "--voices", type=Path, help="folder that keeps the synthetic words (default: the user's cache)"
    )
    parser.add_argument("--only", nargs="+", choices=(*TABLES, "delay"))
    parser.add_argument("--every", type=int, default=1, help="measure on every N-th word or prompt")
    parser.add_argument("--minutes", type=float, default=20, help="sound of the table `long`")
    parser.add_argument("--line-every", type=float, default=4, help="seconds between lines of the table `long`")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--manifest", type=Path, help="manifest of another spotter")
    parser.add_argument(
        "--remember", type=Path, help="file that keeps what Vosk heard, for measuring another spotter"
    )
    parser.add_argument("--without-spotter", action="store_true")
    arguments = parser.parse_args()
    out = Console(width=160)
    pack = load_pack("stand-in")
    try:
        vosk = VoskRecogniser(model_of(pack, arguments.model))
        spotter = None if arguments.without_spotter else CallSpotter(arguments.manifest)
    except InputFault as fault:
        out.print(f"skipped: {fault}")
        return
    bench = _bench(arguments, Remembering(vosk, arguments.remember), pack, spotter, out)
    wanted = arguments.only or (*TABLES[:-1], "delay")
    tables: dict[str, Callable[[Bench], Table]] = {
        "noise": noise_table, "sentence": sentence_table, "false": false_table, "near": near_table,
        "calls": calls_table, "window": window_table, "lines": lines_table,
    }  # fmt: skip
    for name in wanted:
        if name in tables:
            out.print(tables[name](bench))
    if "delay" in wanted:
        out.print(*delay_lines(bench), sep="\n", highlight=False)
    if "long" in wanted:
        from hearing_long import long_lines

        out.print(
            *long_lines(vosk, pack, spotter, arguments.minutes, arguments.line_every), sep="\n", highlight=False
        )


def _bench(
    arguments: argparse.Namespace, recogniser: Recogniser, pack: PhrasePack, spotter: CallSpotter | None, out: Console
) -> Bench:
    listed, every = arguments.folder / "sound.tsv", arguments.every
    if not listed.exists():
        out.print(f"real sounds skipped: {listed} is not there")
    recorded = recorded_words(listed) if listed.exists() else []
    if not arguments.prompts.is_dir():
        out.print(f"prompts skipped: {arguments.prompts} is not there (Debian: asterisk-core-sounds-es-wav …)")
    unos, spanish, english = prompt_words(arguments.prompts, every) if arguments.prompts.is_dir() else ([], [], [])
    spoken: dict[str, list[Word]] = {}
    try:
        for made, some in (("synthetic", unseen_words), ("family", unseen_family), ("speaker", new_speakers)):
            spoken[made] = some(arguments.voices, every)
    except InputFault as fault:
        out.print(f"synthetic words skipped: {fault}")
    return Bench(
        vosk=Ear(recogniser, pack),
        both=Ear(recogniser, pack, spotter),
        sphinx=Sphinx() if Sphinx.installed() else None,
        sounds=listed.parent / "sound" if listed.exists() else None,
        spoken=spoken,
        human=[*(word for word in recorded if word.call == "uno"), *unos],
        spanish=spanish,
        english=english,
        recorded=recorded,
        out=out,
    )


if __name__ == "__main__":
    main()

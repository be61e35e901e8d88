"""V6: is a folder a speech model? What is missing is said before Vosk is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.hearing.model_folder import checked_model_folder, model_of, packaged_model_folder
from referee.hearing.phrases import PhrasePack

NESTED = ("am/final.mdl", "conf/mfcc.conf", "graph/Gr.fst", "graph/HCLr.fst", "graph/disambig_tid.int")
FLAT = ("final.mdl", "mfcc.conf", "Gr.fst", "HCLr.fst", "disambig_tid.int")
IVECTOR = ("final.dubm", "final.ie", "final.mat", "global_cmvn.stats", "online_cmvn.conf", "splice.conf")


def model(folder: Path, files: tuple[str, ...] = NESTED) -> Path:
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x")
    return folder


@pytest.mark.parametrize("files", [NESTED, FLAT, (*NESTED, *(f"ivector/{n}" for n in IVECTOR))])
def test_both_layouts_of_small_models_pass(tmp_path: Path, files: tuple[str, ...]) -> None:
    assert checked_model_folder(model(tmp_path / "m", files)) == tmp_path / "m"


def test_v6_a_path_with_other_letters_passes(tmp_path: Path) -> None:
    folder = model(tmp_path / "mudéjar 모델")
    assert checked_model_folder(folder) == folder


@pytest.mark.parametrize("missing", [*NESTED, "ivector/final.ie"])
def test_v6_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    folder = model(tmp_path / "m", (*NESTED, *(f"ivector/{n}" for n in IVECTOR)))
    (folder / missing).unlink()
    with pytest.raises(InputFault, match=f"incomplete: {missing} missing or empty"):
        checked_model_folder(folder)


def test_an_empty_file_counts_as_missing(tmp_path: Path) -> None:
    folder = model(tmp_path / "m")
    (folder / "graph/Gr.fst").write_bytes(b"")
    with pytest.raises(InputFault, match=r"graph/Gr\.fst missing or empty"):
        checked_model_folder(folder)


def test_v6_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="no such speech model folder"):
        checked_model_folder(tmp_path / "nowhere")


def test_v6_an_archive_that_was_not_unpacked(tmp_path: Path) -> None:
    archive = tmp_path / "vosk-model-small-en-us-0.15.zip"
    archive.write_bytes(b"PK")
    with pytest.raises(InputFault, match="unpack it and give the folder"):
        checked_model_folder(archive)


def test_v6_a_folder_around_the_model_points_to_it(tmp_path: Path) -> None:
    model(tmp_path / "vosk-model-small-es-0.42")
    with pytest.raises(InputFault, match=r"give .*vosk-model-small-es-0\.42"):
        checked_model_folder(tmp_path)


def test_v6_some_other_folder(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(InputFault, match=r"holds no speech model .*am/, conf/ and graph/"):
        checked_model_folder(tmp_path)


@pytest.mark.parametrize(("files", "fixed"), [(NESTED, "graph/HCLG.fst"), (FLAT, "HCLG.fst")])
def test_a_large_model_cannot_be_closed(tmp_path: Path, files: tuple[str, ...], fixed: str) -> None:
    """Vosk ignores the grammar of a fixed graph: it would hear everything, and no call."""
    folder = model(tmp_path / "m", (*files, fixed))
    with pytest.raises(InputFault, match="fixed graph"):
        checked_model_folder(folder)


def pack(package: str = "", name: str = "") -> PhrasePack:
    return PhrasePack("x", (), "x.toml", model_package=package, model_name=name)


@pytest.mark.parametrize(
    ("lacking", "remedy"),
    [
        (pack(package="no_such_package_of_models"), "install the package no_such_package_of_models"),
        (pack(name="vosk-model-small-xx"), "fetch it once: referee models get vosk-model-small-xx"),
        (pack(), "no official model is known"),
    ],
)
def test_no_model_installed_gives_the_remedy(lacking: PhrasePack, remedy: str) -> None:
    with pytest.raises(InputFault, match=remedy):
        model_of(lacking)


def test_a_fetched_model_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SPEECH_MODELS", str(tmp_path))
    folder = model(tmp_path / "vosk-model-small-xx")
    (tmp_path / "vosk-model-small-yy.unpacking").mkdir()
    assert model_of(pack(name="vosk-model-small-xx")) == folder
    assert model_of(pack(), Path("vosk-model-small-xx")) == folder
    with pytest.raises(InputFault):
        model_of(pack(name="vosk-model-small-yy.unpacking"))


def test_v6_letters_that_vosk_cannot_open_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = model(tmp_path / "modèle")
    monkeypatch.setattr("referee.hearing.model_folder.os.name", "nt")
    with pytest.raises(InputFault, match="move the model to a plain path"):
        checked_model_folder(folder)


def test_a_given_folder_comes_first(tmp_path: Path) -> None:
    assert model_of(pack(package="no_such_package_of_models"), tmp_path) == tmp_path


def test_a_packaged_model_is_found_without_importing_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "some_speech_model"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert packaged_model_folder("some_speech_model") == package / "model"
    assert model_of(pack(package="some_speech_model")) == package / "model"

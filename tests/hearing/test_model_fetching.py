"""A model is fetched once, goes on where it stopped, and never half there: from a server on loopback."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import zipfile
from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.faults import InputFault
from referee.hearing import model_fetching
from referee.hearing.model_catalogue import SpeechModel
from referee.hearing.model_fetching import fetch
from referee.hearing.model_folder import checked_model_folder
from tests.hearing.model_server import NAME, Served, archive, serving

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(Served(archive())) as one:
        yield one


def model_at(url: str, sha256: str = "") -> SpeechModel:
    return SpeechModel(NAME, ("xx",), "a model", "Apache-2.0", 200_000, url=url, sha256=sha256)


def test_a_model_is_fetched_verified_and_unpacked(served: Served, tmp_path: Path) -> None:
    sha256 = hashlib.sha256(served.content).hexdigest()
    steps: list[tuple[int, int]] = []
    done = fetch(model_at(served.url, sha256), tmp_path / "store", lambda *step: steps.append(step))
    assert checked_model_folder(done.folder) == tmp_path / "store" / NAME
    assert (done.sha256, done.expected, done.size_bytes) == (sha256, True, len(served.content))
    assert steps[0] == (0, len(served.content))
    assert steps[-1] == (len(served.content), len(served.content))
    assert os.listdir(tmp_path / "store") == [NAME]  # nothing else is left


def test_an_unknown_hash_is_told(served: Served, tmp_path: Path) -> None:
    done = fetch(model_at(served.url), tmp_path)
    assert not done.expected
    assert done.sha256 == hashlib.sha256(served.content).hexdigest()


def test_a_broken_connection_goes_on_where_it_stopped(served: Served, tmp_path: Path) -> None:
    served.cut = 90_000
    for _ in range(2):
        with pytest.raises(InputFault, match=r"broke after 0\.[0-9] MB.*run it again: it goes on from there"):
            fetch(model_at(served.url), tmp_path)
    served.cut = None
    done = fetch(model_at(served.url, hashlib.sha256(served.content).hexdigest()), tmp_path)
    assert served.asked == ["", "bytes=90000-", "bytes=180000-"]
    assert checked_model_folder(done.folder)


@pytest.mark.parametrize(("ranges", "tag"), [(False, '"1"'), (True, '"2"')])
def test_what_cannot_be_continued_comes_anew(served: Served, tmp_path: Path, ranges: bool, tag: str) -> None:
    """A server without ranges, or another file there by now."""
    served.cut = 90_000
    with pytest.raises(InputFault):
        fetch(model_at(served.url), tmp_path)
    served.cut, served.ranges, served.tag = None, ranges, tag
    served.content = archive(extra={f"{NAME}/README": b"new"})
    assert (fetch(model_at(served.url), tmp_path).folder / "README").read_text() == "new"


def test_everything_here_already_is_unpacked(served: Served, tmp_path: Path) -> None:
    """Ended after the last byte and before unpacking."""
    (tmp_path / f"{NAME}.zip.part").write_bytes(served.content)
    assert fetch(model_at(served.url), tmp_path).folder.is_dir()


def test_another_archive_than_the_known_one_is_thrown_away(served: Served, tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"another archive came than the known one \(sha256 "):
        fetch(model_at(served.url, "0" * 64), tmp_path)
    assert not list(tmp_path.glob("*.part"))
    assert not (tmp_path / NAME).exists()


@pytest.mark.parametrize("status", [404, 500])
def test_a_server_that_refuses_is_one_line(served: Served, tmp_path: Path, status: int) -> None:
    served.status = status
    with pytest.raises(InputFault, match=f"the server answers {status}") as fault:
        fetch(model_at(served.url), tmp_path)
    assert "\n" not in str(fault.value)


def test_no_network_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"cannot be reached: .*check the network"):
        fetch(model_at("http://127.0.0.1:9/model.zip"), tmp_path)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y.zip", "x.zip"])
def test_only_the_web_is_asked(tmp_path: Path, url: str) -> None:
    with pytest.raises(InputFault, match="is no web address"):
        fetch(model_at(url), tmp_path)


def test_a_cut_archive_is_thrown_away(served: Served, tmp_path: Path) -> None:
    served.content = served.content[:100_000]
    with pytest.raises(InputFault, match="the archive is damaged"):
        fetch(model_at(served.url), tmp_path)
    assert os.listdir(tmp_path) == [f"{NAME}.zip.tag"]


def test_a_damaged_member_is_thrown_away(served: Served, tmp_path: Path) -> None:
    served.content = served.content.replace(b"x" * 1000, b"y" * 1000, 1)
    with pytest.raises(InputFault, match="the archive is damaged: Bad CRC"):
        fetch(model_at(served.url), tmp_path)
    assert not (tmp_path / NAME).exists()


def link_out() -> tuple[zipfile.ZipInfo, str]:
    member = zipfile.ZipInfo(f"{NAME}/am/link")
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return member, "/etc"


@pytest.mark.parametrize("name", ["../outside", f"{NAME}/../../outside", "/outside", "..\\outside", "C:/outside"])
def test_an_archive_never_writes_outside_its_folder(served: Served, tmp_path: Path, name: str) -> None:
    served.content = archive(extra={name: b"x"})
    with pytest.raises(InputFault, match="would write outside its folder"):
        fetch(model_at(served.url), tmp_path / "store")
    assert [path.name for path in tmp_path.rglob("*outside*")] == []
    assert not (tmp_path / "store" / NAME).exists()


def test_an_archive_with_a_link_is_refused(served: Served, tmp_path: Path) -> None:
    path = tmp_path / "links.zip"
    path.write_bytes(served.content)
    with zipfile.ZipFile(path, "a") as file:
        file.writestr(*link_out())
    served.content = path.read_bytes()
    with pytest.raises(InputFault, match="would write outside its folder"):
        fetch(model_at(served.url), tmp_path / "store")


def test_an_archive_that_swells_is_refused(served: Served, tmp_path: Path) -> None:
    path = tmp_path / "swells.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(f"{NAME}/am/final.mdl", b"\0" * 20_000_000)
    served.content = path.read_bytes()
    with pytest.raises(InputFault, match="far larger inside than out"):
        fetch(model_at(served.url), tmp_path / "store")


def test_an_archive_without_a_model_says_what_is_missing(served: Served, tmp_path: Path) -> None:
    served.content = archive(files=("am/final.mdl", "conf/mfcc.conf"))
    with pytest.raises(InputFault, match=r"incomplete: graph/Gr\.fst"):
        fetch(model_at(served.url), tmp_path)
    assert not (tmp_path / NAME).exists()


def test_a_folder_with_other_letters(served: Served, tmp_path: Path) -> None:
    """V6."""
    assert fetch(model_at(served.url), tmp_path / "modèles 모델").folder.is_dir()


def test_a_full_disk_is_said_before(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage(1, 1, 1000))
    with pytest.raises(InputFault, match="the disk has no room for it"):
        fetch(model_at(served.url), tmp_path)
    assert served.asked == []


def test_a_disk_that_fills_meanwhile_keeps_what_came(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_some(answer: Any, part: Path, *rest: Any) -> None:
        part.write_bytes(answer.read(90_000))
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(model_fetching, "_copy", write_some)
        with pytest.raises(InputFault, match=r"the disk is full; 90 kB are kept .*it goes on"):
            fetch(model_at(served.url), tmp_path)
    assert fetch(model_at(served.url), tmp_path).folder.is_dir()
    assert served.asked[-1] == "bytes=90000-"

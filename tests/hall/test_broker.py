"""Addresses of brokers, and where the password comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.faults import InputFault
from referee.hall.backing_off import BackOff
from referee.hall.broker import open_broker


@pytest.mark.parametrize(
    ("address", "host", "port", "encrypted", "user"),
    [
        ("mqtt://hall.example", "hall.example", 1883, False, ""),
        ("mqtt://127.0.0.1:1999", "127.0.0.1", 1999, False, ""),
        ("mqtts://hall.example/", "hall.example", 8883, True, ""),
        ("mqtt://[::1]:1884", "::1", 1884, False, ""),
        ("mqtt://table%203@hall", "hall", 1883, False, "table 3"),
    ],
)
def test_an_address_says_host_port_and_whether_it_is_encrypted(
    address: str, host: str, port: int, encrypted: bool, user: str
) -> None:
    found = open_broker(address)
    assert (found.host, found.port, found.tls is not None, found.username) == (host, port, encrypted, user)


@pytest.mark.parametrize(
    ("address", "more", "says"),
    [
        ("hall.example", {}, "is no address of a broker"),
        ("http://hall.example", {}, "is no address of a broker"),
        ("mqtt://", {}, "is no address of a broker"),
        ("mqtt://hall:port", {}, "is no address of a broker"),
        ("mqtt://hall:99999", {}, "is no address of a broker"),
        ("mqtt://hall/topic", {}, "is no address of a broker"),
        ("mqtt://ana:secret@hall", {}, "is seen by everybody"),
        ("mqtt://hall", {"username": "ana", "password": "a", "password_file": "b"}, "in more than one place"),
        ("mqtt://hall", {"password": "a"}, "no user's name"),
        ("mqtt://hall", {"username": "ana", "password_variable": "NOT_THERE"}, r"\$NOT_THERE: is not set"),
        ("mqtt://hall", {"username": "ana", "password_file": "not-there"}, "cannot be read: No such file"),
        ("mqtt://hall", {"prefix": "club/#"}, "no first part of a topic"),
        ("mqtt://hall", {"prefix": ""}, "no first part of a topic"),
    ],
)
def test_one_line_for_each_fault(address: str, more: dict[str, Any], says: str) -> None:
    with pytest.raises(InputFault, match=says) as fault:
        open_broker(address, environment={}, **more)
    assert "secret" not in str(fault.value)


def test_the_password_comes_from_a_variable_or_the_first_line_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("from the file\nand a remark\n")
    held = open_broker("mqtt://hall", username="ana", password_variable="HALL", environment={"HALL": "held"})
    written = open_broker("mqtt://hall", username="ana", password_file=str(file))
    assert (held.password, written.password) == ("held", "from the file")
    assert "held" not in repr(held)
    file.write_text("\n")
    with pytest.raises(InputFault, match="holds no password"):
        open_broker("mqtt://hall", username="ana", password_file=str(file))


def test_pauses_grow_to_a_longest_one_and_begin_anew() -> None:
    pauses = BackOff(0.5, 8.0, seed=1)
    first = [pauses.next_s() for _ in range(8)]
    for pause_s, whole_s in zip(first, (0.5, 1, 2, 4, 8, 8, 8, 8), strict=True):
        assert whole_s / 2 <= pause_s <= whole_s
    pauses.reset()
    assert pauses.next_s() <= 0.5

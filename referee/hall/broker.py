"""Which broker, and how it is entered: address, TLS files, user, and a password that need not lie in TOML."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from referee.faults import InputFault
from referee.hall.topics import PREFIX

PORTS = {"mqtt": 1883, "mqtts": 8883}


@dataclass(frozen=True, slots=True)
class Tls:
    """Files for an encrypted connection. ca: who vouches for the broker, None for those that the system trusts."""

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker. tls: None for a plain connection. prefix: the first part of every topic."""

    host: str
    port: int
    tls: Tls | None = None
    username: str = ""
    password: str = field(default="", repr=False)
    prefix: str = PREFIX

    @property
    def address(self) -> str:
        """The address without user and password, as it may be shown."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.tls else 'mqtt'}://{host}:{self.port}"


def open_broker(
    address: str,
    *,
    tls: Tls | None = None,
    username: str = "",
    password: str = "",
    password_variable: str = "",
    password_file: str = "",
    prefix: str = PREFIX,
    environment: Mapping[str, str] = os.environ,
) -> Broker:
    """The broker at `mqtt://HOST[:PORT]` or, encrypted, `mqtts://HOST[:PORT]`; a user may stand before the host.

    Raises InputFault for another form, for a password in the address, for files that are not there, and for more than
    one place to take the password from.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    if parts.scheme not in PORTS or not host or parts.path not in ("", "/") or parts.query:
        raise InputFault("is no address of a broker", where=address, mend="give mqtt://HOST[:PORT] or mqtts://…")
    if parts.password is not None:
        hidden = address.replace(f":{parts.password}@", ":…@")
        raise InputFault(
            "a password in an address is seen by everybody on this machine",
            where=hidden,
            mend="set password_file or password_variable in the settings, part [hall]",
        )
    named = [bool(password), bool(password_variable), bool(password_file)]
    if sum(named) > 1:
        raise InputFault("the password is given in more than one place", where="[hall]", mend="keep one of them")
    if password_variable and password_variable not in environment:
        raise InputFault("is not set", where=f"${password_variable}", mend="export it, or use password_file")
    if password_variable:
        password = environment[password_variable]
    elif password_file:
        password = _first_line(Path(password_file).expanduser())
    user = unquote(parts.username or "") or username
    if password and not user:
        raise InputFault("there is a password but no user's name", where="[hall]", mend="set username")
    if parts.scheme == "mqtts":
        tls = tls or Tls()
        for file in filter(None, (tls.ca, tls.certificate, tls.key)):
            if not file.is_file():
                raise InputFault(
                    "is not there", where=str(file), mend="name the PEM file in the settings, part [hall]"
                )
    elif tls and (tls.ca or tls.certificate or tls.key):
        raise InputFault("TLS files are given for a plain connection", where=address, mend="use mqtts://")
    else:
        tls = None
    if not prefix or any(c in prefix for c in "+#\0") or prefix.startswith(("/", "$")) or prefix.endswith("/"):
        raise InputFault("is no first part of a topic", where=prefix or "prefix", mend="use letters and digits")
    return Broker(host, port or PORTS[parts.scheme], tls, user, password, prefix)


def _first_line(file: Path) -> str:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "is no text"
        raise InputFault(f"the password cannot be read: {why}", where=str(file), mend="check its rights") from None
    if not lines or not lines[0].strip():
        raise InputFault("holds no password", where=str(file), mend="write it on the first line")
    return lines[0].strip()

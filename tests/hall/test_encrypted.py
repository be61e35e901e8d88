"""An encrypted broker: entered with the club's own certificate authority, refused without it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from referee.faults import InputFault
from referee.hall.broker import Broker, Tls
from referee.hall.listening import Listening
from referee.hall.publishing import NewestState, Publisher
from referee.session.clock import SessionClock
from tests.hall.mosquitto import Mosquitto, wait_until
from tests.hall.states import state

OPENSSL = shutil.which("openssl")


@pytest.mark.enable_socket
@pytest.mark.skipif(OPENSSL is None, reason="no openssl to make a certificate with")
def test_the_brokers_certificate_is_checked(tmp_path: Path) -> None:
    certificate, key = tmp_path / "broker.pem", tmp_path / "key.pem"
    made = [
        str(OPENSSL),
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
    ]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*made, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    with Mosquitto(tmp_path, f"certfile {certificate}", f"keyfile {key}") as mosquitto:
        known = Broker("localhost", mosquitto.port, Tls(certificate))
        for broker, says in (
            (Broker("localhost", mosquitto.port, Tls()), "its certificate is not trusted"),
            (
                Broker("127.0.0.1", mosquitto.port, Tls(certificate)),
                "its certificate is not trusted: IP address mismatch",
            ),
        ):
            with pytest.raises(InputFault, match=says):
                Listening(broker, clock=SessionClock()).start()
        hall = Listening(known, clock=SessionClock())
        hall.start()
        table = Publisher(known, "Table 1", NewestState(state()), clock=SessionClock())
        table.start()
        wait_until(lambda: [view.name for view in hall.overview().tables] == ["Table 1"])
        table.stop()
        hall.stop()

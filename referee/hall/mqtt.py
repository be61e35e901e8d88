"""The only importer of paho-mqtt. Paho, not aiomqtt: a table has threads and no event loop, and aiomqtt needs one."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass

from referee.faults import InputFault
from referee.hall.broker import Broker, Tls

try:
    from paho.mqtt import client as paho
    from paho.mqtt.enums import CallbackAPIVersion
except ModuleNotFoundError:
    raise InputFault(
        "needs the extra 'hall', which is not installed",
        where="the hall",
        mend="pip install 'uno-table-referee[hall]'",
    ) from None

KEEPALIVE_S = 15
CONNECT_S = 5.0
ACKNOWLEDGE_S = 5.0
_LOOK_S = 0.25
_REFUSED = {"Bad user name or password", "Not authorized", "Bad authentication method", "Banned"}


class Unreachable(Exception):
    """The broker cannot be reached just now, or has gone: worth trying again."""


class Refused(Exception):
    """The broker, or we, refuse: the password, or the certificate. Only a person can mend it."""


@dataclass(frozen=True, slots=True)
class Came:
    """A message as the broker hands it over. retained: it was kept from before we asked, who knows how long."""

    topic: str
    payload: bytes
    retained: bool


class Connection:
    """One connection, from `open` until it is lost or closed; a lost one is never mended, another one is opened.

    will: (topic, payload) that the broker publishes, retained, when this connection ends without a word.
    on_message is called on the connection's own thread.
    """

    def __init__(
        self,
        broker: Broker,
        *,
        will: tuple[str, bytes] | None = None,
        on_message: Callable[[Came], None] = lambda _came: None,
        on_lost: Callable[[], None] = lambda: None,
    ) -> None:
        self._broker, self._on_message, self._on_lost = broker, on_message, on_lost
        self._answered, self._lost = threading.Event(), threading.Event()
        self._refusal = ""
        client = paho.Client(CallbackAPIVersion.VERSION2, reconnect_on_failure=False)
        client.connect_timeout = CONNECT_S
        if will:
            client.will_set(*will, qos=1, retain=True)
        if broker.username:
            client.username_pw_set(broker.username, broker.password or None)
        client.on_connect = self._connected
        client.on_disconnect = self._disconnected
        client.on_message = self._came
        self._client = client
        if broker.tls:
            client.tls_set_context(tls_context(broker.tls))

    def open(self) -> None:
        """Connect, and wait until the broker has let us in. Raises Unreachable or Refused."""
        try:
            if self._broker.tls:
                self._shake_hands()
            self._client.connect(self._broker.host, self._broker.port, keepalive=KEEPALIVE_S)
        except ssl.SSLCertVerificationError as fault:
            raise Refused(f"its certificate is not trusted: {fault.verify_message}") from None
        except (OSError, ValueError) as fault:
            raise Unreachable(str(fault.strerror or fault) if isinstance(fault, OSError) else str(fault)) from None
        self._client.loop_start()
        answered = self._answered.wait(CONNECT_S)
        if not answered or self._refusal or self.lost:
            refusal = self._refusal
            self.close()
            if refusal in _REFUSED:
                raise Refused("the broker refuses the user's name or the password")
            raise Unreachable(refusal or "no answer")

    def _shake_hands(self) -> None:
        """Try the certificates first: paho leaves the socket of a failed handshake open."""
        broker = self._broker
        context = tls_context(broker.tls or Tls())
        with (
            socket.create_connection((broker.host, broker.port), CONNECT_S) as plain,
            context.wrap_socket(plain, server_hostname=broker.host),
        ):
            pass

    @property
    def lost(self) -> bool:
        """Whether it has ended."""
        return self._lost.is_set()

    def subscribe(self, *topics: str) -> None:
        """Ask for messages. Raises Unreachable."""
        result, _ = self._client.subscribe([(topic, 1) for topic in topics])
        if result != paho.MQTT_ERR_SUCCESS:
            raise Unreachable("the connection has ended")

    def publish(self, topic: str, payload: bytes) -> None:
        """Publish, retained; wait until the broker has it, so that one is under way at most. Raises Unreachable."""
        sent = self._client.publish(topic, payload, qos=1, retain=True)
        try:
            for _ in range(round(ACKNOWLEDGE_S / _LOOK_S)):
                sent.wait_for_publish(_LOOK_S)
                if sent.is_published():
                    return
                if self.lost:
                    break
        except (RuntimeError, ValueError):
            raise Unreachable("the connection has ended") from None
        raise Unreachable("the connection has ended" if self.lost else "the broker does not acknowledge")

    def close(self) -> None:
        """End it in order; the will is not published then."""
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, _client: object, _data: object, _flags: object, reason: object, _more: object) -> None:
        if getattr(reason, "is_failure", False):
            self._refusal = str(reason)
        self._answered.set()

    def _disconnected(self, *_why: object) -> None:
        self._lost.set()
        self._answered.set()
        self._on_lost()

    def _came(self, _client: object, _data: object, message: paho.MQTTMessage) -> None:
        self._on_message(Came(message.topic, bytes(message.payload), message.retain))


def tls_context(tls: Tls) -> ssl.SSLContext:
    """How an encrypted connection is made: TLS 1.2 or later, the broker's certificate and name always checked.

    Raises InputFault for files that cannot be used.
    """
    try:
        context = ssl.create_default_context(cafile=str(tls.ca) if tls.ca else None)
        if tls.certificate:
            context.load_cert_chain(str(tls.certificate), str(tls.key) if tls.key else None)
    except (OSError, ssl.SSLError) as fault:
        raise InputFault(f"TLS files cannot be used: {fault}", where="[hall]", mend="give PEM files") from None
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context

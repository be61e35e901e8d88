"""A web server on loopback that gives one archive: with ranges, cut short, wrong, or not at all."""

from __future__ import annotations

import io
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.hearing.test_model_folder import NESTED

NAME = "vosk-model-small-xx-0.1"


def archive(top: str = NAME, extra: dict[str, bytes] | None = None, files: tuple[str, ...] = NESTED) -> bytes:
    """A small model as the Vosk project packs it: one folder with everything in it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as file:
        for name in files:
            file.writestr(f"{top}/{name}" if top else name, b"x" * 40_000)
        for name, content in (extra or {}).items():
            file.writestr(name, content)
    return packed.getvalue()


@dataclass
class Served:
    """What is served, and what was asked for. cut: bytes after which each answer breaks off; None: whole."""

    content: bytes
    cut: int | None = None
    status: int = 200
    ranges: bool = True
    tag: str = '"1"'
    url: str = ""
    asked: list[str] = field(default_factory=list)


@contextmanager
def serving(served: Served) -> Iterator[Served]:
    """Serve until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers.get("Range", "")
            served.asked.append(asked)
            if served.status != 200:
                self.send_error(served.status)
                return
            fresh = self.headers.get("If-Range") in (None, served.tag)
            first = int(asked.removeprefix("bytes=").rstrip("-")) if asked and served.ranges and fresh else 0
            if first >= len(served.content):
                self.send_error(416)
                return
            self.send_response(206 if first else 200)
            self.send_header("Content-Length", str(len(served.content) - first))
            self.send_header("ETag", served.tag)
            self.end_headers()
            until = None if served.cut is None else first + served.cut
            self.wfile.write(served.content[first:until])

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_port}/{NAME}.zip"
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

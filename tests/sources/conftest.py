"""A web server on loopback that misbehaves on request, and a source that is acquired from any place."""

import hashlib
import importlib.metadata
import os
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import fsspec
import pytest

from repline.sources.acquisition import acquire
from repline.sources.catalogue import Source, SourceFile
from repline.sources.web_server import Patience

CONTENT = bytes(range(256)) * 4096  # 1 MiB


@pytest.fixture
def content():
    return CONTENT


@pytest.fixture
def patience():
    return Patience(attempts=3, backoff=0.01, timeout=60.0)


@pytest.fixture
def impatience():
    """For servers that stall."""
    return Patience(attempts=3, backoff=0.01, timeout=0.3)


@dataclass
class Answer:
    """How one request is answered; None and the like mean: as a good server does."""

    status: int | None = None
    content: bytes = CONTENT
    etag: str | None = '"one"'
    ranges: bool = True
    if_range: bool = True
    length: int | None = None  # a Content-Length that is not the truth
    cut: int | None = None  # close the connection after this many bytes of the body
    stall: int | None = None  # send no more after this many bytes of the body
    slow: float = 0.0  # seconds between two pieces of the body
    chunked: bool = False  # no Content-Length at all
    headers: dict = field(default_factory=dict)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A client that was killed is no news."""


class Web:
    """Answers in the order of `script`; its last one repeats. `seen` lists (method, path, headers)."""

    def __init__(self):
        self.script = [Answer()]
        self.pages = {}
        self.seen = []
        self.over = threading.Event()
        web = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                web.answer(self, body=True)

            def do_HEAD(self):
                web.answer(self, body=False)

            def log_message(self, *arguments):
                del arguments

        self.server = Server(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()
        self.root = f"http://127.0.0.1:{self.server.server_port}"
        self.url = f"{self.root}/file.bin"

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()

    def ranges(self):
        return [headers.get("Range") for method, path, headers in self.seen if method == "GET" and path == "/file.bin"]

    def answer(self, handler, body):
        self.seen.append((handler.command, handler.path, dict(handler.headers)))
        if handler.path in self.pages:
            self.send(handler, Answer(content=self.pages[handler.path], etag=None), body)
        else:
            self.send(handler, self.script.pop(0) if len(self.script) > 1 else self.script[0], body)

    def send(self, handler, answer, body):
        status, data, headers = answer.status or 200, answer.content, dict(answer.headers)
        byte_range, if_range = handler.headers.get("Range"), handler.headers.get("If-Range")
        current = not answer.if_range or if_range in (None, answer.etag)
        if byte_range and answer.ranges and answer.status is None and current:
            start = int(byte_range.removeprefix("bytes=").removesuffix("-"))
            if start < len(data):
                status = 206
                headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
                data = data[start:]
            else:
                status, headers["Content-Range"], data = 416, f"bytes */{len(data)}", b""
        handler.send_response(status)
        if answer.etag:
            headers["ETag"] = answer.etag
        if answer.chunked:
            headers["Transfer-Encoding"] = "chunked"
        else:
            headers["Content-Length"] = str(len(data) if answer.length is None else answer.length)
        for key, value in headers.items():
            handler.send_header(key, value)
        handler.end_headers()
        if not body:
            return
        end = min(value for value in (len(data), answer.cut, answer.stall) if value is not None)
        try:
            for start in range(0, end, 1 << 16):
                piece = data[start : min(start + (1 << 16), end)]
                handler.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if answer.chunked else piece)
                if answer.slow:
                    time.sleep(answer.slow)
            if answer.chunked and end == len(data):
                handler.wfile.write(b"0\r\n\r\n")
            if answer.stall is not None:
                self.over.wait(20)
            if end < len(data) or answer.length is not None:
                handler.close_connection = True
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True


@pytest.fixture
def web():
    server = Web()
    yield server
    server.close()


@pytest.fixture
def answer():
    return Answer


def sha256(data):
    return hashlib.sha256(data).hexdigest()


@pytest.fixture(autouse=True)
def no_mirror(monkeypatch):
    monkeypatch.delenv("REPLINE_MIRROR", raising=False)


@pytest.fixture
def bring(tmp_path, patience):
    """Acquire a source made of {file name: (content, *places)} into tmp/raw/text."""

    def bring(files, mirror=None, moving=False):
        entries = tuple(
            SourceFile(name, None if moving else sha256(content), None if moving else len(content), None, places)
            for name, (content, *places) in files.items()
        )
        source = Source("text", "A text", "CC0", "https://example.org/", (), moving, entries)
        return acquire(source, bring.folder, mirror, downloads=bring.downloads, patience=patience)

    bring.folder = tmp_path / "raw" / "text"
    bring.downloads = tmp_path / "downloads"
    return bring


def left(bring):
    """Everything in data/raw, hidden files too."""
    raw = bring.folder.parent
    return sorted(str(path.relative_to(raw)) for path in raw.rglob("*")) if raw.exists() else []


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An installed distribution text_pack 1.2 with one file in it."""
    site = tmp_path / "site"
    (site / "text_pack-1.2.dist-info").mkdir(parents=True)
    (site / "text_pack-1.2.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: text-pack\nVersion: 1.2\n")
    (site / "text_pack").mkdir()
    (site / "text_pack" / "a.txt").write_bytes(b"packed text\n")
    monkeypatch.syspath_prepend(str(site))
    assert importlib.metadata.version("text-pack") == "1.2"


@pytest.fixture(params=["folder", "memory"])
def mirror(request, tmp_path):
    """A mirror, and the function that puts a file into it."""
    root = str(tmp_path / "mirror") if request.param == "folder" else f"memory://mirror-{os.urandom(4).hex()}"
    system, path = fsspec.core.url_to_fs(root)

    def put(name, data):
        system.makedirs(f"{path}/{name}".rpartition("/")[0], exist_ok=True)
        system.pipe_file(f"{path}/{name}", data)

    return root, put

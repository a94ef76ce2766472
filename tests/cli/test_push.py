"""`repline push` against a server on this machine that answers as the Hub does."""

import base64
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from repline.use.folders import describe
from repline.vectors import store
from tests.commands import ROOT


class Hub(BaseHTTPRequestHandler):
    """Takes a repository and the files of one commit."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.authorization.add(self.headers.get("Authorization"))
        if self.path == "/api/repos/create":
            self.server.created.append(json.loads(body))
            self.answer({"url": f"{self.server.address}/me/model"})
        elif self.path.startswith("/api/models/me/model/preupload/"):
            files = [{"path": file["path"], "uploadMode": "regular"} for file in json.loads(body)["files"]]
            self.answer({"files": [file | {"shouldIgnore": False} for file in files]})
        elif self.path.startswith("/api/models/me/model/commit/"):
            for line in body.splitlines():
                item = json.loads(line)
                if item["key"] == "file":
                    self.server.files[item["value"]["path"]] = base64.b64decode(item["value"]["content"])
            self.answer({"commitUrl": f"{self.server.address}/me/model/commit/1", "commitOid": "1"})
        elif self.path == "/api/validate-yaml":
            self.answer({"errors": [], "warnings": []})
        else:
            self.send_error(404)

    def do_GET(self):
        self.answer({"id": "me/model", "sha": "0", "siblings": []})

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def hub():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    server.address = f"http://127.0.0.1:{server.server_port}"
    server.created, server.files, server.authorization = [], {}, set()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


def push(folder, address, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(ROOT), "HF_ENDPOINT": address, "HF_TOKEN": "hf_of_a_test"}
    environment |= {"HF_HOME": str(tmp_path / "hub"), "NO_PROXY": "127.0.0.1", "HF_HUB_DISABLE_XET": "1"}
    environment.pop("HF_HUB_OFFLINE", None)
    command = [sys.executable, "-m", "repline", "push", str(folder), "me/model", "--private"]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_push(hub, tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    np.save(folder / "weights.npy", np.arange(3))
    (folder / "README.md").write_text("---\nlibrary_name: repline\n---\n# A model\n")
    describe(folder, "hcan", "text_classifier", {"labels": ["a", "b"]})
    process = push(folder, hub.address, tmp_path)
    assert process.returncode == 0, process.stderr
    assert process.stdout.strip() == f"{hub.address}/me/model"
    assert hub.created == [{"name": "model", "organization": "me", "visibility": "private"}]
    assert hub.files == {path.name: path.read_bytes() for path in folder.iterdir()}
    assert hub.authorization == {"Bearer hf_of_a_test"}


def test_word_vectors_are_pushed_where_they_are_whole(hub, tmp_path):
    folder = tmp_path / "vectors"
    store.save(folder, ["one", "two"], np.eye(2, dtype=np.float32))
    process = push(folder, hub.address, tmp_path)
    assert process.returncode == 0, process.stderr
    assert set(hub.files) == {"vectors.npy", "vocabulary.parquet", "card.json"}
    (folder / "vocabulary.parquet").unlink()
    hub.files.clear()
    process = push(folder, hub.address, tmp_path)
    assert process.returncode == 1 and "vocabulary.parquet: there is no such file" in process.stderr and not hub.files


def test_no_model_and_no_server(tmp_path):
    process = push(tmp_path, "http://127.0.0.1:9", tmp_path)
    assert process.returncode == 1 and "no model, as there is no config.json" in process.stderr
    describe(tmp_path, "hcan", "text_classifier", {})
    process = push(tmp_path, "http://127.0.0.1:9", tmp_path)
    assert process.returncode == 1 and process.stderr.startswith("repline: me/model: the upload to the Hub failed")
    assert len(process.stderr.splitlines()) == 1

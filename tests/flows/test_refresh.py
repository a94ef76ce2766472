"""`refresh` against a web server on the loopback whose file changes."""

import http.server
import json
import threading

import pytest
import yaml

from tests.flows.conftest import timed


class Upstream(http.server.BaseHTTPRequestHandler):
    """One file with an ETag, and a count of what was fetched."""

    content, fetched = b"one", 0

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("ETag", f'"{self.content.decode()}"')
        self.send_header("Content-Length", str(len(self.content)))
        self.end_headers()

    def do_GET(self):
        self.do_HEAD()
        self.wfile.write(self.content)
        type(self).fetched += 1

    def log_message(self, *_):
        pass


@pytest.fixture
def upstream():
    Upstream.content, Upstream.fetched = b"one", 0
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def project(offline, upstream):
    source = {
        "title": "News",
        "licence": "CC0",
        "home": "https://example.org",
        "used_by": ["toy"],
        "moving": True,
        "files": [{"name": "news.txt", "sha256": None, "bytes": None}],
        "places": [{"https": f"http://127.0.0.1:{upstream.server_port}/news.txt"}],
    }
    offline.write("sources.yaml", yaml.safe_dump({"news": source}))
    offline.write("params.yaml", "acquire: {sources: [news]}\n")
    acquire = {"matrix": {"source": ["news"]}, "cmd": "python -m stages.acquire ${item.source}"}
    acquire |= {"deps": ["sources.yaml"], "outs": [{"data/raw/${item.source}": {"persist": True}}]}
    copy = {"cmd": "cp data/raw/news/news.txt news.txt", "deps": ["data/raw/news"], "outs": ["news.txt"]}
    other = {"cmd": timed("other"), "deps": ["in.txt"], "outs": ["out/other"]}
    offline.stages({"acquire": acquire, "copy": copy, "other": other})
    offline.dvc("repro", "-q")
    return offline


def test_nothing_new_is_said_without_prefect_and_fetches_nothing(project):
    before = Upstream.fetched
    printed = project.flow(command="refresh", PYTHONPROFILEIMPORTTIME="1")
    assert "nothing new upstream" in printed and " prefect" not in printed
    assert Upstream.fetched == before


def test_a_new_file_is_acquired_and_what_depends_on_it_reproduced(project, api):
    Upstream.content = b"two"
    printed = project.flow(command="refresh", PREFECT_API_URL=api.url)
    assert "news has something new: news.txt" in printed
    assert project.read("news.txt") == "two"
    assert api.last_flow_run("refresh")["state_type"] == "COMPLETED"
    assert set(api.states(2)) == {"acquire@news", "copy"}
    project.assert_clean()
    assert "nothing new upstream" in project.flow(command="refresh")


def test_without_a_network_it_says_so_and_changes_nothing(project, upstream):
    upstream.shutdown()
    upstream.server_close()
    card = json.loads(project.read("data/raw/news/card.json"))
    printed = project.flow(command="refresh")
    assert "nothing new upstream" in printed and "news: cannot ask https://example.org for its version" in printed
    assert "Traceback" not in printed
    assert json.loads(project.read("data/raw/news/card.json")) == card

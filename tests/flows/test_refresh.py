"""`refresh` against a web server on the loopback laid out as dumps.wikimedia.org, whose dump changes."""

import hashlib
import http.server
import signal
import subprocess
import sys
import threading

import pytest
import yaml

from tests.commands import FORKS as STAGES
from tests.flows.conftest import DIGEST, PATIENCE, THIS_PROJECT, Repository, timed

DUMP = "toywiki-latest-pages.txt"
DATES = {"20251101": "Sat, 01 Nov 2025 08:00:00 GMT", "20251120": "Thu, 20 Nov 2025 08:00:00 GMT"}


class Dumps(http.server.BaseHTTPRequestHandler):
    """toywiki/latest: a dump with its Last-Modified and ETag, and a list of checksums where its name has the date."""

    def do_HEAD(self):
        self.answer(body=False)

    def do_GET(self):
        self.answer(body=True)

    def answer(self, body: bool):
        content = self.server.files.get(self.path.rpartition("/")[2])
        self.send_response(200 if content is not None else 404)
        self.send_header("Last-Modified", DATES[self.server.date])
        self.send_header("ETag", f'"{hashlib.md5(content or b"").hexdigest()}"')
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        if body and content is not None:
            self.wfile.write(content)
            self.server.fetched.append(self.path)

    def log_message(self, *_):
        pass


class Home(http.server.ThreadingHTTPServer):
    """What is on it, and what was fetched of the dump."""

    def publish(self, date: str, dump: bytes, broken: bytes | None = None) -> None:
        """A new dump; `broken` lies in its place."""
        self.date = date
        listed = f"{hashlib.sha1(dump).hexdigest()}  {DUMP.replace('latest', date)}\n"
        line_of_other_file = f"{'0' * 40}  toywiki-{date}-stub.txt\n"
        self.files = {
            DUMP: dump if broken is None else broken,
            "toywiki-latest-sha1sums.txt": (line_of_other_file + listed).encode(),
        }

    def dumps_fetched(self) -> int:
        return sum(path.endswith(DUMP) for path in self.fetched)


@pytest.fixture(scope="module")
def web():
    """The server; `home` resets what is on it for each test."""
    with Home(("127.0.0.1", 0), Dumps) as server:
        server.fetched = []
        server.publish("20251101", b"one\n")
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def home(web):
    web.fetched.clear()
    web.publish("20251101", b"one\n")
    return web


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """A program whose `python -m stages.acquire` is a fork."""
    return str(STAGES.interpreter(tmp_path_factory.mktemp("interpreter")))


@pytest.fixture(scope="module")
def reproduced(web, environment, tmp_path_factory):
    """`copy` depends on the dump and fails on one that says so; `metric` on that; `other` on nothing of it."""
    repository = Repository(tmp_path_factory.mktemp("refresh") / "repository", environment)
    latest = f"http://127.0.0.1:{web.server_port}/toywiki/latest"
    source = {
        "title": "News",
        "licence": "CC0",
        "home": "https://example.org",
        "used_by": ["toy"],
        "moving": True,
        "files": [{"name": DUMP, "sha256": None, "bytes": None}],
        "places": [{"https": f"{latest}/{{name}}", "checksums": f"{latest}/toywiki-latest-sha1sums.txt"}],
    }
    repository.write("pyproject.toml", THIS_PROJECT)
    repository.write("sources.yaml", yaml.safe_dump({"news": source}, sort_keys=False))
    repository.write("params.yaml", "acquire: {sources: [news]}\n")
    acquire = {"matrix": {"source": ["news"]}, "cmd": "python -m stages.acquire ${item.source}"}
    acquire |= {"deps": ["sources.yaml"], "outs": [{"data/raw/${item.source}": {"persist": True}}]}
    dump = f"data/raw/news/{DUMP}"
    copy = {"cmd": f"! grep bad {dump} && cp {dump} news.txt", "deps": ["data/raw/news"], "outs": ["news.txt"]}
    metric = {"cmd": "wc -c < news.txt > metric.json", "deps": ["news.txt"]}
    metric |= {"metrics": [{"metric.json": {"cache": False}}]}
    unrelated = {"cmd": timed("other"), "deps": ["in.txt"], "outs": ["out/other"]}
    repository.stages({"acquire": acquire, "copy": copy, "metric": metric, "other": unrelated})
    repository.dvc("repro", "-q")
    return repository


@pytest.fixture
def project(reproduced, home, tmp_path, served, python):
    repository = reproduced.copy(tmp_path / "repository", served)
    repository.python = python
    return repository


def results(project) -> dict[str, str]:
    names = ("dvc.lock", "news.txt", "metric.json", f"data/raw/news/{DUMP}", "data/raw/news/card.json")
    return {name: project.read(name) for name in names}


def upstream_artifact(api) -> str:
    run = api.last_flow_run("refresh")
    [artifact] = api.post("artifacts/filter", {"flow_runs": {"id": {"any_": [run["id"]]}}})
    return artifact["data"]


def test_nothing_new_is_said_without_prefect_and_fetches_nothing(project, home):
    before = home.dumps_fetched()
    printed = project.flow(command="refresh", fresh=True, PYTHONPROFILEIMPORTTIME="1", PREFECT_API_URL="")
    assert "nothing new upstream" in printed and " prefect" not in printed
    assert home.dumps_fetched() == before


def test_a_stage_that_runs_first_runs_in_a_refresh_too(project, home):
    project.stages({"digest": DIGEST}, "stages/code/dvc.yaml")
    home.publish("20251120", b"two\n")
    project.flow(command="refresh")
    assert project.read("news.txt") == "two\n" and project.read("stages/code/digest.json") == "{}\n"


def test_it_works_on_the_whole_project_from_any_folder(project, home):
    home.publish("20251120", b"two\n")
    folder = project.root / "data/raw"
    variables = project.environment | {"PREFECT_API_URL": ""}
    subprocess.run([sys.executable, "-m", "flows", "refresh"], cwd=folder, env=variables, timeout=PATIENCE, check=True)
    assert project.read("news.txt") == "two\n"


def test_a_new_dump_is_acquired_and_what_depends_on_it_reproduced(project, home, api):
    project.flow(command="refresh")
    assert api.last_flow_run("refresh")["state"]["message"] == "nothing new upstream"
    assert upstream_artifact(api) == "* nothing new upstream"

    home.publish("20251120", b"two\n")
    printed = project.flow(command="refresh")
    new = f"new: news ({DUMP} of 2025-11-20, here 2025-11-01)"
    assert new in printed and project.read("news.txt") == "two\n"
    run = api.last_flow_run("refresh")
    assert (run["name"], run["state_type"]) == ("small: refresh", "COMPLETED")
    assert run["state"]["message"].startswith(new) and upstream_artifact(api) == f"* {new}"
    assert api.last_flow_run()["name"] == "small: acquire@news, copy, metric"
    assert set(api.states(3)) == {"acquire@news", "copy", "metric"}
    project.assert_clean()
    assert "nothing new upstream" in project.flow(command="refresh")


def test_a_dump_that_is_dated_anew_and_has_the_same_checksum_is_not_fetched(project, home):
    home.date = "20251120"
    before = home.dumps_fetched()
    assert "nothing new upstream" in project.flow(command="refresh", PREFECT_API_URL="")
    assert home.dumps_fetched() == before


@pytest.mark.parametrize("broken", [b"tw", b"TWO\n"], ids=["truncated", "wrong"])
def test_a_broken_dump_is_refused_and_the_old_results_stay(project, home, api, broken):
    before = results(project)
    home.publish("20251120", b"two\n", broken)
    printed = project.flow(command="refresh", code=1)
    assert "new: news" in printed and "the file is broken" in printed and "Traceback" not in printed
    message = api.last_flow_run("refresh")["state"]["message"]
    assert f"expected sha1 {hashlib.sha1(b'two' + bytes([10])).hexdigest()} as its home publishes" in message
    assert "the results of before were kept" in message
    assert results(project) == before
    project.assert_clean()

    home.publish("20251120", b"two\n")
    project.flow(command="refresh")
    assert project.read("news.txt") == "two\n"


def test_results_are_put_back_when_a_stage_fails_on_the_new_dump(project, home):
    before = results(project)
    home.publish("20251120", b"bad\n")
    printed = project.flow(command="refresh", code=1)
    assert "copy failed" in printed and "the results of before were kept" in printed
    assert results(project) == before
    project.assert_clean()
    assert "new: news" in project.flow(command="refresh", code=1)


def test_a_source_that_is_not_here_yet_is_new(project):
    project.write("params.yaml", "acquire: {sources: [news, more]}\n")
    catalogue = yaml.safe_load(project.read("sources.yaml"))
    project.write("sources.yaml", yaml.safe_dump(catalogue | {"more": catalogue["news"]}, sort_keys=False))
    stages = yaml.safe_load(project.read("dvc.yaml"))["stages"]
    stages["acquire"]["matrix"]["source"].append("more")
    project.stages(stages)
    printed = project.flow(command="refresh", PREFECT_API_URL="")  # it brings a server of its own
    assert f"new: more ({DUMP} of 2025-11-01, not here yet)" in printed
    assert project.read(f"data/raw/more/{DUMP}") == "one\n"


def test_what_a_killed_refresh_has_begun_the_next_one_ends(project, home):
    project.write("data/scratch/refresh.json", '["news"]')  # it was acquired, and the rest had no time
    home.publish("20251120", b"two\n")
    project.dvc("repro", "-q", "--force", "acquire@news")
    assert "new: news (a refresh of it has not ended)" in project.flow(command="refresh")
    assert project.read("news.txt") == "two\n"
    assert "nothing new upstream" in project.flow(command="refresh")


def test_what_is_put_back_is_what_was_there_before_the_refresh_that_was_cut_off(project, home):
    stages = yaml.safe_load(project.read("dvc.yaml"))["stages"]
    stages["copy"]["cmd"] = f"echo > begun; until test -e quick; do sleep 0.1; done; {stages['copy']['cmd']}"
    project.stages(stages)
    project.write("quick", "")
    project.dvc("repro", "-q")
    before = results(project)
    (project.root / "quick").unlink()
    (project.root / "begun").unlink()

    home.publish("20251120", b"bad\n")
    process = project.start(command="refresh")
    project.wait_for("begun")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert project.read(f"data/raw/news/{DUMP}") == "bad\n"

    project.write("quick", "")
    printed = project.flow(command="refresh", code=1)
    assert "new: news (a refresh of it has not ended)" in printed and "the results of before were kept" in printed
    assert results(project) == before
    assert f"new: news ({DUMP} of 2025-11-20, here 2025-11-01)" in project.flow(command="refresh", code=1)


def test_a_source_whose_stage_no_run_executes_is_named_and_not_called_refreshed(project, home):
    stages = yaml.safe_load(project.read("dvc.yaml"))["stages"]
    stages["acquire"]["frozen"] = True
    project.stages(stages)
    home.publish("20251120", b"two\n")
    printed = project.flow(command="refresh", code=1)
    assert "no run fetches news: its stage 'acquire@news' is frozen or has no command" in printed
    assert project.read("news.txt") == "one\n"


@pytest.mark.parametrize(
    ("command", "schedule", "sentence"),
    [
        ("refresh", "{targets: news.txt}", "targets should be a list of targets, found 'news.txt'"),
        ("serve", "{cron: 5}", "cron should be a text such as '0 5 * * 1', found 5"),
        ("serve", "{cron: 0 5 * * 1, profile: web}", "names the profile 'web'; valid are small"),
        ("refresh", "{target: [news.txt]}", "has an entry 'target'; did you mean 'targets'?"),
        ("refresh", "[web]", "should be a table, found ['web']"),
    ],
)
def test_a_schedule_that_cannot_be_meant_is_refused(project, command, schedule, sentence):
    project.write("params.yaml", f"acquire: {{sources: [news]}}\nflows: {{refresh: {schedule}}}\n")
    printed = project.flow(command=command, code=1, PREFECT_API_URL="")
    assert "the schedule of refresh (the hook flow_rules.upstream:schedule)" in printed and sentence in printed
    assert "Traceback" not in printed


def test_a_schedule_without_entries_is_none(project):
    project.write("params.yaml", "acquire: {sources: [news]}\nflows: {refresh: {profile: , targets: }}\n")
    assert "nothing new upstream" in project.flow(command="refresh", PREFECT_API_URL="")
    project.write("params.yaml", "acquire: {sources: [news]}\nflows:\n")
    assert "nothing new upstream" in project.flow(command="refresh", PREFECT_API_URL="")


@pytest.mark.parametrize("own", [True, False], ids=["alone", "served"])
def test_without_a_network_it_fails_with_the_reason_and_changes_nothing(project, home, api, tmp_path, own):
    project.write("sources.yaml", project.read("sources.yaml").replace(f":{home.server_port}/", ":1/"))
    (tmp_path / "sitecustomize.py").write_text("import time\ntime.sleep = lambda seconds: None\n")  # it tries 5 times
    path = f"{tmp_path}:{project.environment['PYTHONPATH']}"
    before = results(project)
    url = "" if own else api.url
    printed = project.flow(command="refresh", code=1, PREFECT_API_URL=url, PYTHONPATH=path)
    assert "could not see whether anything is new upstream" in printed and "nothing new" not in printed
    assert "news: cannot ask https://example.org for its version" in printed and "Traceback" not in printed
    assert results(project) == before and home.fetched == []

"""`serve` as a process: a server with its web page, two deployments, and runs started through them."""

import os
import re
import signal
import sqlite3
import threading
import urllib.request
from contextlib import closing, contextmanager

import pytest

from tests.flows.conftest import DIGEST, PATIENCE, THIS_PROJECT, Api, stage, wait_until

FINAL = ["COMPLETED", "FAILED", "CRASHED", "CANCELLED"]


@pytest.fixture
def served(offline, prefect_home, request):
    """Serve a repository of one stage, which takes as long as there is no file `quick`; and ask its server.

    A test's parameter is the signal that ends it; by default that of Ctrl-C, which goes to all processes of a terminal.
    """
    offline.write("pyproject.toml", THIS_PROJECT)
    offline.write("params.yaml", "flows: {refresh: {cron: '0 5 * * 1', profile: web}}\nacquire: {sources: []}\n")
    offline.write("profiles/web.yaml", "{}\n")
    offline.write("sources.yaml", "{}\n")
    offline.stages({"a": stage("a", then="until test -e quick; do sleep 0.1; done")})
    offline.stages({"digest": DIGEST}, "stages/code/dvc.yaml")
    variables = {"PREFECT_HOME": str(prefect_home), "PREFECT_RUNNER_POLL_FREQUENCY": "1", "TZ": "Asia/Tokyo"}
    process = offline.start(command="serve", **variables)
    lines: list[str] = []
    readers = [threading.Thread(target=lines.extend, args=(file,)) for file in (process.stdout, process.stderr)]
    for reader in readers:
        reader.daemon = True
        reader.start()
    try:
        printed = wait_until(lambda: re.search(r"The Prefect UI is at (http://127\.0\.0\.1:\d+)", "".join(lines)))
        with urllib.request.urlopen(printed[1], timeout=30) as page:
            assert "<html" in page.read().decode().lower()
        yield Api(f"{printed[1]}/api")
        # what a run raises would lie there
        assert not [file for file in (prefect_home / "storage").glob("*") if not file.name.startswith(".")]
        if ending := getattr(request, "param", None):
            process.send_signal(ending)
        else:
            os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 0
        for reader in readers:
            reader.join(timeout=PATIENCE)
        assert "Traceback" not in "".join(lines) and "never awaited" not in "".join(lines)
        with closing(sqlite3.connect(prefect_home / "prefect.db")) as database:
            assert database.execute("SELECT name FROM deployment WHERE NOT paused").fetchall() == []
            unfinished = "SELECT name FROM flow_run WHERE state_type IN ('PENDING', 'RUNNING', 'CANCELLING')"
            assert database.execute(unfinished).fetchall() == []
    finally:
        process.kill()


def deployments(api: Api) -> dict[str, dict]:
    by_name = {deployment["name"]: deployment for deployment in api.post("deployments/filter")}
    return by_name if set(by_name) == {"reproduce", "refresh"} else {}


def start(api: Api, deployment: dict, **given) -> str:
    return api.post(f"deployments/{deployment['id']}/create_flow_run", {"parameters": given})["id"]


def state(api: Api, run: str) -> dict:
    [run_state] = api.post("flow_runs/filter", {"flow_runs": {"id": {"any_": [run]}}})
    return run_state["state"] | {"run": run_state["name"]}


def ended(api: Api, run: str) -> dict:
    return wait_until(lambda: (run_state := state(api, run))["type"] in FINAL and run_state)


@pytest.mark.parametrize("served", [signal.SIGTERM], indirect=True, ids=["ended-by-sigterm"])
def test_two_deployments_with_their_choices_of_which_one_at_a_time_works_in_a_workspace(offline, served):
    served_deployments = wait_until(lambda: deployments(served))
    refresh, reproduce = served_deployments["refresh"], served_deployments["reproduce"]
    [schedule] = refresh["schedules"]
    assert (schedule["schedule"]["cron"], schedule["schedule"]["timezone"]) == ("0 5 * * 1", "Asia/Tokyo")
    assert refresh["parameters"] == {"profile": "web"} and reproduce["schedules"] == []
    assert reproduce["parameter_openapi_schema"]["properties"]["profile"]["enum"] == ["small", "web"]

    printed = offline.flow(command="serve", code=1)  # at its end it would pause the deployments of the first
    assert f"is served at {served.url.removesuffix('/api')} already" in printed
    assert not any(deployment["paused"] for deployment in served.post("deployments/filter"))

    first = start(served, reproduce, targets=["a"])
    wait_until(lambda: offline.exists("data/scratch/logs/a.log"))
    second = start(served, reproduce, targets=["a"])
    refreshing = start(served, refresh)
    wait_until(lambda: state(served, second)["name"] == "Waiting")
    assert ended(served, refreshing)["message"] == "nothing new upstream"
    assert state(served, first)["type"] == "RUNNING" and state(served, first)["run"] == "small: a"
    mistaken = start(served, reproduce, targets=["a"], profile="web", overrides=["a"])
    failed = ended(served, mistaken)
    assert failed["type"] == "FAILED" and failed["message"].startswith("override 'a'")
    offline.write("quick", "")
    for run, message in ((first, "1 ran, 0 unchanged"), (second, "0 ran, 1 unchanged")):
        last = ended(served, run)
        assert last["type"] == "COMPLETED" and message in last["message"]
    assert "up to date" in offline.dvc("status", "a")

    (offline.root / "quick").unlink()
    (offline.root / "data/scratch/logs/a.log").unlink()
    start(served, reproduce, targets=["a"], force=True)  # the end of `serve` ends it
    wait_until(lambda: offline.exists("data/scratch/logs/a.log"))


def test_ctrl_c_ends_a_run_and_one_that_waits_for_it(offline, served):
    reproduce = wait_until(lambda: deployments(served))["reproduce"]
    start(served, reproduce, targets=["a"])
    wait_until(lambda: offline.exists("data/scratch/logs/a.log"))
    second = start(served, reproduce, targets=["a"])
    wait_until(lambda: state(served, second)["name"] == "Waiting")


def test_a_cron_that_is_none_is_refused(offline, prefect_home):
    offline.write("pyproject.toml", THIS_PROJECT)
    offline.write("params.yaml", "flows: {refresh: {cron: 0 5 * 1}}\n")
    printed = offline.flow(command="serve", code=1, PREFECT_HOME=str(prefect_home), TZ="Asia/Tokyo")
    assert "cron '0 5 * 1' in the time zone 'Asia/Tokyo', is wrong: Invalid cron string" in printed
    assert "Traceback" not in printed


def test_two_projects_do_not_serve_the_same_deployments_of_a_server(offline, api):
    flow = api.post("flows/", {"name": "reproduce"})["id"]
    other = {"name": "reproduce", "flow_id": flow, "version": "elsewhere:/project", "work_pool_name": None}
    deployment = api.post("deployments/", other)["id"]
    with served_elsewhere(api, deployment):
        printed = offline.flow(command="serve", code=1, PREFECT_API_URL=api.url)
    assert "has the deployment reproduce/reproduce of elsewhere:/project, which is served" in printed

    printed = offline.flow("--port", "4300", command="serve", code=1, PREFECT_API_URL=api.url)
    assert f"--port is for a server of its own, and {api.url} is configured" in printed


@contextmanager
def served_elsewhere(api, deployment):
    """Ask for the runs of a deployment again and again, as `serve` does: it is served, then."""
    stop = threading.Event()

    def ask():
        while not stop.is_set():
            api.post("deployments/get_scheduled_flow_runs", {"deployment_ids": [deployment]})
            stop.wait(5)

    asking = threading.Thread(target=ask)
    asking.start()
    this = {"deployments": {"id": {"any_": [deployment]}}}
    try:
        wait_until(lambda: api.post("deployments/filter", this)[0]["status"] == "READY")
        yield
    finally:
        stop.set()
        asking.join()

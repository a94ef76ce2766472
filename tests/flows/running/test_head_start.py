"""Stages that run while the flow's own Prefect server starts."""

import shlex
import signal
import sqlite3
import sys

import psutil
import pytest

from tests.flows.conftest import PATIENCE, stage, wait_until

pytestmark = pytest.mark.usefixtures("api")  # whose database is copied

# ends when the server has recorded the flow run, so that the stage runs before that and after it
RECORDED = "select count(*) from flow_run where name = 'small: everything'"
POLL = f"""
import sqlite3, sys, time
while not sqlite3.connect(sys.argv[1]).execute("{RECORDED}").fetchone()[0]:
    time.sleep(0.1)
"""


def rows(database, query: str) -> list[tuple]:
    with sqlite3.connect(database) as connection:
        return connection.execute(query).fetchall()


def test_stages_run_before_the_server_answers_and_prefect_records_them(offline, prefect_home):
    database = prefect_home / "prefect.db"
    poll = offline.write("poll.py", POLL)
    waiting = f"{shlex.join([sys.executable, str(poll), str(database)])} && echo the server is there"
    bad = {"bad": stage("bad", then="echo no cheese && false"), "low": stage("low", after=("bad",))}
    over = {"over": stage("over", then=waiting), "late": stage("late", after=("over",))}
    offline.stages({"quick": stage("quick", then="echo quick has run"), **bad, **over})
    printed = offline.flow("--prefect", "--jobs", "3", code=1, PREFECT_HOME=str(prefect_home))
    assert "bad failed" in printed and "no cheese" in printed and "3 ran, 0 unchanged" in printed
    states = {"quick": "Completed", "bad": "Failed", "low": "Skipped", "over": "Completed", "late": "Completed"}
    tasks = dict(rows(database, "select name, state_name from task_run where name != 'trunk'"))
    assert tasks == states
    starts = dict(rows(database, "select name, start_time from task_run"))
    ((began,),) = rows(database, "select start_time from flow_run where name = 'small: everything'")
    assert max(starts["quick"], starts["over"]) < began < starts["late"]
    assert rows(database, "select name, state_name from flow_run where name = 'trunk'") == [("trunk", "Failed")]
    task_of_line = "select task_run.name from log join task_run on task_run.id = log.task_run_id where message = "
    for name, line in (("quick", "quick has run"), ("bad", "no cheese"), ("over", "the server is there")):
        assert rows(database, f"{task_of_line}'{line}'") == [(name,)]


def test_an_interrupt_while_the_server_starts_ends_the_stages(offline, prefect_home):
    offline.stages({"slow": stage("slow", then="echo $$ > times/pid && sleep 600")})
    process = offline.start("--prefect", PREFECT_HOME=str(prefect_home))
    pid = int(offline.wait_for("times/pid"))
    process.send_signal(signal.SIGINT)
    printed = "".join(process.communicate(timeout=PATIENCE))
    assert process.returncode == 130, printed
    assert "stopped: 0 ran, 0 unchanged, 1 not finished" in printed and "Traceback" not in printed
    wait_until(lambda: not psutil.pid_exists(pid))


def test_stages_end_when_the_server_does_not_start(offline, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    lines = [  # the server ends once the stage runs
        "import os, sys, time",
        "if 'flows.servers.prefect_server' in sys.orig_argv:",
        f"    while not os.path.exists({str(offline.root / 'times/pid')!r}):",
        "        time.sleep(0.1)",
        "    sys.modules['uvicorn'] = None",
    ]
    (site / "sitecustomize.py").write_text("\n".join(lines) + "\n")
    offline.environment |= {"PYTHONPATH": f"{site}:{offline.environment['PYTHONPATH']}"}
    offline.stages({"slow": stage("slow", then="echo $$ > times/pid && sleep 600")})
    home = {"PREFECT_HOME": str(tmp_path / "home")}
    printed = offline.flow("--prefect", code=1, fresh=True, **home)
    assert "the Prefect server ended while it started" in printed and "Traceback" not in printed
    assert not psutil.pid_exists(int(offline.read("times/pid")))

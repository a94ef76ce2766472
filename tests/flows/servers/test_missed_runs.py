"""Of the runs that a schedule made while nothing served it, the last one stays."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

from tests.flows.conftest import PATIENCE

LEAVE = "from flows.servers.missed_runs import leave_the_last; print(leave_the_last('daily'))"


def test_the_last_missed_run_stays_and_so_do_those_to_come(api, served):
    now = datetime.now(UTC)
    schedule = {"interval": 24 * 3600, "anchor_date": str(now - timedelta(hours=12))}
    flow = api.post("flows/", {"name": "daily"})["id"]
    schedules = [{"schedule": schedule, "active": True}]
    deployment = api.post("deployments/", {"name": "daily", "flow_id": flow, "schedules": schedules})["id"]
    times = {"start_time": str(now - timedelta(days=4)), "end_time": str(now + timedelta(days=4)), "min_runs": 8}
    api.post(f"deployments/{deployment}/schedule", times)

    def expected() -> tuple[list[datetime], list[datetime]]:
        """When the runs that were missed, and those to come, were to start."""
        runs = api.post("flow_runs/filter", {"deployments": {"id": {"any_": [deployment]}}})
        starts = sorted(datetime.fromisoformat(run["expected_start_time"]) for run in runs)
        return [start for start in starts if start < now], [start for start in starts if start > now]

    missed, to_come = expected()
    assert len(missed) == 4 and to_come
    completed = subprocess.run(
        [sys.executable, "-c", LEAVE], env=served, capture_output=True, text=True, timeout=PATIENCE
    )
    assert completed.stdout == "3\n", completed.stderr
    missed_now, to_come_now = expected()
    assert missed_now == missed[-1:] and set(to_come) <= set(to_come_now)

"""Runs that the schedule of a deployment made for times at which nothing served it."""

from datetime import UTC, datetime

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowFilter, FlowRunFilter
from prefect.client.schemas.sorting import FlowRunSort


def leave_the_last(flow: str) -> int:
    """Delete the missed runs of a flow except for the last, which makes up for all; how many were deleted."""
    flows = FlowFilter.model_validate({"name": {"any_": [flow]}})
    missed = {"state": {"type": {"any_": ["SCHEDULED"]}}, "next_scheduled_start_time": {"before_": datetime.now(UTC)}}
    runs = FlowRunFilter.model_validate(missed)
    with get_client(sync_client=True) as client:
        late = client.read_flow_runs(flow_filter=flows, flow_run_filter=runs, sort=FlowRunSort.EXPECTED_START_TIME_DESC)
        superfluous = [run for run in late if run.auto_scheduled][1:]
        for run in superfluous:
            client.delete_flow_run(run.id)
    return len(superfluous)

"""The Prefect task that runs one stage."""

import logging
from typing import Any

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.context import TaskRunContext
from prefect.exceptions import CancelledRun, FailedRun
from prefect.states import Cancelled, Completed

from flows.processes import stage
from flows.processes.stage_options import StageOptions
from flows.project.addresses import short
from flows.servers import separate_checkouts
from flows.servers.separate_checkouts import Elsewhere


class _NoTraceback(logging.Filter):
    """Drops tracebacks of failed stages: a stage prints itself what went wrong, and our frames add nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and (record.exc_info[0] is None or issubclass(record.exc_info[0], stage.StageFailed)):
            record.exc_info = None
        return True


class _NoFinalStates(logging.Filter):
    """Drops what Prefect logs when a flow run has ended as failed or cancelled: its state has said why."""

    def filter(self, record: logging.LogRecord) -> bool:
        kind = record.exc_info[0] if record.exc_info else None
        return not (kind and issubclass(kind, FailedRun | CancelledRun))


for _name in ("prefect.task_runs", "prefect.flow_runs"):
    logging.getLogger(_name).addFilter(_NoTraceback())
for _name in ("prefect.flow_runs", "prefect.engine"):
    logging.getLogger(_name).addFilter(_NoFinalStates())


def _is_worth_a_retry(_, __, state: State) -> bool:
    return not stage.is_stopping() and not getattr(state.data, "explained", False)


@task(
    task_run_name="{address}",
    cache_policy=NO_CACHE,  # DVC knows what is unchanged
    persist_result=False,  # a stage's results are its outputs
    retry_condition_fn=_is_worth_a_retry,
)
def run_stage(
    root: str,
    address: str,
    options: dict[str, bool],
    environment: dict[str, str],
    timeout: float | None = None,
    blocked_by: str | None = None,
    elsewhere: Elsewhere | None = None,
) -> Any:
    """Run one stage that has to run, or may have to now that its inputs exist.

    `elsewhere`: where the worker has a checkout of its own; the task returns what the flow needs to know then.
    """
    if blocked_by:
        return Cancelled(name="Skipped", message=f"not run, because {short(blocked_by)} did not finish")
    logger = get_run_logger()
    context = TaskRunContext.get()
    again = context is not None and context.task_run.run_count > 1

    if elsewhere and separate_checkouts.is_default(root, elsewhere["remote"]):
        options = options | {"pull": True}

    def reproduce() -> str:
        return stage.run(
            root,
            address,
            options=StageOptions(**options),
            environment=environment,
            log=logger.info,
            again=again,
            timeout=timeout,
        )

    parcel: Any = address
    if elsewhere:
        outcome, parcel = separate_checkouts.run(root, address, reproduce, **elsewhere)
    else:
        outcome = reproduce()
    if outcome == "unchanged":
        return Completed(name="Cached", message="DVC: unchanged", data=parcel)
    return parcel

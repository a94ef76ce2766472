"""Stages as tasks of a Prefect flow run: in its threads, or on the workers of a Dask cluster."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from prefect import get_run_logger
from prefect.client.schemas.objects import State
from prefect.states import Cancelled, Completed, Crashed, Failed

from flows.display import artifacts
from flows.planning.dvc_graph import Stage
from flows.processes import stage as processes
from flows.processes.addresses import short
from flows.running.outcome import Outcome, Request, Verdict
from flows.running.stage_task import run_stage
from flows.running.systems import Systems
from flows.servers import cluster
from flows.workspaces.flow_context import flow_context

submitted: list[str] = []  # ids of the task runs of this process
_PREFIXES = ("Task run encountered an exception StageFailed: ", "Task run failed due to timeout: ")


class PrefectRunner:
    """Runs stages as tasks of the current flow run."""

    def __init__(self) -> None:
        self.logger = get_run_logger()
        self._futures: dict[str, Any] = {}

    def begin(self, plan: dict[str, Stage]) -> None:
        """Report the unchanged stages."""
        self._systems = Systems(plan, run_stage)

    def start(self, request: Request, ended: Callable[[Outcome], None]) -> None:
        """Submit the task of a stage."""
        stage = request.stage
        task = run_stage.with_options(retries=stage.retries, retry_delay_seconds=stage.retry_delay, tags=[stage.system])
        with cluster.placed(stage, flow_context().task_runner), self._systems.of(stage):
            future = task.submit(  # type: ignore[call-overload]
                root=str(request.root),
                address=stage.address,
                options=asdict(request.options),
                environment=request.environment,
                timeout=stage.timeout,
                blocked_by=request.blocked_by,
                # all have ended: this only draws Prefect's graph; with a failed task in it Prefect would cancel this
                # task without our message
                wait_for=[
                    self._futures.get(address, self._systems.states.get(address)) for address in request.upstream
                ],
            )
        self._futures[stage.address] = future
        submitted.append(str(future.task_run_id))
        future.add_done_callback(lambda _: ended(_outcome(stage.address, future, request.blocked_by)))

    def end(self, stage: Stage, outcome: Outcome) -> None:
        """Report the end of a system with that of its last stage."""
        self._systems.end(stage, outcome.how)

    def stop(self) -> None:
        """Ask the running stages to end, wherever they run."""
        runner = flow_context().task_runner
        if hasattr(runner, "client"):
            runner.client.run(processes.stop)
        else:
            processes.stop()

    def close(self) -> None:
        """Report the systems that have not ended."""
        self._systems.close()
        submitted.extend(self._systems.task_runs)

    def show(self, root: Path, profile: str, written: Sequence[str]) -> None:
        """Make artifacts of the project's tables."""
        artifacts.written(root, profile, written)

    def show_comparison(self, profile: str, lines: Sequence[str]) -> None:
        """Make an artifact of the lines."""
        artifacts.comparison(profile, lines)


def as_state(verdict: Verdict) -> State:
    """The final state of a flow run."""
    final = {"completed": Completed, "failed": Failed, "stopped": Cancelled}[verdict.how]
    return final(message=verdict.message)


def as_verdict(state: State) -> Verdict:
    """How a flow run ended."""
    how = "completed" if state.is_completed() else "stopped" if state.is_cancelled() else "failed"
    return Verdict(how, state.message or str(state.name))  # type: ignore[arg-type]


def _outcome(address: str, future: Any, blocked_by: str | None) -> Outcome:
    """How the task of a stage ended."""
    future.wait()
    state = future.state
    if not state.is_final():  # the cluster could not run the task at all, so that the task never set a state
        state = Crashed(message=f"{short(address)} did not run: {future.wrapped_future.exception()}")
    if state.is_completed():
        return Outcome("unchanged" if state.name == "Cached" else "ran")
    message = state.message or f"{short(address)}: {state.name}"
    for prefix in _PREFIXES:
        message = message.removeprefix(prefix)
    return Outcome("not run" if blocked_by else "failed", message)

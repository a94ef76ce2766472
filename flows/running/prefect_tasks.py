"""Stages as tasks of a Prefect flow run: in its threads, or on the workers of a Dask cluster."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from uuid import uuid4

from prefect import get_run_logger
from prefect.client.schemas.objects import State, StateDetails
from prefect.logging.loggers import task_run_logger
from prefect.states import Cancelled, Completed, Crashed, Failed

from flows.display import artifacts
from flows.planning.dvc_graph import Stage
from flows.processes import stage as processes
from flows.project.addresses import short
from flows.records import logs
from flows.running.head_start import EarlyStage
from flows.running.outcome import Outcome, Request, Verdict
from flows.running.stage_task import run_stage
from flows.running.systems import Systems
from flows.servers import cluster, separate_checkouts
from flows.servers.lost_hosts import LostHosts
from flows.servers.separate_checkouts import Elsewhere
from flows.workspaces.flow_context import flow_context

submitted: list[str] = []  # ids of the task runs of this process
_PREFIXES = ("Task run encountered an exception StageFailed: ", "Task run failed due to timeout: ")


class PrefectRunner:
    """Runs stages as tasks of the current flow run.

    Args:
        root: the project's folder.
        remote: the DVC remote through which checkouts of the workers' own get data; None: they share this one.
    """

    def __init__(self, root: Path, remote: str | None = None) -> None:
        self.logger = get_run_logger()
        on_workers = hasattr(flow_context().task_runner, "client")
        self._root, self._remote = str(root), remote if on_workers else None
        self._futures: dict[str, Any] = {}
        self._lost_hosts: LostHosts | None = None

    def begin(self, plan: dict[str, Stage]) -> None:
        """Report the unchanged stages; push what workers will need of them."""
        self._systems = Systems(plan, run_stage)
        task_runner = flow_context().task_runner
        if hasattr(task_runner, "client") and not self._remote:
            self._lost_hosts = LostHosts(task_runner.client, self._root)
        if self._remote:
            upstream = {name for stage in plan.values() if not stage.fingerprint for name in stage.upstream}
            unchanged = sorted(name for name in upstream if plan[name].fingerprint)
            separate_checkouts.push(self._root, unchanged, self._remote)

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
                elsewhere=self._elsewhere(request),
                # all have ended: this only draws Prefect's graph; with a failed task in it Prefect would cancel this
                # task without our message
                wait_for=[
                    self._futures.get(address, self._systems.states.get(address)) for address in request.upstream
                ],
            )
        self._futures[stage.address] = future
        submitted.append(str(future.task_run_id))
        future.add_done_callback(lambda _: ended(self._outcome(stage.address, future, request.blocked_by)))

    def _elsewhere(self, request: Request) -> Elsewhere | None:
        if not self._remote or request.blocked_by:
            return None
        upstream = list(request.upstream)
        return Elsewhere(
            remote=self._remote, upstream=upstream, upstream_parcel=separate_checkouts.parcel_of(self._root, upstream)
        )

    def _outcome(self, address: str, future: Any, blocked_by: str | None) -> Outcome:
        """How the task of a stage ended; a stage that ended elsewhere is brought here first."""
        outcome = _outcome(address, future, blocked_by)
        parcel = future.result() if self._remote and outcome.is_up_to_date else None
        if outcome.is_up_to_date:
            self._futures[address] = future.state.model_copy(update={"data": address})
        if hasattr(future.wrapped_future, "release"):
            future.wrapped_future.release()  # or Dask would run it again if the worker that has its result died
        if self._remote and parcel:
            try:
                separate_checkouts.receive(self._root, address, parcel, self._remote)
            except Exception as error:  # the future's callback would lose it, and the run wait for ever
                return Outcome("failed", f"{short(address)}: {error}")
        return outcome

    def record(self, early: EarlyStage) -> None:
        """Report a stage that has ended and began before the server was there, with what it printed."""
        if early.outcome is None:
            raise ValueError(f"{early.stage.address} has not ended")
        details = {"timestamp": early.ended, "state_details": StateDetails(task_run_id=uuid4())}
        state = _state(early.outcome, early.stage.address).model_copy(update=details)
        run = self._systems.record(early.stage, state, early.upstream, early.started)
        logger = task_run_logger(run, run_stage)
        for line in logs.lines(logs.path(early.root, early.stage.address)):
            logger.info(line)

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
        if self._lost_hosts:
            self._lost_hosts.close()
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


def _state(outcome: Outcome, address: str) -> State:
    """The final state of the task of a stage that ended like this; without data, tasks after it would wait for some."""
    match outcome.how:
        case "ran":
            return Completed(data=address)
        case "unchanged":
            return Completed(name="Cached", message="DVC: unchanged", data=address)
        case "failed":
            return Failed(message=outcome.message)
        case "stopped":
            return Cancelled(message=outcome.message)
        case "not run":
            return Cancelled(name="Skipped", message=outcome.message)


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

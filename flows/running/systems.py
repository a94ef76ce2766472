"""A sub-flow run for each system of a run, with its unchanged stages as Cached tasks: the picture of a large graph.

The sub-flow runs are records, and nothing runs in them: the schedule is one for the whole graph. A system is a folder
with a dvc.yaml; the stages of the root's dvc.yaml are the trunk.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.objects import State, StateDetails, TaskRun, TaskRunResult
from prefect.context import FlowRunContext
from prefect.states import Cancelled, Completed, Failed, Running
from prefect.tasks import Task
from prefect.utilities.engine import emit_task_run_state_change_event

from flows.planning.dvc_graph import Stage
from flows.servers import nothing_to_do
from flows.workspaces.flow_context import flow_context, flow_run


@dataclass(frozen=True)
class SystemFlow:
    """The flow that Prefect lists the runs of systems under, with the attributes that its client reads."""

    name: str = "system"
    version: str | None = None
    retries: int = 0
    retry_delay_seconds: float | None = None


class Systems:
    """The sub-flow runs of the current flow run; each opens with its first stage that has to run.

    A system whose stages are all up to date is one Cached task: reporting each of its stages to the server would take
    longer than finding out that they are unchanged.
    """

    def __init__(self, plan: Mapping[str, Stage], task: Task):
        """`plan`: each stage after the ones it depends on; `task`: runs a stage."""
        self._here = flow_context()
        self._task = task
        self._client: SyncPrefectClient = get_client(sync_client=True)
        self._stages = nothing_to_do.by_system(plan)
        self._open: dict[str, FlowRunContext] = {}
        self._ended: dict[str, Counter] = {system: Counter() for system in self._stages}
        self.states: dict[str, State] = {}  # of the unchanged stages, by address
        self.task_runs: list[str] = []  # ids of their tasks
        for system, stages in self._stages.items():
            if all(stage.fingerprint for stage in stages):
                self._all_unchanged(system, stages)
        for stage in plan.values():
            if stage.fingerprint and stage.address not in self.states:
                self.states[stage.address] = _cached(stage.fingerprint, "DVC: unchanged", stage.address)
                self._ended[stage.system]["unchanged"] += 1

    def of(self, stage: Stage) -> FlowRunContext:
        """The context to submit the task of a stage in."""
        return self._open.get(stage.system) or self._begin(stage.system)

    def end(self, stage: Stage, how: str) -> None:
        """Note how a stage ended: "ran", "unchanged", "failed", "stopped" or "not run"; the last ends its system."""
        ended = self._ended[stage.system]
        ended[how] += 1
        if ended.total() == len(self._stages[stage.system]):
            self._set(stage.system, _verdict(ended))

    def close(self) -> None:
        """End the systems that have not ended, because the run ends."""
        for system in self._open:
            if self._ended[system].total() < len(self._stages[system]):
                self._set(system, Cancelled(message=_counts(self._ended[system])))

    def _all_unchanged(self, system: str, stages: list[Stage]) -> None:
        key, message = nothing_to_do.as_one(stages)
        state = _cached(key, message, system)
        self.states |= dict.fromkeys((stage.address for stage in stages), state)
        self._record(system, system, state, [address for stage in stages for address in stage.upstream])

    def _begin(self, system: str) -> FlowRunContext:
        parent = self._client.create_task_run(
            self._task, flow_run(self._here).id, str(uuid4()), name=system, state=Running()
        )
        run = self._client.create_flow_run(
            SystemFlow(),  # type: ignore[arg-type]
            name=system,
            tags=[system],
            parent_task_run_id=parent.id,
            state=Running(),
        )
        context = self._open[system] = self._here.model_copy(update={"flow_run": run})
        with context:
            for stage in self._stages[system]:
                if stage.fingerprint:
                    self._record(system, stage.address, self.states[stage.address], stage.upstream)
        return context

    def record(self, stage: Stage, state: State, upstream: Iterable[str], started: datetime) -> TaskRun:
        """Report a stage that has ended and was no task of Prefect while it ran.

        Args:
            upstream: the stages it depends on that are up to date.
        """
        self.states[stage.address] = state
        with self.of(stage):
            return self._record(stage.system, stage.address, state, upstream, started)

    def _record(
        self, system: str, name: str, state: State, upstream: Iterable[str], started: datetime | None = None
    ) -> TaskRun:
        """Report a task that has ended to the server, as part of the flow run of the current context."""
        run_id = state.state_details.task_run_id or uuid4()
        ids = {self.states[address].state_details.task_run_id for address in upstream if address in self.states}
        inputs: list[Any] = [TaskRunResult(id=task) for task in ids - {run_id} if task is not None]
        ended: Any = state.timestamp
        began: Any = started or ended
        run = TaskRun(
            id=run_id,
            name=name,
            task_key=self._task.task_key,
            dynamic_key=str(run_id),
            cache_key=state.state_details.cache_key,
            tags=[system],
            task_inputs={"wait_for": inputs} if inputs else {},
            expected_start_time=began,
            start_time=began,
            end_time=ended,
            state=state,
        )
        emit_task_run_state_change_event(run, None, state)
        self.task_runs.append(str(run_id))
        return run

    def _set(self, system: str, state: State) -> None:
        self._client.set_flow_run_state(flow_run(self._open[system]).id, state, force=True)


def _cached(key: str, message: str, data: str) -> State:
    details = StateDetails(task_run_id=uuid4(), cache_key=key)
    return Completed(name="Cached", message=message, data=data, state_details=details)


def _verdict(ended: Counter) -> State:
    message = _counts(ended)
    if ended["failed"]:
        return Failed(message=message)
    if ended["stopped"]:
        return Cancelled(message=message)
    if ended["not run"]:
        return Cancelled(name="Skipped", message=message)
    return Completed(message=message)


def _counts(ended: Counter) -> str:
    return ", ".join(f"{count} {how}" for how, count in sorted(ended.items()) if count)

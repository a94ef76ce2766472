"""A sub-flow run for each system of a run, and its unchanged stages as Cached tasks: the picture of a large graph.

The sub-flow runs are records, and nothing runs in them: the schedule is one for the whole graph. A system is a folder
with a dvc.yaml; the stages of the root's dvc.yaml are the trunk.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import uuid4

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.objects import State, StateDetails, TaskRun, TaskRunResult
from prefect.context import FlowRunContext
from prefect.states import Cancelled, Completed, Failed, Running
from prefect.tasks import Task
from prefect.utilities.engine import emit_task_run_state_change_event

from flows.dvc_graph import Stage


@dataclass(frozen=True)
class SystemFlow:
    """The flow that Prefect lists these runs under: what its client asks of a flow."""

    name: str = "system"
    version: str | None = None
    retries: int = 0
    retry_delay_seconds: float | None = None


class Systems:
    """The sub-flow runs of the flow run that this is made in; each opens with its first stage that has to run."""

    def __init__(self, plan: Iterable[Stage], task: Task):
        """`task`: runs a stage."""
        self._here = FlowRunContext.get()
        self._task = task
        self._client: SyncPrefectClient = get_client(sync_client=True)
        self._open: dict[str, FlowRunContext] = {}
        self._left = Counter(stage.system for stage in plan)
        self._ended: dict[str, Counter] = {system: Counter() for system in self._left}
        self._unchanged: dict[str, list[TaskRun]] = {}

    def unchanged(self, stage: Stage, upstream: Iterable[State]) -> State:
        """The state of a stage that DVC calls unchanged; its task shows up with the other stages of its system.

        Args:
            stage: with the fingerprint that becomes the task's cache key.
            upstream: the states of the stages it depends on.
        """
        inputs = [TaskRunResult(id=state.state_details.task_run_id) for state in upstream]
        run_id = uuid4()
        details = StateDetails(task_run_id=run_id, cache_key=stage.fingerprint)
        state = Completed(name="Cached", message="DVC: unchanged", data=stage.address, state_details=details)
        run = TaskRun(
            id=run_id,
            name=stage.address,
            task_key=self._task.task_key,
            dynamic_key=str(run_id),
            cache_key=stage.fingerprint,
            tags=[stage.system],
            task_inputs={"wait_for": inputs} if inputs else {},
            expected_start_time=state.timestamp,
            start_time=state.timestamp,
            end_time=state.timestamp,
            state=state,
        )
        self._unchanged.setdefault(stage.system, []).append(run)
        self.end(stage, "unchanged")
        return state

    def of(self, stage: Stage) -> FlowRunContext:
        """The context to submit the task of a stage in."""
        return self._open.get(stage.system) or self._begin(stage.system, Running())

    def end(self, stage: Stage, how: str) -> None:
        """A stage has ended ("ran", "unchanged", "failed", "stopped", "not run"); with the last one its system has."""
        ended = self._ended[stage.system]
        ended[how] += 1
        self._left[stage.system] -= 1
        if not self._left[stage.system]:
            if stage.system in self._open:
                self._set(stage.system, _verdict(ended))
            else:
                self._begin(stage.system, _verdict(ended))

    def close(self) -> None:
        """The run ends here: so do the systems that have not."""
        for system in self._open:
            if self._left[system]:
                self._set(system, Cancelled(message=_counts(self._ended[system])))

    def _begin(self, system: str, state: State) -> FlowRunContext:
        parent = self._client.create_task_run(
            self._task, self._here.flow_run.id, str(uuid4()), name=system, state=Running()
        )
        run = self._client.create_flow_run(
            SystemFlow(), name=system, tags=[system], parent_task_run_id=parent.id, state=state
        )
        context = self._open[system] = self._here.model_copy(update={"flow_run": run})
        with context:
            for unchanged in self._unchanged.pop(system, []):
                emit_task_run_state_change_event(unchanged, None, unchanged.state)
        return context

    def _set(self, system: str, state: State) -> None:
        self._client.set_flow_run_state(self._open[system].flow_run.id, state, force=True)


def _verdict(ended: Counter) -> State:
    message = _counts(ended)
    if ended["failed"]:
        return Failed(message=message)
    if ended["stopped"]:
        return Cancelled(message=message)
    if ended["not run"]:
        return Cancelled(name="Skipped", message=message)
    return Completed(message=message) if ended["ran"] else Completed(name="Cached", message=message)


def _counts(ended: Counter) -> str:
    return ", ".join(f"{count} {how}" for how, count in sorted(ended.items()) if count)

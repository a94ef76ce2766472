"""The Prefect flow `reproduce`: every ready stage of the DVC graph at the same time, as a Prefect task."""

from typing import TYPE_CHECKING, Annotated, Literal

from prefect import flow, runtime
from prefect.client.schemas.objects import State
from prefect.states import Failed
from pydantic import Field

from flows.errors import InputError
from flows.planning import dvc_graph
from flows.planning.selection import Selection
from flows.planning.slots import Slots
from flows.running import head_start
from flows.running.prefect_tasks import PrefectRunner, as_state
from flows.running.whole_run import Run, carry_out, slots_of_this_machine
from flows.servers import cluster, nothing_to_do
from flows.workspaces import profiles
from flows.workspaces.flow_context import flow_context
from flows.workspaces.workspace_lock import alone

if TYPE_CHECKING:
    Profile = str
else:
    Profile = Literal[tuple(profiles.names())]  # a choice in the Prefect UI
DEFAULT = profiles.default()
Jobs = Annotated[int, Field(ge=1)]


def _name() -> str:
    return nothing_to_do.name_of_run(runtime.flow_run.parameters)


@flow(name="reproduce", flow_run_name=_name, persist_result=False)
def reproduce(
    targets: list[str] | None = None,
    profile: Profile = DEFAULT,
    overrides: list[str] | None = None,
    jobs: Jobs | None = None,
    force: bool = False,
    single_item: bool = False,
    pipeline: bool = False,
    all_pipelines: bool = False,
    downstream: bool = False,
    recursive: bool = False,
    glob: bool = False,
    force_downstream: bool = False,
    pull: bool = False,
    allow_missing: bool = False,
    no_commit: bool = False,
    no_run_cache: bool = False,
    ignore_errors: bool = False,
    remote: str | None = None,
) -> State:
    """Bring the DVC graph up to date, as `dvc repro` does, with every ready stage running at the same time.

    Args:
        targets: systems, stages, dvc.yaml files or outputs; none: those of the dvc.yaml here.
        profile: overrides of params.yaml, run in a workspace of its own.
        overrides: single parameters, such as `train.seed=1`, over those of the profile, in another workspace.
        jobs: stages at the same time (default: the number of processor cores).
        force: run the targets and what they need even if nothing changed.
        single_item: the targets alone, without what they need.
        pipeline: all of the pipelines that the targets belong to.
        all_pipelines: every stage of the project.
        downstream: the targets and what depends on them.
        recursive: the targets are folders, and all stages in them are meant.
        glob: the targets are patterns of names of stages.
        force_downstream: what depends on a stage that ran runs too.
        pull: pull data that is missing.
        allow_missing: leave a stage alone that is unchanged except for missing data.
        no_commit: do not put into the cache what the stages write.
        no_run_cache: run a stage even if it has run before with the same command and inputs.
        ignore_errors: run what depends on a failed stage, and end as if none had failed.
        remote: the DVC remote through which the workers of a Dask cluster, each with a checkout of its own, get data.
    """
    try:
        if beginning := head_start.begun.get():
            return as_state(beginning.go_on(PrefectRunner(beginning.root)))
        selection = Selection(
            tuple(targets or ()),
            single_item=single_item,
            pipeline=pipeline,
            all_pipelines=all_pipelines,
            downstream=downstream,
            recursive=recursive,
            glob=glob,
            force=force,
            force_downstream=force_downstream,
            pull=pull,
            allow_missing=allow_missing,
            no_commit=no_commit,
            no_run_cache=no_run_cache,
            ignore_errors=ignore_errors,
        )
        already_read = dvc_graph.already_read.get()
        root = already_read[0] if already_read else profiles.enter(profile, overrides or ())
        with alone(root):
            plan = already_read[1] if already_read else dvc_graph.read(root, selection)
            run = Run(root, plan, profile, selection, is_whole=not overrides)
            return as_state(carry_out(run, _slots(jobs), PrefectRunner(root, remote)))
    except InputError as error:  # raised, it would lie in Prefect's storage with its traceback
        return Failed(message=str(error))


def _slots(jobs: int | None) -> Slots:
    runner = flow_context().task_runner
    if hasattr(runner, "client"):  # Dask: the room is the cluster's, its workers' resources hold the GPUs
        threads = max(sum(runner.client.nthreads().values()), 1)
        return Slots(jobs or threads, threads, gpus=[""] * cluster.gpus(runner.client))
    return slots_of_this_machine(jobs)

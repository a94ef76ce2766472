"""Which stages a run is about, and when they count as changed: the options of `dvc repro`, with its meanings."""

from collections.abc import Sequence
from dataclasses import dataclass

from flows.processes.stage_options import StageOptions


@dataclass(frozen=True)
class Selection:
    """What `dvc repro` is asked for.

    Attributes:
        targets: stages, dvc.yaml files, .dvc files or outputs, or systems of the project; none: the dvc.yaml of the
            folder that the run is started in.
        single_item: the targets alone, without what they need.
        pipeline: all of the pipelines that the targets belong to.
        all_pipelines: every stage of the project.
        downstream: the targets and what depends on them.
        recursive: targets are folders, and all stages in them are meant.
        glob: targets are patterns of names of stages.
        force: the stages run, even if nothing changed.
        force_downstream: what depends on a stage that ran runs too, even if its inputs came out the same.
        pull: outputs and run-cache that are not here are pulled from the remote.
        allow_missing: a stage that is unchanged except for data that is not here does not run.
        no_commit: what the stages write is not put into the cache.
        no_run_cache: a stage runs even if it has run before with the same command and inputs.
        ignore_errors: what depends on a failed stage runs, too.
        interactive: the terminal is asked before each stage that has changed.
    """

    targets: Sequence[str] = ()
    single_item: bool = False
    pipeline: bool = False
    all_pipelines: bool = False
    downstream: bool = False
    recursive: bool = False
    glob: bool = False
    force: bool = False
    force_downstream: bool = False
    pull: bool = False
    allow_missing: bool = False
    no_commit: bool = False
    no_run_cache: bool = False
    ignore_errors: bool = False
    interactive: bool = False

    @property
    def targets_alone(self) -> bool:
        """Whether nothing but the targets runs: two other options take the place of --single-item."""
        return self.single_item and not (self.pipeline or self.all_pipelines)

    def of_stage(self, force: bool) -> StageOptions:
        """The options for one stage."""
        return StageOptions(force, self.pull, self.allow_missing, self.no_commit, self.no_run_cache, self.interactive)

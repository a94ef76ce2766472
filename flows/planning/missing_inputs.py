"""Files that a run cannot have: no stage makes them (a wrong path, an output that none names), or none is asked to."""

import os
from contextlib import suppress
from pathlib import Path

from dvc.output import Output
from dvc.stage import Stage

from flows.project.nearest import nearest


def missing_input(graph, stage: Stage, address: str) -> str:
    """A sentence about the first such file or folder of a stage; empty where there is none.

    A stage above it may write the file all the same, as `dvc repro` finds out when the stage's turn comes.

    Args:
        graph: the stages of the project, each with edges to the ones that it depends on.
        address: the name of the stage in the sentence.
    """
    if stage.frozen:  # it does not read its dependencies
        return ""
    upstream_outputs = [Path(out.fs_path) for upstream in graph.successors(stage) for out in upstream.outs]
    for dependency in stage.deps:
        if not dependency.is_in_repo:  # one on a dataset has no path at all
            continue
        path = Path(dependency.fs_path)
        if os.path.lexists(path):
            continue
        if any(path.is_relative_to(out) or out.is_relative_to(path) for out in upstream_outputs):
            continue
        root = stage.repo.root_dir
        siblings = [os.path.relpath(out.fs_path, root) for producer in graph for out in producer.outs]
        name = os.path.relpath(path, root)
        siblings = [out for out in siblings if os.path.dirname(out) == os.path.dirname(name)]
        return f"{address} reads {name}, which is not there and which no stage makes{nearest(name, siblings)}"
    return ""


def missing_data(stage: Stage, address: str) -> str:
    """A sentence about the first data of `dvc add` that a run with --pull cannot have; empty where there is none.

    Args:
        address: the name of the .dvc file in the sentence.
    """
    if stage.cmd or stage.deps:  # a command makes it, or it is imported again
        return ""
    for out in stage.outs:
        with suppress(Exception):  # whatever a remote raises: DVC says so when it pulls
            if not out.exists and out.changed_cache() and not _on_remote(out):
                return f"{address} stands for {out}, which is not there, and neither cache nor remote has it"
    return ""


def data_elsewhere(stage: Stage, address: str) -> str:
    """A sentence about the first data that is not here and that a run without --pull leaves where it is; or empty.

    It is data of `dvc add`, of an import, or an output of a frozen stage.

    Args:
        address: the name of the stage in the sentence.
    """
    if not stage.frozen and (stage.cmd or stage.deps):  # a run makes it
        return ""
    for out in stage.outs:
        if out.use_cache and not out.exists:
            way = f"`dvc pull {stage.addressing}`, or this run with --pull"
            if not out.changed_cache():
                way = f"`dvc checkout {stage.addressing}`"
            return f"{address} runs no command, and {out} is not here; {way} brings it"
    return ""


def _on_remote(out: Output) -> bool:
    """Whether the remote that an output is pulled from has it."""
    remote = out.repo.cloud.get_remote_odb(out.remote, hash_name=out.hash_name)
    return remote.exists(out.hash_info.value)

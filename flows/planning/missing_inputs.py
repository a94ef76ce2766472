"""Files that a stage reads, that are not there and that no stage makes: a wrong path, or an output that none names."""

import os
from pathlib import Path

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

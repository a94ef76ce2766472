"""Relative paths out of the project, which lead to another place from a workspace than from the checkout."""

import os
from collections.abc import Mapping

from dvc.output import Output
from dvc.stage import Stage

from flows.errors import InputError


def check_paths(stages: Mapping[str, Stage]) -> None:
    """Refuse stages of a workspace that name such a path; absolute ones and addresses of remotes are no matter.

    Args:
        stages: the stages of a run, by address.

    Raises:
        InputError: a stage reads or writes by such a path.
    """
    for address, stage in stages.items():
        if stage.frozen:  # it does not run
            continue
        for verb, paths in (("reads", stage.deps), ("writes", stage.outs)):
            if outside := next(filter(_is_outside, paths), None):
                raise InputError(
                    f"{address} {verb} {outside.def_path}, which is outside of the project, and cannot run in a "
                    "workspace; set the parameter in its file, and run without -S and --profile"
                )


def _is_outside(path: Output) -> bool:
    return not path.is_in_repo and os.path.normpath(path.def_path).split(os.sep)[0] == os.pardir

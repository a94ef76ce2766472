"""Notice inputs that change while a stage runs: DVC records those that it finds at the end, with outputs of the others.

Who edits params.yaml during a run would be told that everything is up to date, with the results of the old values.
"""

from collections.abc import Callable
from typing import Any

WHOLE = ""  # the name of the only file of a dependency
Values = dict[str, dict[Any, Any]]  # of each dependency: parameters, or hashes of files, by name


def notice_changed_inputs(title: str, warn: Callable[[str], None]) -> None:
    """Patch DVC, for one stage: a stage whose parameters change while its command runs fails and is not recorded.

    A stage may write on its inputs itself, as a notebook that is run in place, so that changed files are a warning.
    """
    from dvc.stage import Stage, run

    command, save = run.cmd_run, Stage.save_deps
    saved: Values = {}  # by DVC, before a command or after it
    read: Values = {}  # by the command that runs

    def save_deps(stage: Any, allow_missing: bool = False) -> None:
        save(stage, allow_missing=allow_missing)
        saved.clear()
        saved.update(_values(stage))
        try:
            _compare(stage, title, read, saved, warn)
        finally:
            read.clear()

    def cmd_run(stage: Any, dry: bool = False, run_env: Any = None) -> None:
        if not dry:
            if not saved:  # with --force DVC has not looked at them
                save_deps(stage, allow_missing=True)
            read.update(saved)
        command(stage, dry=dry, run_env=run_env)

    run.cmd_run, Stage.save_deps = cmd_run, save_deps


def _compare(stage: Any, title: str, read: Values, now: Values, warn: Callable[[str], None]) -> None:
    from dvc.dependency import ParamsDependency
    from dvc.exceptions import DvcException

    for dependency in stage.deps:
        before, after = read.get(str(dependency), {}), now.get(str(dependency), {})
        # new files in a folder are no change of what was read
        names = [str(name) for name, value in before.items() if after.get(name) != value]
        if names and isinstance(dependency, ParamsDependency):
            raise DvcException(
                f"{title}: {dependency} changed while it ran ({', '.join(names)}), and which values it read is not "
                f"known; run again, or set them back and keep what it wrote by `dvc commit -f {stage.addressing}`"
            )
        if names:
            files = f"{dependency}" if names == [WHOLE] else f"{dependency} ({', '.join(names)})"
            warn(f"{title}: {files} changed while it ran; unless it did that itself, run it again with --force")


def _values(stage: Any) -> Values:
    return {str(dependency): _of(dependency) for dependency in stage.deps if hasattr(dependency, "hash_info")}


def _of(dependency: Any) -> dict[Any, Any]:
    value = dependency.hash_info.value if dependency.hash_info else None
    if isinstance(value, dict):
        return value
    if dependency.hash_info and dependency.hash_info.isdir and dependency.obj is not None:
        files = {"/".join(key): hash_info.value for key, (_, hash_info) in dependency.obj.as_dict().items()}
        return {name: digest for name, digest in files.items() if "__pycache__" not in name}
    return {WHOLE: value}

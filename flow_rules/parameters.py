"""Every parameter of params.yaml is read by a stage, a template of a dvc.yaml or the flow, and is what that takes.

Without this check a mistyped name would go unseen while no stage that reads its section has to run, and a value of the
wrong type would be refused only when its stage starts, which may be twenty minutes later.
"""

import hashlib
import importlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.training.recipes import load_checkpointing, load_hardware

SHOWS_ALL = "report"  # the stage that shows whole sections, and reads none
# read by the flow, or by stages whose results do not depend on it (it says where they compute)
READ_BY_NO_STAGE = ("acquire", "checkpoints", "flows", "profile", "wikipedia.executor")
CODE = "data/code.json"  # the digests of the code that reads the parameters
ACCEPTED = "data/scratch/accepted_parameters"  # holds the digest of parameters and code that passed


def check(root: Path, files: Iterable[Path], names_by_stage: Mapping[str, set[str]]) -> None:
    """Raise InputError for a parameter that nothing reads, or whose value its reader refuses.

    Args:
        root: the folder of params.yaml.
        files: every dvc.yaml that has stages.
        names_by_stage: the names of params.yaml that each stage reads.
    """
    path = root / "params.yaml"
    if not path.exists():
        return
    read_names = set(READ_BY_NO_STAGE)
    for file in {*files, *root.glob("stages/*/dvc.yaml")}:  # also files without a stage: there may be no variants
        read_names |= set(re.findall(r"\$\{(?!item\b)([\w.-]+)", file.read_text(encoding="utf-8")))
    for stage, names_of_stage in names_by_stage.items():
        if stage != SHOWS_ALL:
            read_names |= names_of_stage
    values = parameters.read(path)
    for names in _leaves(values):
        above = {".".join(names[:depth]) for depth in range(1, len(names) + 1)}
        if above & read_names:
            continue
        if names[0] not in (sections := {name.split(".")[0] for name in read_names}):
            near = parameters.nearest(names[0], sections)
            raise InputError(f"params.yaml: nothing reads the section {names[0]!r}{near}")
        name = ".".join(names)
        raise InputError(f"params.yaml: nothing reads the parameter {name!r}{parameters.nearest(name, read_names)}")
    _check_values(root, values)


def _check_values(root: Path, values: parameters.Values) -> None:
    """Read every section as its stages do, unless the same code has accepted the same values before."""
    code = root / CODE
    digest = hashlib.sha256((root / "params.yaml").read_bytes() + (code.read_bytes() if code.exists() else b""))
    accepted = root / ACCEPTED
    if accepted.exists() and accepted.read_text(encoding="utf-8") == digest.hexdigest():
        return
    for file in sorted([*root.glob("stages/*/settings.py"), *root.glob("repline/systems/*/settings.py")]):
        section = file.parent.name
        if section in values and (root / "stages" / section / "dvc.yaml").exists():
            module = importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))
            module.load(values)
    load_hardware(values)
    load_checkpointing(values)
    accepted.parent.mkdir(parents=True, exist_ok=True)
    accepted.write_text(digest.hexdigest(), encoding="utf-8")


def _leaves(values: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of names to every value that is not a mapping, or is an empty one."""
    if isinstance(values, dict) and values:
        for name, value in values.items():
            yield from _leaves(value, (*above, str(name)))
    else:
        yield above

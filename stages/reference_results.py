"""The reference results of the checkout, and which parameters have changed since; the same from a workspace of it."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from repline import parameters
from repline.errors import InputError
from repline.parameters import Values
from repline.report import reference
from repline.report.result_records import ReferenceResults

WORKSPACES = Path("data/scratch/workspaces")
OTHER_KEYS = ("encoding", "hardware", "on_error")  # of any section: how broken files are read, and what trains
ABSENT = "absent"


def checkout(root: Path = Path()) -> Path:
    """The checkout that a workspace belongs to; any other folder is one itself."""
    here = root.resolve()
    depth = len(WORKSPACES.parts)
    return here.parents[depth] if here.parent.parts[-depth:] == WORKSPACES.parts else here


def read(root: Path = Path()) -> tuple[dict[str, ReferenceResults], dict[str, dict[str, list[str]]]]:
    """The results by profile, and by system and profile the parameters that have changed since they were measured.

    The parameters are those of the checkout: a workspace has those of one profile alone.
    """
    folder = checkout(root)
    references = reference.read(folder / "results")
    path = folder / "params.yaml"
    return references, older(references, parameters.read(path), folder) if path.exists() else {}


def digest(values: Values, key: str) -> str:
    """Eight hex digits of the value of one parameter, or of a whole section; `ABSENT` where there is none."""
    value: Any = values
    for part in key.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return ABSENT
        value = value[part]
    return hashlib.sha256(json.dumps(_measured(value), sort_keys=True).encode()).hexdigest()[:8]


def changed(recorded: Mapping[str, str], values: Values) -> list[str]:
    """The parameters whose digest is another one today.

    Args:
        recorded: of a system in the reference results of a profile.
        values: all parameters of that profile.
    """
    return [key for key, before in recorded.items() if digest(values, key) != before]


def older(
    references: Mapping[str, ReferenceResults], params: Values, root: str | Path = "."
) -> dict[str, dict[str, list[str]]]:
    """By system and profile, the parameters that changed since the reference results were measured.

    A profile that does not fit these parameters, as where a project keeps some of the systems, is left out: it cannot
    run, so there is nothing to compare.

    Args:
        references: by profile, from `repline.report.reference.read`.
        params: params.yaml.
        root: the folder of profiles/.
    """
    by_system: dict[str, dict[str, list[str]]] = {}
    for profile, results in references.items():
        path = Path(root) / "profiles" / f"{profile}.yaml"
        profile_values = parameters.read(path) if path.exists() else {}
        try:
            values = parameters.merge(params, profile_values, str(path))
        except InputError:  # it names a parameter that params.yaml does not have
            continue
        for name, system in results["systems"].items():
            if keys := changed(system.get("parameters", {}), values):
                by_system.setdefault(name, {})[profile] = keys
    return by_system


def deviating(references: Mapping[str, ReferenceResults], runs: Mapping[str, Path]) -> dict[str, dict[str, list[str]]]:
    """By system and profile, the parameters of a run that are not those of the profile's reference results.

    So a run on data of one's own, or of other sizes, can be told from one that repeats the reference.

    Args:
        references: by profile, from `repline.report.reference.read`.
        runs: by profile, the folder of a checkout or workspace that it was run in.
    """
    by_system: dict[str, dict[str, list[str]]] = {}
    for profile in references.keys() & runs.keys():
        values = parameters.read(runs[profile] / "params.yaml")
        for name, system in references[profile]["systems"].items():
            if keys := changed(system.get("parameters", {}), values):
                by_system.setdefault(name, {})[profile] = keys
    return by_system


def _measured(value: Any) -> Any:
    """A value without the keys that change no number."""
    if isinstance(value, Mapping):
        return {key: _measured(part) for key, part in value.items() if key not in OTHER_KEYS}
    return [_measured(part) for part in value] if isinstance(value, list) else value

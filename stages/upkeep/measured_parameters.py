"""Which results were measured with other parameters than today's: `python -m stages.upkeep.measured_parameters`.

results/<profile>.json holds, for each system, a digest of every parameter that its stages and those before them name.
The systems' pages say which of them have changed since. Nothing is run.
"""

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import networkx
from dvc.dependency import ParamsDependency
from dvc.repo import Repo

from repline import parameters
from repline.errors import InputError
from repline.parameters import Values
from repline.report import reference
from repline.report.result_records import ReferenceResults

PARAMETERS = "params.yaml"
OTHER_SECTIONS = ("acquire", "checkpoints", "hardware", "profile")  # they change no number, or name what is there
OTHER_KEYS = ("encoding", "hardware", "on_error")  # of any section: how broken files are read, and what trains
ABSENT = "absent"


def of_systems(root: str | Path, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The digests of the parameters that the stages of each system, and all stages before them, name.

    Args:
        root: a DVC repository, with the parameters of one profile.
        names: of systems.

    Returns:
        system -> parameter ("rrnet.expressions", "vectors.imports.glove-6b-50d") -> eight hex digits.
    """
    here = os.getcwd()
    try:
        with Repo(str(root)) as repo:
            os.chdir(repo.root_dir)
            named: dict[str, set[str]] = {name: set() for name in names}
            graph = repo.index.graph
            for stage in graph:
                system = Path(stage.path).parent.name
                if system in named:
                    upstream = {stage, *networkx.descendants(graph, stage)}
                    named[system].update(_shortened(key, system) for each in upstream for key in _named(each))
            values = parameters.read(PARAMETERS)
    finally:
        os.chdir(here)
    return {system: {key: digest(values, key) for key in sorted(keys)} for system, keys in named.items()}


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


def older(references: Mapping[str, ReferenceResults], params: Values) -> dict[str, dict[str, list[str]]]:
    """By system and profile, the parameters that changed since the reference results were measured.

    Args:
        references: by profile, from `repline.report.reference.read`.
        params: params.yaml.
    """
    by_system: dict[str, dict[str, list[str]]] = {}
    for profile, results in references.items():
        path = f"profiles/{profile}.yaml"
        overridden = Path(path).exists()
        values = parameters.merge(params, parameters.read(path), path) if overridden else params
        for name, system in results["systems"].items():
            if keys := changed(system.get("parameters", {}), values):
                by_system.setdefault(name, {})[profile] = keys
    return by_system


def _named(stage: Any) -> Iterable[str]:
    for dep in stage.deps:
        if isinstance(dep, ParamsDependency) and Path(dep.fs_path).name == PARAMETERS:
            for key in dep.params:
                if key.split(".")[0] not in OTHER_SECTIONS and key.split(".")[-1] not in OTHER_KEYS:
                    yield key


def _shortened(key: str, system: str) -> str:
    """A section of the system itself, or what another section holds under a name."""
    parts = key.split(".")
    return ".".join(parts[: 2 if parts[0] == system else 3])


def _measured(value: Any) -> Any:
    """A value without the keys that change no number."""
    if isinstance(value, Mapping):
        return {key: _measured(part) for key, part in value.items() if key not in OTHER_KEYS}
    return [_measured(part) for part in value] if isinstance(value, list) else value


def main(arguments: list[str]) -> int:
    """Print a line for each system and profile with older parameters; with --check return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m stages.upkeep.measured_parameters", description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 if there are any")
    options = parser.parse_args(arguments)
    changes = older(reference.read(), parameters.read())
    for name, profiles in changes.items():
        for profile, keys in profiles.items():
            print(f"{name}, {profile}: measured before {', '.join(keys)} changed")
    if not changes:
        print("all reference results were measured with the parameters of today")
    return int(bool(changes) and options.check)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except InputError as error:
        sys.exit(f"stages.upkeep.measured_parameters: {error}")

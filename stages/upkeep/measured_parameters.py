"""Which results were measured with other parameters than today's: `python -m stages.upkeep.measured_parameters`.

results/<profile>.json holds, for each system, a digest of every parameter that its stages and those before them name.
The systems' pages say which of them have changed since. Nothing is run.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import networkx
from dvc.dependency import ParamsDependency
from dvc.repo import Repo

from repline import parameters
from repline.errors import InputError
from repline.report import reference
from stages.reference_results import OTHER_KEYS, digest, older

PARAMETERS = "params.yaml"
OTHER_SECTIONS = ("acquire", "checkpoints", "hardware", "profile")  # they change no number, or name what is there


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

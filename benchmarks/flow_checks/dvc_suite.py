"""DVC's own tests of `repro`, with the flow in place of `Repo.reproduce`.

    python -m benchmarks.flow_checks.dvc_suite CHECKOUT --python PYTHON

CHECKOUT is a checkout of DVC with its tests, PYTHON an interpreter with that version of DVC, the requirements of its
tests and those of `flows`. The tests run twice there, without and with the flow; the outcomes that differ are listed.
A stage runs in a process of its own then, so a test that replaces or spies on DVC's functions sees none of it.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pytest
    from dvc.repo import Repo
    from dvc.stage import Stage

OURS = Path(__file__).resolve().parents[2]
USUAL = (
    "tests/func/repro",
    "tests/func/test_run_cache.py",
    "tests/func/test_run.py",
    "tests/func/test_stage.py",
    "tests/func/test_lockfile.py",
    "tests/func/test_dvcfile.py",
    "tests/func/test_dataset.py",
    "tests/func/plots/test_diff.py",
    "tests/func/api/test_show.py",
    "tests/func/experiments/test_save.py",
)
PATIENCE = 120  # seconds that a run may take
# options of `Repo.reproduce` that are options of the flow by the same name
NAMES = (
    "force",
    "single_item",
    "pipeline",
    "all_pipelines",
    "downstream",
    "recursive",
    "glob",
    "force_downstream",
    "pull",
    "allow_missing",
    "no_commit",
    "interactive",
    "dry",
)
ON_ERROR = {"keep-going": ["--keep-going"], "ignore": ["--ignore-errors"]}
RAN = re.compile(
    r"^\d\d:\d\d:\d\d ran (.+) \([^()]*\)$|^(?:would run ([^,\n]+)|may run ([^,\n]+), after .*)$", re.MULTILINE
)


class Reproduce(Protocol):
    """DVC's own `Repo.reproduce`."""

    def __call__(self, repo: "Repo", targets: object = None, **options: object) -> "list[Stage]": ...


def pytest_configure(config: "pytest.Config") -> None:
    """Replace `Repo.reproduce`: this module is a plugin of the second run."""
    from dvc.repo import Repo

    original: Reproduce = Repo.reproduce

    def reproduce(repo: Repo, targets: Iterable[str] | str | None = None, **options: object) -> "list[Stage]":
        if "repro_fn" in options:  # `dvc exp run`, and tests that look inside
            return original(repo, targets, **options)
        return _by_flow(repo, [targets] if isinstance(targets, str) else list(targets or ()), options)

    Repo.reproduce = reproduce


def _by_flow(repo: "Repo", targets: list[str], options: dict[str, object]) -> "list[Stage]":
    """Run the flow, and return the stages that ran, or raise what DVC would."""
    flags = [f"--{name.replace('_', '-')}" for name in NAMES if options.pop(name, False)]
    flags += [] if options.pop("run_cache", True) else ["--no-run-cache"]
    flags += ON_ERROR.get(str(options.pop("on_error", "fail")), [])
    if options:
        raise NotImplementedError(f"the flow has no option {', '.join(options)}")
    command = [sys.executable, "-P", "-m", "flows", "reproduce", "--no-prefect", *flags, *targets]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    print(done.stdout, done.stderr, file=sys.stderr)
    repo._reset()
    if done.returncode:
        _raise(repo, targets, options, done.stdout + done.stderr)
    return [_stage(repo, next(filter(None, match.groups()))) for match in RAN.finditer(done.stdout)]


def _raise(repo: "Repo", targets: list[str], options: dict[str, object], printed: str) -> None:
    """Raise the error of DVC's planning, if there is one, or else that a stage failed."""
    from dvc.exceptions import ReproductionError
    from dvc.repo.reproduce import collect_stages

    collect_stages(repo, targets or ["dvc.yaml"])
    repo.index.check_graph()
    raise ReproductionError(printed)


def _stage(repo: "Repo", address: str) -> "Stage":
    """A stage by its address in the root folder."""
    file, _, name = ("", "", "") if address.endswith(".dvc") else address.rpartition(":")
    path = os.path.join(repo.root_dir, file or (address if not name else "dvc.yaml"))
    return repo.stage.load_one(path, name or None)


def main() -> None:
    """Run the tests twice and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="a checkout of DVC")
    parser.add_argument(
        "--python", default=sys.executable, help="the interpreter that has DVC and its tests' requirements"
    )
    parser.add_argument("tests", nargs="*", default=USUAL, help="tests to run (default: those that call `repro`)")
    options = parser.parse_args()
    alone, with_flow = (
        _outcomes(options.checkout, options.python, options.tests, plugin) for plugin in ([], ["-p", __spec__.name])
    )
    for name in sorted(alone):
        if alone[name][0] != with_flow.get(name, ("missing", ""))[0]:
            print(f"{name}\n    DVC {alone[name][0]}, flow {': '.join(with_flow.get(name, ('missing', '')))}")
    for who, outcomes in (("DVC", alone), ("flow", with_flow)):
        print(f"{who}: {dict(Counter(outcome for outcome, _ in outcomes.values()))}")


def _outcomes(checkout: Path, python: str, tests: Iterable[str], plugin: list[str]) -> dict[str, tuple[str, str]]:
    """How each test ended, with the first line of what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("tests", "pyproject.toml"):  # without DVC itself, which would hide the installed one
            copy = shutil.copytree if (checkout / name).is_dir() else shutil.copy
            copy(checkout / name, Path(folder, name))
        report = Path(folder) / "report.xml"
        environment = os.environ | {"PYTHONPATH": str(OURS), "FLOW_SLOTS": folder}
        command = [
            python,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-o",
            "addopts=",
            f"--junitxml={report}",
            *plugin,
            *tests,
        ]
        subprocess.run(command, cwd=folder, env=environment)
        cases = ElementTree.parse(report).getroot().iter("testcase")
        return {f"{case.get('classname')}::{case.get('name')}": _outcome(case) for case in cases}


def _outcome(case: ElementTree.Element) -> tuple[str, str]:
    for kind in ("failure", "error", "skipped"):
        if (element := case.find(kind)) is not None:
            return kind, (element.get("message") or "").splitlines()[0][:200] if element.get("message") else ""
    return "passed", ""


if __name__ == "__main__":
    main()

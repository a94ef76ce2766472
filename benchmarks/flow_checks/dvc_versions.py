"""The flow with several releases of DVC, each in an environment of its own: its tests, and a new project.

    python -m benchmarks.flow_checks.dvc_versions --folder FOLDER            # the last three minor releases
    python -m benchmarks.flow_checks.dvc_versions --folder FOLDER 3.66.1     # one of them

A release that does not run with the newest releases of its own dependencies gets the last ones that it runs with
(`OLDER_REQUIREMENTS`). The project has four stages, two of which can run side by side. It runs in an environment with
the wheel of the flow alone, the tests in another that has Prefect, Dask and pytest too. Environments in FOLDER are
used again.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
TESTS = (
    "tests/flows/inside_dvc",
    "tests/flows/processes/test_interruption.py",
    "tests/flows/processes/test_other_dvc.py",
    "tests/flows/records",
    "tests/flows/comparing",
    "tests/flows/planning/test_explain.py",
    "tests/flows/test_any_project.py",
    "tests/flows/test_options.py",
    "tests/flows/test_without_prefect.py",
)
# what the tests and the process that starts their commands import, in the releases of this environment
TEST_DISTRIBUTIONS = (
    *("dask", "distributed", "fastapi", "graphviz", "prefect", "prefect-dask", "pyarrow", "pytest", "pytest-timeout"),
    *("pytest-xdist", "sqlalchemy"),
)
OLDER_REQUIREMENTS = {"3.65": ("pathspec<1",)}  # which has removed a name that DVC imports
RELEASES = 3
REPEATS = 3
STAGES = """stages:
  a: {cmd: sleep 1 && cat in > a, deps: [in], outs: [a]}
  b: {cmd: sleep 1 && cat in > b, deps: [in], outs: [b]}
  c: {cmd: sleep 1 && cat a b > c, deps: [a, b], outs: [c]}
  d: {cmd: sleep 1 && cat c > d, deps: [c], outs: [d]}
"""
CRITICAL_PATH = 3.0  # seconds, of these stages with two jobs


def main() -> None:
    """Check each release and print a line for it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="where the environments are")
    parser.add_argument("--without-tests", action="store_true", help="run the new project alone")
    parser.add_argument("versions", nargs="*", help="of DVC (default: the last three minor releases)")
    options = parser.parse_args()
    for version in options.versions or last_releases():
        environment_of_wheel = environment(options.folder.absolute() / f"dvc-{version}", version)
        print(f"DVC {version}: four stages by the wheel alone: {new_project(environment_of_wheel / 'bin')}", flush=True)
        if not options.without_tests:
            environment_of_tests = environment(
                options.folder.absolute() / f"dvc-{version}-tests", version, requirements_of_tests()
            )
            print(f"DVC {version}: {tests(environment_of_tests)}", flush=True)


def last_releases() -> list[str]:
    """The last patch of each of the newest minor releases that the package index has."""
    command = [sys.executable, "-m", "pip", "index", "versions", "dvc"]
    completed = subprocess.run(command, check=True, capture_output=True, text=True)
    versions = re.findall(r"\d+\.\d+\.\d+", completed.stdout.partition("Available versions:")[2])
    newest_patches: dict[str, str] = {}
    for version in versions:  # the newest first
        newest_patches.setdefault(version.rpartition(".")[0], version)
    return list(newest_patches.values())[:RELEASES]


def requirements_of_tests() -> list[str]:
    """Requirements of the tests; with exact releases, pip looks for no others."""
    return [f"{name}=={metadata.version(name)}" for name in TEST_DISTRIBUTIONS]


def environment(folder: Path, version: str, requirements: Iterable[str] = ()) -> Path:
    """An environment with the wheel of the flow, a release of DVC, and nothing else but `requirements`."""
    if not folder.exists():
        venv.create(folder, with_pip=True)
        with tempfile.TemporaryDirectory() as built:
            source = Path(built) / "flows"
            shutil.copytree(CHECKOUT / "flows", source, ignore=shutil.ignore_patterns("__pycache__", "build"))
            pip(folder, "wheel", "--no-deps", "--wheel-dir", built, str(source))
            (wheel,) = Path(built).glob("*.whl")
            older_requirements = OLDER_REQUIREMENTS.get(version.rpartition(".")[0], ())
            pip(folder, "install", str(wheel), f"dvc=={version}", *older_requirements, *requirements)
    return folder


def new_project(binaries: Path) -> str:
    """Run four stages from nothing; the best of several runs, in words."""
    fastest = min((time_new_project(binaries) for _ in range(REPEATS)), key=sum)
    flow, core_seconds, no_op, status = fastest
    return (
        f"{flow - CRITICAL_PATH:.1f} s over their critical path of {CRITICAL_PATH:.0f} s, "
        f"{core_seconds:.1f} core-seconds; nothing to do: {no_op:.2f} s, dvc status {status:.2f} s"
    )


def time_new_project(binaries: Path) -> tuple[float, float, float, float]:
    """Seconds and core-seconds of the run, seconds of one more with nothing to do, and of `dvc status`."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        root.mkdir()
        hidden = ("PYTHONPATH", "VIRTUAL_ENV", "PREFECT_API_URL")
        variables = {name: value for name, value in os.environ.items() if name not in hidden}
        variables |= {"FLOW_SLOTS": f"{folder}/slots", "DVC_SITE_CACHE_DIR": f"{folder}/dvc", "DVC_NO_ANALYTICS": "1"}

        def seconds(*command: str | Path) -> float:
            start = time.perf_counter()
            subprocess.run(command, cwd=root, env=variables, check=True, capture_output=True)
            return time.perf_counter() - start

        python = binaries / "python"
        seconds("git", "init", "--quiet")
        seconds(python, "-m", "dvc", "init", "--quiet")
        (root / "in").write_text("input\n")
        (root / "dvc.yaml").write_text(STAGES)
        core_seconds_before = core_seconds_of_children()
        flow = seconds(binaries / "dvc-parallel", "reproduce", "--jobs", "2")
        core_seconds = core_seconds_of_children() - core_seconds_before
        assert (root / "d").read_text() == "input\ninput\n"
        no_op = seconds(binaries / "dvc-parallel", "reproduce")
        return flow, core_seconds, no_op, seconds(python, "-m", "dvc", "status")


def core_seconds_of_children() -> float:
    """Core-seconds of all commands that have ended so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def tests(environment: Path) -> str:
    """The last line that the tests print, and the names of those that failed."""
    command = [str(environment / "bin/python"), "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *TESTS]
    hidden = ("PYTHONPATH", "VIRTUAL_ENV", "PREFECT_API_URL")
    variables = {name: value for name, value in os.environ.items() if name not in hidden}
    completed = subprocess.run(command, cwd=CHECKOUT, env=variables, capture_output=True, text=True)
    *lines, summary = completed.stdout.strip().splitlines() or [completed.stderr.strip()]
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return "\n    ".join([summary, *failed])


def pip(environment: Path, *arguments: str) -> None:
    """Run pip in an environment."""
    command = [str(environment / "bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main()

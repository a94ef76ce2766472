"""The real pipeline on the tiny profile: run once undisturbed, and copied for every test that disturbs it."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import yaml

from repline import parameters
from tests.commands import FORKS as STAGES
from tests.forks import Command, Forks
from tests.prefect_servers import running, shared_database

FLOWS = Forks("flows")
PROJECT = Path(__file__).parents[2]
FAMILIES = ("urn", "wikipedia")  # folders of stages/: one system, and a corpus
CORPORA = ("agreement", "dyck")  # of that system
MOMENTS = Path(__file__).parent / "moments"
PATIENCE = 480  # seconds; a busy machine is slow, a hang is a failure
EVERYTHING = ("dvc.yaml", "stages/wikipedia/dvc.yaml")  # no other tiny stage needs Wikipedia's
PAGE = "report/index.html"  # a view of the outputs; it shows when each stage ran, so two runs differ in it


class Checkout:
    """A Git and DVC repository of the project with the parameters of the tiny profile, and its processes."""

    def __init__(self, root: Path, environment: dict[str, str], python: Path):
        """`python`: a program whose `python -m MODULE` is a fork."""
        self.root, self.environment, self.python = root, environment, python

    def start(
        self, *command: str, forked: bool = False, fresh: bool = False, **environment: str
    ) -> Command | subprocess.Popen:
        """A process that leads a session of its own; what it prints on stdout and stderr comes together.

        Args:
            command: a module and its arguments.
            forked: the stages that it starts are forks, and no new interpreters with a hash seed of their own.
            fresh: it is a new interpreter itself, and no fork.
        """
        path = {"PATH": os.pathsep.join([str(self.python.parent), self.environment["PATH"]])} if forked else {}
        variables = self.environment | path | environment
        if not fresh:
            forks = FLOWS if command[0] in ("dvc", "flows") else STAGES
            options = {"environment": variables, "new_session": True, "merged": True}
            if command[0] == "flows":
                options |= {"spares": 2, "executable": str(self.python) if forked else None}
            return forks.start(self.root, *command, **options)
        return subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=self.root,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, *command: str, code: int | None = 0, forked: bool = False, **environment: str) -> str:
        """Run `python -m COMMAND` to its end and return what it printed.

        Args:
            command: a module and its arguments.
            code: its exit code; None for any failure.
            forked: as for `start`.
        """
        process = self.start(*command, forked=forked, **environment)
        try:
            printed, _ = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        assert process.returncode == code or (code is None and process.returncode), printed
        return printed

    def outputs(self) -> dict[str, str]:
        """sha256 of every file in data/ that must be the same on every run, by path; unfinished ones are left out."""
        files = {path.relative_to(self.root / "data"): path for path in (self.root / "data").rglob("*")}
        return {
            str(name): hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in files.items()
            if path.is_file()
            and name.parts[0] != "scratch"
            and name.name != "README.md"  # the cards of models are views, which the report writes
            and str(name) != PAGE
            and not unfinished(name)
        }

    def unfinished(self) -> list[Path]:
        return [path for path in (self.root / "data").rglob("*") if unfinished(path.relative_to(self.root / "data"))]

    def assert_clean(self) -> None:
        """Nothing has to run but what always does."""
        assert self.run("dvc", "status").split() == ["stages/code/dvc.yaml:digest:", "always", "changed"]

    def assert_nothing_runs(self) -> None:
        """Every process that was started here has ended."""
        deadline = time.monotonic() + 20
        while left := [process for process in psutil.process_iter(["cwd"]) if process.info["cwd"] == str(self.root)]:
            assert time.monotonic() < deadline, left
            time.sleep(0.05)

    def change(self, **values: object) -> None:
        """Set parameters: `change(**{"urn.dyck.n": 2})`."""
        path = self.root / "params.yaml"
        content = parameters.read(path)
        for dotted, value in values.items():
            *sections, name = dotted.split(".")
            parameters.section(content, ".".join(sections))[name] = value
        path.write_text(yaml.safe_dump(content, sort_keys=False))

    def copy(self, root: Path, cache: bool) -> "Checkout":
        """A copy with all outputs; without DVC's cache, removed outputs have to be made again."""
        left_out = () if cache else (str(self.root / ".dvc" / "cache"),)

        def ignored(folder: str, names: list[str]) -> list[str]:
            return [name for name in names if os.path.join(folder, name) in left_out]

        shutil.copytree(self.root, root, symlinks=True, ignore=ignored, dirs_exist_ok=True)
        return Checkout(root, self.environment, self.python)


def unfinished(path: Path) -> bool:
    """Whether it is, or is in, a hidden sibling of an output to be."""
    return any(part.startswith(".") and part.endswith(".partial") for part in path.parts)


def moment(hit: Path, program: str, event: str, path: str, *, count=1, sent=signal.SIGKILL, group=False) -> dict:
    """Environment in which a program gets a signal just before its `count`-th event on `path`: see `moments`."""
    described = {"program": program, "event": event, "path": path, "count": count, "signal": int(sent), "group": group}
    return {"MOMENT": json.dumps(described | {"hit": str(hit)}), "PYTHONPATH": str(MOMENTS)}


def family(path: str) -> str | None:
    """The system or corpus that a dependency of the report belongs to."""
    room, *inner = path.split("/")
    if room == "data":
        return inner[1]
    return inner[0] if room == "stages" and len(inner) > 1 else None


def make_checkout(root: Path, environment: dict[str, str], python: Path) -> Checkout:
    """What git lists of the project, as a repository of its own with nothing made yet."""
    listing = ["git", "-C", str(PROJECT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        folder = name.split("/")[1] if name.count("/") > 1 and name.startswith("stages/") else None
        if folder not in (None, "code", *FAMILIES) or (name.startswith("data/") and name != "data/README.md"):
            continue
        original = PROJECT / name
        if (original.is_file() or original.is_symlink()) and original.name != "dvc.lock":
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(original, root / name, follow_symlinks=False)
    tiny = parameters.read(root / "profiles" / "tiny.yaml")
    merged = parameters.merge(parameters.read(root / "params.yaml"), tiny) | {"profile": "tiny"}
    sections = ("profile", "acquire", "flows", "hardware", *FAMILIES, *CORPORA)
    merged = {key: value for key, value in merged.items() if key in sections}
    merged["acquire"]["sources"] = ["wikipedia_bg_excerpt", "agreement_templates"]
    (root / "params.yaml").write_text(yaml.safe_dump(merged, sort_keys=False))
    trunk = yaml.safe_load((root / "dvc.yaml").read_text())
    report = trunk["stages"]["report"]
    report["deps"] = [path for path in report["deps"] if family(path) in (None, *FAMILIES, *CORPORA)]
    report["params"] = [name for name in report["params"] if isinstance(name, dict) or name in merged]
    (root / "dvc.yaml").write_text(yaml.safe_dump(trunk, sort_keys=False))
    author = ["-c", "user.name=A Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "-A"], [*author, "commit", "-q", "-m", "The tiny profile"]):
        subprocess.run(["git", *command], cwd=root, env=environment, check=True)
    return Checkout(root, environment, python)


@pytest.fixture(scope="session")
def environment(tmp_path_factory) -> dict[str, str]:
    """Variables of every process: separate homes, no server configured, one thread, nothing phones home."""
    foreign = ("PREFECT_", "DVC_", "GIT_", "REPLINE_", "PYTHONPATH")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return inherited | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PREFECT_HOME": str(tmp_path_factory.mktemp("prefect")),
        "DVC_SITE_CACHE_DIR": str(tmp_path_factory.mktemp("dvc")),
        "FLOW_SLOTS": str(tmp_path_factory.mktemp("slots")),  # flows of others on this machine do not count
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DVC_NO_ANALYTICS": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONUNBUFFERED": "1",
    }


@pytest.fixture(scope="session")
def served(tmp_path_factory, environment) -> Iterator[dict[str, str]]:
    """An environment whose flows report to a Prefect server of these tests."""
    with running(environment, shared_database(tmp_path_factory)) as url:
        yield environment | {"PREFECT_API_URL": url}


@pytest.fixture(scope="session")
def python(tmp_path_factory) -> Path:
    """A program whose `python -m MODULE` is a fork."""
    return STAGES.interpreter(tmp_path_factory.mktemp("interpreter"))


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory, environment, python) -> Checkout:
    """A checkout in which `dvc repro` made everything; not to be changed. `printed` is what that said.

    Its stages are forks of one interpreter. Others that run again have a hash seed of their own, and make the same.
    """
    checkout = make_checkout(tmp_path_factory.mktemp("undisturbed"), environment, python)
    checkout.printed = checkout.run("dvc", "repro", *EVERYTHING, forked=True)
    return checkout


@pytest.fixture(scope="session")
def expected(undisturbed) -> dict[str, str]:
    """sha256 of every output of the undisturbed run."""
    return undisturbed.outputs()

"""The flow's own wheel, in an environment that has what it asks for alone, on a project that is new to it."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from tests.flows.conftest import CHECKOUT, stage

TABLES = tomllib.loads((CHECKOUT / "flows/pyproject.toml").read_text())


def test_the_wheel_lists_every_folder_of_the_package():
    walk = os.walk(CHECKOUT / "flows", followlinks=True)  # code_digests is a link to the library's
    folders = {Path(folder).relative_to(CHECKOUT) for folder, _, files in walk if "__init__.py" in files}
    packages = {".".join(folder.parts) for folder in folders if "build" not in folder.parts}
    assert set(TABLES["tool"]["setuptools"]["packages"]) == packages


def test_the_house_has_what_the_wheel_needs():
    """`repline[pipeline]` cannot name dvc-parallel, which no registry has: a clone runs it from its folder."""
    extra = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["pipeline"]
    present = {Requirement(text).name for text in extra} | {"pyyaml"}  # which the library itself needs
    present |= {Requirement(text).name.lower() for text in distribution("dvc").requires or ()}
    for needed in map(Requirement, TABLES["project"]["dependencies"]):
        assert needed.name in present
        assert distribution(needed.name).version in needed.specifier


def needed_distributions() -> set[str]:
    """The names of what the wheel needs without extras, and of what that needs."""
    names, waiting = set[str](), [Requirement(text) for text in TABLES["project"]["dependencies"]]
    while waiting:
        needed = waiting.pop()
        extras = needed.extras or {""}
        name = needed.name.lower().replace("_", "-")
        if name in names:
            continue
        names.add(name)
        for text in distribution(name).requires or ():
            further = Requirement(text)
            if further.marker is None or any(further.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(further)
    return names


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    """The program of the installed wheel, in an environment with links to what the wheel needs."""
    folder = tmp_path_factory.mktemp("distribution")
    shutil.copytree(CHECKOUT / "flows", folder / "flows", ignore=shutil.ignore_patterns("__pycache__", "build"))
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = [*pip, "wheel", "--no-build-isolation", "--no-deps", "-w", str(folder), str(folder / "flows")]
    subprocess.run(wheel, check=True)
    venv.create(folder / "environment", with_pip=False)
    python = folder / "environment/bin/python"
    (built,) = folder.glob("dvc_parallel-*.whl")
    install = [*pip, "--python", str(python), "install", "--no-deps", "--no-index", str(built)]
    subprocess.run(install, check=True)
    site = next((folder / "environment/lib").glob("python*/site-packages"))
    for name in needed_distributions():
        for part in {Path(str(file)).parts[0] for file in distribution(name).files or ()} - {"..", "__pycache__"}:
            if not (site / part).exists():
                (site / part).symlink_to(Path(sysconfig.get_path("purelib")) / part)
    return folder / "environment/bin/dvc-parallel"


def test_a_new_project_of_four_stages_runs_in_parallel(program, tmp_path, environment):
    clean = {name: value for name, value in environment.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def run(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True, timeout=90)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    python = program.with_name("python")
    run("git", "init", "-q")
    run(python, "-m", "dvc", "init", "-q")
    (tmp_path / "in.txt").write_text("input\n")
    stages = {"a": stage("a", 1.0), "b": stage("b", 1.0)}
    stages |= {"c": stage("c", after=("a", "b")), "d": stage("d", after=("c",))}
    (tmp_path / "dvc.yaml").write_text(yaml.safe_dump({"stages": stages}))
    absent = ("torch", "repline", "prefect", "stages")
    code = f"import importlib.util; print([name for name in {absent} if importlib.util.find_spec(name)])"
    assert run(python, "-c", code) == "[]\n"
    assert "everything is up to date: 4 ran, 0 unchanged" in run(program, "reproduce", "--jobs", "2")
    spans = [tuple(map(float, (tmp_path / f"times/{name}").read_text().split())) for name in "ab"]
    assert min(end for _, end in spans) > max(start for start, _ in spans)
    assert "up to date" in run(python, "-m", "dvc", "status")
    assert "Nothing to do, stages up to date: 4" in run(program, "reproduce")
    (tmp_path / "e.py").write_text("print(1)\n")
    (tmp_path / "dvc.yaml").write_text(yaml.safe_dump({"stages": stages | {"e": {"cmd": "python e.py"}}}))
    assert "the stage 'code', which writes code.json" in run(program, "digests", "--add")
    assert yaml.safe_load((tmp_path / "dvc.yaml").read_text())["stages"]["code"]["cmd"] == "dvc-parallel digests"
    run(program, "digests")
    assert list(json.loads((tmp_path / "code.json").read_text())) == ["e"]
    assert (
        "need Prefect"
        in subprocess.run(
            [program, "reproduce", "--prefect"], cwd=tmp_path, env=clean, capture_output=True, text=True
        ).stderr
    )

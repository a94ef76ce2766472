"""docs/adding-a-system.md, followed to the letter in a copy of the project: what its reader gets."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from repline import yaml_text
from repline.vectors import store
from stages.upkeep import dependencies

ROOT = Path(__file__).parent.parent
SECTION = re.compile(r"^## ([^\n]*)\n((?:```.*?^```|.)*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
PATH_IN_HEADING = re.compile(r"`([\w/.]+)`$")
NAME = "frequency_probe"
STEPS = ("train@probe", "train@shuffled", "evaluate")


def written_by_the_reader():
    """Path -> text: the first block under every heading that ends with a path."""
    files = {}
    for heading, text in SECTION.findall((ROOT / "docs/adding-a-system.md").read_text(encoding="utf-8")):
        if match := PATH_IN_HEADING.search(heading):
            files[match[1]] = BLOCK.search(text)[1]
    return files


def run(project, *command):
    """`python -m COMMAND` in the copy, alone with its own code."""
    left_out = ("DVC_", "GIT_", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE")  # the last: what is compiled is used again
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    folder = str(Path(sys.executable).parent)
    environment = inherited | {
        "PATH": os.pathsep.join([folder, os.environ["PATH"]]),
        "DVC_SITE_CACHE_DIR": str(project.parent / "dvc"),
        "DVC_NO_ANALYTICS": "1",
    }
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=project, env=environment, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The project with the new system in it, its generated files written, and toy vectors for its stage.

    The other systems have no dvc.yaml here, which would be read again and again.
    """
    root = tmp_path_factory.mktemp("reader") / "project"
    listing = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in filter(None, subprocess.run(listing, check=True, capture_output=True, text=True).stdout.split("\0")):
        of_another_stage = name.startswith("stages/") and Path(name).name in ("dvc.yaml", "dvc.lock")
        of_another_stage &= not name.startswith("stages/code/")
        if (ROOT / name).is_file() and not name.startswith("data/") and not of_another_stage:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, root / name)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    for name, text in written_by_the_reader().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8") + "\n" if path.exists() else ""
        path.write_text(before + text, encoding="utf-8")
    for name, text in dependencies.generated(root).items():
        (root / name).write_text(text, encoding="utf-8")
    process = run(root, "stages.upkeep.result_tables")
    assert process.returncode == 0, process.stderr
    vectors = np.random.default_rng(0).uniform(0.5, 1, (200, 5)) * np.linspace(2, 0, 200)[:, None]
    store.save(root / "data/vectors/glove-6b-50d", [f"w{row}" for row in range(200)], vectors)
    return root


def test_five_files_hold_a_system_and_all_that_is_written_by_hand_is_short():
    files = written_by_the_reader()
    of_the_system = {path for path in files if not path.startswith("stages/")} - {"params.yaml"}
    assert of_the_system == {
        *(f"repline/systems/{NAME}/{name}.py" for name in ("settings", "model", "training", "evaluation")),
        f"tests/systems/{NAME}/test_training.py",
    }
    written = {"train.py", "evaluate.py", "dvc.yaml", "claims.yaml", "published.yaml", "README.md"}
    assert {path for path in files if path.startswith("stages/")} == {f"stages/{NAME}/{name}" for name in written}
    assert sum(text.count("\n") for text in files.values()) < 300


def test_its_code_passes_the_linter(project):
    files = [name for name in written_by_the_reader() if name.endswith(".py")]
    for command in (["check"], ["format", "--check"]):
        process = run(project, "ruff", *command, *files)
        assert process.returncode == 0, process.stdout


def test_dependencies_and_the_inputs_of_the_report_are_generated(project):
    stage = yaml_text.parse((project / f"stages/{NAME}/dvc.yaml").read_text(encoding="utf-8"))["stages"]["evaluate"]
    assert {"data/code.json": [f"stages.{NAME}.evaluate"]} in stage["params"]
    report = yaml_text.parse((project / "dvc.yaml").read_text(encoding="utf-8"))["stages"]["report"]
    assert f"data/evaluation/{NAME}/metrics.json" in report["deps"]
    assert NAME in report["params"]


def test_the_gallery_shows_it(project):
    assert f"| [Frequency probe](stages/{NAME}/) |" in (project / "README.md").read_text(encoding="utf-8")


def test_the_tests_of_the_house_find_it_and_pass(project):
    files = ["test_structure.py", "stages/upkeep/test_dependencies.py", "stages/test_report.py", f"systems/{NAME}"]
    process = run(
        project,
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        f"{NAME} or test_the_files_are or (test_structure and not room_and_its_stages)",
        *(f"tests/{file}" for file in files),
    )
    assert process.returncode == 0, process.stdout
    assert int(re.search(r"(\d+) passed", process.stdout)[1]) >= 6


def test_dvc_runs_its_stage_and_the_report_shows_it(project):
    for stage in ("stages/code/dvc.yaml:digest", *(f"stages/{NAME}/dvc.yaml:{step}" for step in STEPS)):
        process = run(project, "dvc", "repro", "--single-item", stage)
        assert process.returncode == 0, process.stderr
    assert "WARNING" not in process.stdout + process.stderr
    assert "holds  A probe ranks held-out words better" in process.stdout
    process = run(project, "stages.report")
    assert "claims: 1 holds, 0 fails" in process.stdout, process.stderr
    assert "Frequency probe" in (project / "data/report/index.html").read_text(encoding="utf-8")


def test_a_wrong_knob_is_one_sentence(project):
    path = project / "params.yaml"
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace("  words: 10000  # not stated", "  wrods: 10000"), encoding="utf-8")
    try:
        process = run(project, f"stages.{NAME}.evaluate")
    finally:
        path.write_text(before, encoding="utf-8")
    assert process.returncode == 1
    message = "params.yaml: unknown parameter 'frequency_probe.wrods'; did you mean 'words'?"
    assert process.stderr == f"stages.{NAME}.evaluate: {message}\n"

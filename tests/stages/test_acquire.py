"""The acquire stage under DVC: what runs again after which change."""

import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from repline import yaml_text

ROOT = Path(__file__).parents[2]
NAME = "wikipedia_en_excerpt"
SOURCES = (NAME, "wikipedia_bg_excerpt", "treebank_ewt")


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the project with the acquire stage alone, and three of its sources: DVC reads the file every time."""
    root = tmp_path_factory.mktemp("copied")
    ignored = shutil.ignore_patterns("__pycache__", "dvc.yaml", "dvc.lock")  # stages that DVC would read every time
    for folder in ("repline", "stages"):
        shutil.copytree(ROOT / folder, root / folder, ignore=ignored)
    for name in (".dvcignore", "requirements.lock", "requirements-torch.lock", "stages/code/dvc.yaml"):
        shutil.copy(ROOT / name, root / name)
    entries = re.split(r"^(?=\w)", (ROOT / "sources.yaml").read_text(), flags=re.MULTILINE)
    (root / "sources.yaml").write_text("".join(entry for entry in entries if entry.split(":")[0] in SOURCES))
    (root / "params.yaml").write_text(yaml.safe_dump({"acquire": {"sources": [NAME]}}))
    stages = yaml_text.parse((ROOT / "dvc.yaml").read_text())["stages"]
    (root / "dvc.yaml").write_text(yaml.safe_dump({"stages": {"acquire": stages["acquire"]}}))
    (root / ".dvc").mkdir()
    (root / ".dvc/config").write_text("[core]\n    no_scm = true\n")
    return root


@pytest.fixture
def project(copied):
    """The copy as it was, with what its interpreters have compiled."""
    sources = (copied / "sources.yaml").read_text()
    yield copied
    (copied / "sources.yaml").write_text(sources)
    (copied / "dvc.lock").unlink(missing_ok=True)
    shutil.rmtree(copied / "data", ignore_errors=True)


def environment():
    left_out = ("DVC_", "REPLINE_", "PYTHONDONTWRITEBYTECODE")  # the last: what is compiled is used again
    clean = {key: value for key, value in os.environ.items() if not key.startswith(left_out)}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return clean | {"PATH": path, "DVC_NO_ANALYTICS": "1", "DO_NOT_TRACK": "1"}


def dvc(folder, *arguments):
    command = [sys.executable, "-m", "dvc", *arguments]
    process = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=120)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_runs_again_for_its_own_entry_only(project):
    stage = f"acquire@{NAME}"
    dvc(project, "repro", stage)
    raw = project / "data" / "raw" / NAME
    first = {path.name: path.read_bytes() for path in raw.iterdir()}
    assert len(first) == 2
    catalogue = (project / "sources.yaml").read_text()
    assert "Bulgarian" in catalogue
    (project / "sources.yaml").write_text(catalogue.replace("Bulgarian", "Bulgaria's"))
    assert f"Stage '{stage}' didn't change, skipping" in dvc(project, "repro", stage)
    (project / "sources.yaml").write_text(catalogue.replace("English Wikipedia, 206", "Wikipedia in English, 206"))
    assert f"Running stage '{stage}'" in dvc(project, "repro", stage)
    second = {path.name: path.read_bytes() for path in raw.iterdir()}
    assert [name for name in first if first[name] != second[name]] == ["card.json"]


def acquire(folder, name, **options):
    command = [sys.executable, "-m", "stages.acquire", name]
    return subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=120, **options
    )


def test_twice_by_hand_gives_the_same_bytes(project):
    raw = project / "data" / "raw" / NAME
    results = []
    for _ in range(2):
        shutil.rmtree(raw, ignore_errors=True)
        assert acquire(project, NAME).returncode == 0
        results.append({path.name: path.read_bytes() for path in raw.iterdir()})
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("wikipedia_en_exerpt", "there is no source 'wikipedia_en_exerpt'; did you mean 'wikipedia_en_excerpt'?"),
        ("treebank_ewt", "set REPLINE_MIRROR to a folder or an fsspec URL that holds treebanks/en_ewt-ud-train"),
    ],
)
def test_mistakes_are_one_sentence(project, name, sentence):
    process = acquire(project, name)
    assert process.returncode == 1
    assert sentence in process.stderr
    assert len(process.stderr.strip().splitlines()) == 1
    assert not any((project / "data" / "raw").rglob("*"))


def test_file_that_cannot_be_written_to_its_end_leaves_nothing(project):
    process = acquire(project, NAME, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000)))
    assert process.returncode != 0
    assert "File too large" in process.stderr
    assert list((project / "data" / "raw").iterdir()) == []

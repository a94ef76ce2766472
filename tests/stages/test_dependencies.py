"""Every stage names the code that it runs: DVC reruns it when, and only when, something it reads has changed."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml

import stages

ROOT = Path(stages.__file__).parent.parent


def _python_stages():
    for file in [ROOT / "dvc.yaml", *sorted(ROOT.glob("stages/*/dvc.yaml"))]:
        for name, stage in yaml.safe_load(file.read_text(encoding="utf-8"))["stages"].items():
            if stage["cmd"].startswith("python -m "):
                yield pytest.param(stage, id=f"{file.parent.name}:{name}")


@cache
def _own_files(module):
    """What of repline and stages is loaded by importing `module`, as paths from the root."""
    code = f"import sys, {module}; print(*(m.__file__ for m in sys.modules.values() if getattr(m, '__file__', None)))"
    printed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    inside = [Path(file).relative_to(ROOT) for file in printed.split() if Path(file).is_relative_to(ROOT)]
    return [file for file in inside if file.parts[0] in ("repline", "stages") and file.name != "__init__.py"]


@pytest.mark.parametrize("stage", _python_stages())
def test_a_stage_depends_on_the_modules_it_imports(stage):
    own = _own_files(stage["cmd"].split()[2])
    named = [Path(path) for path in stage["deps"] if isinstance(path, str)]
    missing = {str(file) for file in own if not any(file.is_relative_to(path) for path in named)}
    assert not missing


@pytest.mark.parametrize("stage", _python_stages())
def test_a_stage_says_what_it_needs_of_the_machine(stage):
    assert set(stage["meta"]) == {"threads", "gpu", "retries"}
    assert stage["meta"]["threads"] >= 1

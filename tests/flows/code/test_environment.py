"""Whose libraries count where the stages have another `python` than this tool."""

import subprocess
import sys
from pathlib import Path

import pytest

from flows.code.environment import environment
from flows.code.versions import Versions


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """Another environment, whose `python` is the first on PATH: it has upper-lib alone."""
    folder = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "upper_lib-1.0.dist-info").mkdir()
    (site / "upper_lib-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: upper-lib\nVersion: 1.0\n")
    (site / "upper_lib-1.0.dist-info/top_level.txt").write_text("upperlib\n")
    (site / "upperlib.py").write_text("")
    monkeypatch.setenv("PATH", str(folder / "bin"))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return folder


def test_the_versions_are_those_of_the_stages(tmp_path, beside):
    versions = Versions(tmp_path)
    assert versions("upperlib") == "upper-lib 1.0"
    assert versions.is_library("upperlib")
    assert versions("numpy") == ""
    assert versions.unknown == {"numpy"}
    assert environment(tmp_path).silent == ""


def test_a_python_that_does_not_answer(tmp_path, beside):
    program = beside / "bin/python"
    program.unlink()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    assert environment(tmp_path).silent == str(program)
    assert Versions(tmp_path)("numpy").startswith("numpy ")


def test_the_python_that_runs_this(tmp_path, monkeypatch):
    assert str(Path(sys.executable).parent.parent) in str(environment(tmp_path).folders)
    monkeypatch.setenv("PATH", "")
    assert environment(tmp_path / "another").versions == environment(tmp_path).versions

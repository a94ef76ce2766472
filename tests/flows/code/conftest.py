"""The `python` of stages in tests that ask for versions in this process: the one that runs the tests."""

import os
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def python_of_the_tests(monkeypatch):
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))

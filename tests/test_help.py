"""Every command that README or a page names says what it does, and does nothing, when it is asked by --help."""

import re
from pathlib import Path

import pytest

from tests.commands import ROOT, run_command

PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("stages/*/README.md"))]
EXAMPLES = {"stages.frequency_probe.train", "stages.frequency_probe.evaluate"}  # of the system that a page adds
NAME = re.compile(r"python -m ([a-z_0-9.]*[a-z_0-9])")
COMMANDS = sorted({name for page in PAGES for name in NAME.findall(page.read_text(encoding="utf-8"))} - EXAMPLES)


def test_the_commands_were_found():
    assert {"flows", "repline.evaluation", "stages.urn.train", "benchmarks"} <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help(name, tmp_path):
    process = run_command(tmp_path, name, "--help")
    assert process.returncode == 0, process.stderr
    assert process.stdout.startswith("usage: python -m ") and len(process.stdout.splitlines()) >= 3
    assert [path.name for path in Path(tmp_path).iterdir()] == []

"""A stage that the project wants first runs before the plan is made: what it writes decides what has to run."""

import os

import pytest

from tests.flows.conftest import PATIENCE, PROJECT


@pytest.fixture
def digests(repository):
    """A stage that writes a number from a file that DVC does not know, and one that reads it as a parameter."""
    repository.write("pyproject.toml", f"{PROJECT}first = ['digest']\n")
    repository.write("number", "1")
    repository.write("times/.gitignore", "")
    digest = {"cmd": """n=$(cat number) && printf '{"number": %s}' $n > code.json""", "always_changed": True}
    use = {"cmd": "cp code.json used; echo >> times/use", "params": [{"code.json": ["number"]}], "outs": ["used"]}
    repository.write(".gitignore", "/code.json\n/used\n/times\n/data\n")
    repository.stages({"digest": digest | {"outs": ["code.json"]}, "use": use})
    return repository


def test_what_it_writes_decides(digests):
    assert "1 ran, 1 unchanged" in digests.flow()
    assert "Nothing to do" in digests.flow()
    digests.write("number", "2")
    assert "1 ran, 1 unchanged" in digests.flow()
    assert digests.read("used") == '{"number": 2}' and len(digests.read("times/use")) == 2
    assert "Nothing to do" in digests.flow()


def test_its_failure_is_told_with_what_it_printed(digests):
    (digests.root / "number").unlink()
    printed = digests.flow(code=1)
    assert "digest failed" in printed and "cat: number: No such file or directory" in printed
    assert not digests.exists("used") and "Traceback" not in printed


def test_a_run_says_what_it_waits_for_and_a_dry_one_does_not_wait(digests):
    digests.flow()
    digests.write("dvc.yaml", digests.read("dvc.yaml").replace("cp code.json used", "cp code.json used; cat pipe"))
    os.mkfifo(digests.root / "pipe")
    using = digests.start("use", "-s")
    with open(digests.root / "pipe", "w"):  # opens once the stage reads it
        assert "digest is left as it is, because another run uses its files" in digests.flow("use", "--dry")
        waiting = digests.start("digest")
        assert any(line.startswith("digest: waiting: ") for line in waiting.stderr)
    for process in (using, waiting):
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0

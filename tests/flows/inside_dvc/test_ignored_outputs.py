"""New lines of .gitignore come in the order of the plan, whichever stage was the first to end."""

import subprocess

from flows.inside_dvc.ignored_outputs import in_order
from tests.flows.conftest import Repository


def test_new_lines_take_the_order_of_the_plan_and_all_others_their_places():
    before = ["# mine\n", "/z\n"]
    lines = [*before, "/c\n", "/another\n", "/a\\*b\n", "/b\n"]
    assert in_order(lines, before, ["/z", "/a*b", "/b", "/c"]) == [*before, "/a\\*b\n", "/another\n", "/b\n", "/c\n"]


def test_a_file_that_dvc_has_staged_is_staged_in_its_new_order(offline):
    offline.write(".dvc/config", offline.read(".dvc/config") + "    autostage = true\n")
    offline.write("below/in.txt", "input\n")
    waits = {"cmd": "until grep -q b .gitignore; do sleep 0.05; done; echo a > a", "outs": ["a"]}
    offline.stages({"a": waits, "b": {"cmd": "echo b > b", "outs": ["b"]}}, "below/dvc.yaml")
    printed = offline.flow("below/dvc.yaml", "--jobs", "2")
    assert offline.read("below/.gitignore") == "/a\n/b\n"
    assert git_status(offline) == ["A  below/.gitignore", "A  below/dvc.lock"]
    assert "git add" not in printed


def test_without_autostage_nothing_is_staged(offline):
    waits = {"cmd": "until grep -q b .gitignore; do sleep 0.05; done; echo a > a", "outs": ["a"]}
    offline.stages({"a": waits, "b": {"cmd": "echo b > b", "outs": ["b"]}})
    offline.flow("--jobs", "2")
    assert offline.read(".gitignore").endswith("/a\n/b\n") and git_status(offline) == []


def git_status(repository: Repository) -> list[str]:
    """The lines of `git status` for the files that Git tracks."""
    command = ["git", "-C", str(repository.root), "status", "--porcelain", "--untracked-files=no"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()

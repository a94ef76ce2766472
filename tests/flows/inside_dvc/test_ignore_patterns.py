"""Patterns of .gitignore that are compiled once decide as before; those of a stage are compiled before it starts."""

import subprocess

import pytest
from dulwich import ignore
from dulwich.repo import Repo

from flows.inside_dvc.ignore_patterns import compile_ahead, compile_patterns_once
from tests.flows.conftest import stage

STAGES = """stages:
  plain: {cmd: x, outs: [out/a]}
  elsewhere: {cmd: x, wdir: deep, metrics: [down/m.json: {cache: false}], plots: [p.csv]}
  each: {foreach: [1], do: {cmd: x, outs: ['items/${item}/x', items/y]}}
  nothing: {cmd: x}
"""


@pytest.fixture
def compiled(monkeypatch):
    """The patterns that dulwich compiles."""
    monkeypatch.setattr(ignore, "Pattern", getattr(ignore.Pattern, "__wrapped__", ignore.Pattern))
    patterns, translate = [], ignore.translate
    monkeypatch.setattr(ignore, "translate", lambda pattern: patterns.append(pattern) or translate(pattern))
    compile_patterns_once()
    compile_patterns_once()
    return patterns


def decisions(root, *names):
    with Repo(str(root)) as git:
        manager = ignore.IgnoreFilterManager.from_repo(git)
        return [manager.is_ignored(name) for name in names]


def test_a_pattern_is_compiled_once_and_a_new_line_when_it_is_there(tmp_path, compiled):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".gitignore").write_text("/a\n*.log\n!keep.log\nfolder/\n")
    names = ("a", "b", "x.log", "keep.log", "folder/x", "sub/a")
    first = decisions(tmp_path, *names)
    assert first == [True, None, True, False, True, None]
    count = len(compiled)
    assert decisions(tmp_path, *names) == first and len(compiled) == count
    (tmp_path / ".gitignore").write_text("/a\n*.log\n/b\n")
    assert decisions(tmp_path, *names) == [True, True, True, True, None, None]
    assert {*compiled[count:]} == {b"/b"}


def test_the_lines_that_outputs_are_held_against_are_compiled_ahead(tmp_path, compiled):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    project = tmp_path / "sub" / "project"
    for folder in ("out", "deep/down", "items", "other"):
        (project / folder).mkdir(parents=True)
        (project / folder / ".gitignore").write_text(f"/in {folder}\n")
    for text in ("stages: 3\n", "stages: {a: {outs: 3}}\n", "stages: {a: x}\n", "stages: [\n", "a: b\n", ""):
        (project / "dvc.yaml").write_text(text)
        compile_ahead(project, project / "dvc.yaml")
    assert not [pattern for pattern in compiled if pattern.startswith(b"/in")]
    (project / "dvc.yaml").write_text(STAGES)
    compile_ahead(project, project / "dvc.yaml")
    assert {pattern for pattern in compiled if pattern.startswith(b"/in")} == {
        b"/in out",
        b"/in deep/down",
        b"/in items",
    }


def test_a_project_without_git_has_none(tmp_path, compiled):
    (tmp_path / "dvc.yaml").write_text(STAGES)
    compile_ahead(tmp_path, tmp_path / "dvc.yaml")
    compile_ahead(tmp_path, tmp_path / "missing.yaml")
    assert not compiled


def test_outputs_of_parallel_stages_in_one_folder_are_all_ignored(repository):
    repository.stages({name: stage(name) for name in "abcdef"})
    repository.flow("--jobs", "3")
    repository.assert_clean()
    repository.flow("--force", "--jobs", "3")
    repository.assert_clean()

"""Projects of strangers: with each option the flow leaves the files and locks that `dvc repro` leaves."""

import os
import shutil
import subprocess

import pytest

from tests.flows.twins import copies


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("-P",),
        ("b",),
        ("other/dvc.yaml:y", "a"),
        ("-p", "b"),
        ("-p", "other/dvc.yaml:y"),
        ("-R", "other"),
        ("--glob", "[ab]"),
        ("-s", "a"),
    ],
)
def test_the_same_stages_run_for_the_first_time(twins, arguments):
    twins.same(*arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("-s", "b"),
        ("--downstream", "b"),
        ("-f", "b"),
        ("-f",),
        ("-f", "-s", "b"),
        ("-f", "--downstream", "b"),
        ("-p", "-f", "b"),
        ("-k",),
    ],
)
def test_the_same_stages_run_after_a_change(twins, arguments):
    twins.same("-P")
    twins.write("in.txt", "other\n")
    twins.same(*arguments)


def test_what_depends_on_a_stage_that_ran_runs_if_it_is_forced_to(twins):
    touch = {"cmd": "cat in.txt > /dev/null && echo 1 > a && echo a >> times", "deps": ["in.txt"], "outs": ["a"]}
    for repository in (twins.flow, twins.dvc):
        repository.stages({"a": touch, "b": copies("b", "a"), "c": copies("c", "b")})
    twins.same()
    twins.write("in.txt", "other\n")
    assert "1 ran, 2 unchanged" in twins.same()
    twins.write("in.txt", "third\n")
    assert "3 ran" in twins.same("--force-downstream")


MISTAKES = {
    "two stages write a file": {"one": copies("z", "in.txt"), "two": copies("z", "in.txt")},
    "a cycle": {"one": copies("z", "w"), "two": copies("w", "z")},
    "an unknown parameter": {"one": copies("${z}", "in.txt")},
}


@pytest.mark.parametrize("stages", MISTAKES.values(), ids=MISTAKES)
def test_a_single_item_needs_no_other_stage_to_be_right(twins, stages):
    twins.same("a")
    twins.write("in.txt", "other\n")
    twins.stages(stages, "mistaken/dvc.yaml")
    assert "no stage makes" not in twins.same("-s", "a", "b")
    assert twins.ran == ["a", "b"]
    twins.same("-s", "-p", "a", failed=True)


def test_a_target_is_relative_to_the_folder_the_run_is_started_in(twins):
    twins.same("y", below="other")
    twins.same(below="other")


@pytest.mark.parametrize("arguments", [(), ("-s",), ("-f",), ("--downstream",), ("-p",), ("-R",)])
def test_a_folder_without_a_dvc_yaml_has_no_stages_of_its_own(twins, arguments):
    for repository in (twins.flow, twins.dvc):
        (repository.root / "empty").mkdir()
    printed = twins.same(*arguments, below="empty", failed=True)
    assert f"{twins.flow.root / 'empty'} has no dvc.yaml; name a target" in printed


@pytest.mark.parametrize("arguments", [("-P",), ("-P", "-s"), ("-R", "../other"), ("../dvc.yaml:b",)])
def test_a_folder_without_a_dvc_yaml_does_not_matter_where_targets_are_named(twins, arguments):
    for repository in (twins.flow, twins.dvc):
        (repository.root / "empty").mkdir()
    twins.same(*arguments, below="empty")


def test_dry_says_what_would_run_and_runs_nothing(twins):
    printed = twins.flow.flow("--dry")
    assert printed.splitlines() == [
        "would run a",
        "may run b, after a",
        "may run c, after b",
        "3 stages, 0 of them unchanged",
    ]
    assert not twins.flow.read("times") and not twins.flow.exists("dvc.lock")
    assert "would run c" in twins.flow.flow("--dry", "-f").splitlines()


def test_missing_data_is_left_alone_or_pulled(twins, tmp_path):
    for repository, remote in ((twins.flow, "flow-remote"), (twins.dvc, "dvc-remote")):
        repository.dvc("remote", "add", "-d", "store", os.path.relpath(tmp_path / remote, repository.root))
    twins.flow.write(".dvc/config", twins.dvc.read(".dvc/config"))
    twins.same()
    twins.dvc.dvc("push", "--run-cache")
    for repository in (twins.flow, twins.dvc):
        for name in ("a", "b"):
            (repository.root / name).unlink()
        shutil.rmtree(repository.root / ".dvc/cache")
    twins.same("--allow-missing")
    twins.same("--pull")
    assert twins.flow.read("b") == "input\n"
    twins.write("in.txt", "other\n")
    for repository in (twins.flow, twins.dvc):
        (repository.root / "b").unlink()
    twins.same("--allow-missing")


def test_dry_says_what_cannot_be_pulled(twins, tmp_path):
    flow = twins.flow
    flow.dvc("remote", "add", "-d", "store", os.path.relpath(tmp_path / "remote", flow.root))
    for name in ("pushed", "lost"):
        flow.write(name, f"{name}\n")
        flow.dvc("add", "-q", name)
    flow.dvc("push", "pushed")
    for name in ("pushed", "lost"):
        (flow.root / name).unlink()
    shutil.rmtree(flow.root / ".dvc/cache")
    flow.stages({"a": copies("a", "pushed"), "b": copies("b", "lost"), "c": copies("c", "gone")})
    lost = "lost.dvc stands for lost, which is not there, and neither cache nor remote has it"
    gone = "c reads gone, which is not there and which no stage makes"
    lines = [line for line in flow.flow("--dry", "--pull").splitlines() if "not there" in line]
    assert len(lines) == 2 and lost in lines and any(line.startswith(gone) for line in lines)
    assert "not there" not in flow.flow("--dry", "--pull", "--allow-missing")


def test_what_brings_data_that_a_run_leaves_where_it_is(twins):
    flow = twins.flow
    flow.write("data", "1\n")
    flow.dvc("add", "-q", "data")
    flow.stages({"a": copies("a", "data", frozen=True), "b": copies("b", "a")})
    (flow.root / "data").unlink()
    printed = flow.flow("--dry", "-P")
    assert "data.dvc runs no command, and data is not here; `dvc checkout data.dvc` brings it\n" in printed
    assert "a runs no command, and a is not here; `dvc pull a`, or this run with --pull brings it\n" in printed
    shutil.rmtree(flow.root / ".dvc/cache")
    printed = twins.flow.flow("-P", code=1)
    assert printed.count("and data is not here; `dvc pull data.dvc`, or this run with --pull brings it\n") == 2
    assert "is not here" not in flow.flow("--dry", "-P", "--allow-missing")


def test_a_broken_file_of_parameters_stops_only_the_stage_that_reads_it(twins):
    twins.write("rates.py", "RATE = 1\n")
    twins.write("still.txt", "still\n")
    reads = {**copies("a", "still.txt"), "params": [{"rates.py": ["RATE"]}]}
    twins.stages({"a": reads, "b": copies("b", "a"), "c": copies("c", "in.txt")})
    twins.same()
    twins.write("rates.py", "RATE = (\n")
    twins.write("in.txt", "other\n")
    printed = twins.same("-k", failed=True)
    assert twins.ran == ["c"]
    assert "warning: a: Unable to read parameters from 'rates.py' (unable to read: 'rates.py'" in printed


def test_a_frozen_stage_is_named_in_each_run(twins):
    twins.same()
    twins.both("freeze", "b")
    twins.write("in.txt", "other\n")
    line = "warning: b is frozen: it does not run, whatever changed\n"
    for names in (["a"], []):
        assert twins.same().count(line) == 1
        assert twins.ran == names


def test_a_missing_input_stops_only_the_stages_that_need_it(twins):
    still = {"cmd": "echo still >> times", "frozen": True}
    more = {
        "cmd": "echo a > a && echo more > more && echo a >> times",
        "outs": ["a"],
    }  # one output that it does not name
    stages = {"still": still, "a": more, "b": copies("b", "more", deps=["a", "more"])}
    twins.stages(stages)
    assert "b reads more, which is not there and which no stage makes" in twins.same()
    assert twins.ran == ["a", "b"]

    for repository in (twins.flow, twins.dvc):
        (repository.root / "more").unlink()
    stages["b"]["frozen"] = True
    twins.stages(stages)
    assert "Nothing to do" in twins.same()
    twins.stages(stages | {"x": copies("x", "in.txt"), "y": copies("y", "gone"), "z": copies("z", "y")})
    twins.write("other/dvc.yaml", "")
    assert "y reads gone" in twins.same(failed=True)
    assert twins.ran == ["x"]


TEMPLATED = """
vars: [{word: hello}, more.yaml]
stages:
  each:
    foreach: [1, 2]
    do:
      cmd: echo ${word} ${item} ${extra} > each-${item}
      outs: ["each-${item}"]
  cells:
    matrix: {size: [s, l], kind: [x, y]}
    cmd: echo ${item.size}${item.kind} > cell-${item.size}-${item.kind}
    outs: ["cell-${item.size}-${item.kind}"]
  inner: {wdir: inner, cmd: cat ../each-1 > made, deps: [../each-1], outs: [made]}
  read:
    cmd: [cat a.json > read, cat b.toml >> read]
    params: [top.deep, {a.json: [x]}, {b.toml: [y.z]}, {c.py: [RATE]}]
    deps: [cell-s-x, data.bin]
    metrics: [{read: {cache: false}}]
  frozen: {cmd: cat in.txt > ice, deps: [in.txt], outs: [ice], frozen: FROZEN}
  always: {cmd: echo always > always.txt, deps: [each-2], outs: [always.txt], always_changed: true}
  grows: {cmd: echo more >> grown, deps: [always.txt], outs: [{grown: {persist: true}}]}
"""


def test_templates_parameters_and_kinds_of_outputs(twins):
    templated = TEMPLATED.replace("FROZEN", "false")
    files = {"dvc.yaml": templated, "more.yaml": "extra: 3\n", "params.yaml": "top: {deep: 1}\nunread: {seed: 1}\n"}
    files |= {
        "a.json": '{"x": 1}',
        "b.toml": "[y]\nz = 2\n",
        "c.py": "RATE = 0.5\n",
        "data.bin": "01",
        "inner/.keep": "",
    }
    for name, text in files.items():
        twins.write(name, text)
    for repository in (twins.flow, twins.dvc):
        repository.dvc("add", "-q", "data.bin")
    twins.same()
    twins.write("dvc.yaml", TEMPLATED.replace("FROZEN", "true"))
    twins.same()
    for name, text in {"params.yaml": "top: {deep: 2}\n", "more.yaml": "extra: 4\n", "in.txt": "warm\n"}.items():
        twins.write(name, text)
    twins.same()
    twins.write("data.bin", "10")
    twins.same()


NAMES = ["a/b.csv", "a:b", "a.dvc", "a/dvc.yaml", "a b", "a/dvc.yaml:b"]


@pytest.mark.parametrize("folder", ["", "of@two/", "of:two/"])
def test_names_and_folders_may_hold_what_no_target_can(twins, folder):
    each = {"foreach": {name: number for number, name in enumerate(NAMES)}}
    command = f"echo ${{item}} > o${{item}} && echo ${{item}} >> {'../' if folder else ''}times"
    twins.stages({"x": {**each, "do": {"cmd": command, "outs": ["o${item}"]}}}, f"{folder}dvc.yaml")
    twins.same("-P")
    assert set("012345") <= set(twins.ran)
    twins.same("-P", "-f")
    twins.same(below=folder)


def test_a_project_without_git(twins):
    for repository in (twins.flow, twins.dvc):
        shutil.rmtree(repository.root / ".git")
        repository.write(".dvc/config", "[core]\n    no_scm = true\n")
    twins.same()


def test_a_project_in_a_folder_of_a_repository(twins):
    for repository in (twins.flow, twins.dvc):
        whole = repository.root / "whole"
        whole.mkdir()
        for path in [*repository.root.iterdir()]:
            if path.name not in ("whole", ".git", "times"):
                path.rename(whole / path.name)
        (whole / "times").touch()
    for below in ("whole", "whole/other"):
        for repository in (twins.flow, twins.dvc):
            repository.write("whole/in.txt", below)
        twins.same(below=below)
    assert twins.flow.read("whole/x") == "whole/other"
    status = ["git", "status", "--porcelain", "--untracked-files=all"]
    listed = subprocess.run(status, cwd=twins.flow.root, capture_output=True, text=True, check=True).stdout
    assert "tmp/flow" not in listed


def test_a_local_import_of_data_is_updated_as_dvc_does(twins, tmp_path):
    (tmp_path / "far").write_text("one\n")
    for repository in (twins.flow, twins.dvc):
        repository.dvc("import-url", "-q", str(tmp_path / "far"), "near")
        repository.stages({"a": copies("a", "near")})
    twins.same()
    (tmp_path / "far").write_text("two\n")
    twins.same()
    for repository in (twins.flow, twins.dvc):
        repository.dvc("update", "-q", "near.dvc")
    twins.same()
    assert twins.flow.read("a") == "two\n"

"""Which locks are stale, on a small project: a stage reads code, the next what it makes, then one a whole folder."""

import os
import shutil
import subprocess
import sys

import pytest

from stages.upkeep import locks, reference

DVC_YAML = """\
stages:
  corpus: {cmd: cat code.py params.yaml > corpus, deps: [code.py], params: [seed], outs: [corpus]}
  train: {cmd: mkdir -p models && cp corpus models/one, deps: [corpus, own.txt], outs: [models/one]}
  weigh: {cmd: cat models/one > weight, deps: [models], outs: [weight]}
  unseen: {cmd: echo > other, deps: [own.txt], outs: [other]}
"""


def dvc(root, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DVC_")}
    subprocess.run([sys.executable, "-m", "dvc", *arguments], cwd=root, env=environment, check=True)


@pytest.fixture(scope="module")
def reproduced(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    files = {
        ".dvc/config": "[core]\n    analytics = false\n    no_scm = true\n",
        "dvc.yaml": DVC_YAML,
        "params.yaml": "seed: 1\nother: 1\n",
        "code.py": "",
        "own.txt": "mine\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    dvc(root, "repro", "-q", "weigh")
    return root


@pytest.fixture
def project(reproduced, tmp_path):
    """A project like a clone: the locks, and none of what they lock."""
    ignored = shutil.ignore_patterns("cache", "tmp", "corpus", "models", "weight")
    return shutil.copytree(reproduced, tmp_path / "clone", ignore=ignored)


def test_a_stage_that_never_ran_has_no_lock_and_the_others_are_not_stale(project):
    assert locks.stale(project) == {"unseen": [locks.NO_LOCK]}


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("code.py", "print()\n", "code.py changed"),
        ("params.yaml", "seed: 2\nother: 1\n", "parameter seed of params.yaml is modified"),
        ("params.yaml", "other: 1\n", "parameter seed of params.yaml is deleted"),
        ("dvc.yaml", DVC_YAML.replace("cmd: cat code.py", "cmd: cat -u code.py"), "its command changed"),
        ("dvc.yaml", DVC_YAML.replace("[code.py]", "[code.py, params.yaml]"), "params.yaml is new"),
    ],
)
def test_what_changed_makes_the_stage_stale_and_those_after_it(project, file, text, reason):
    (project / file).write_text(text)
    stale = locks.stale(project)
    after = {"train": ["corpus is stale"], "weigh": ["train is stale"]}
    assert stale == {"corpus": [reason], **after, "unseen": [locks.NO_LOCK]}


def test_a_parameter_that_no_stage_reads_changes_nothing(project):
    (project / "params.yaml").write_text("seed: 1\nother: 2\n")
    assert set(locks.stale(project)) == {"unseen"}


def test_a_file_of_ones_own_is_looked_at_as_code_is(project):
    (project / "own.txt").unlink()
    assert locks.stale(project)["train"] == ["own.txt is not here"]


def test_a_stage_that_missed_the_last_run_of_its_input_is_stale(project):
    text = (project / "dvc.lock").read_text()
    corpus = text.index("outs:")
    (project / "dvc.lock").write_text(text[:corpus] + text[corpus:].replace("md5: ", "md5: 0", 1))
    assert locks.stale(project)["train"] == ["corpus was run again since"]


def test_the_command_names_what_is_stale_and_why(project, monkeypatch, capsys):
    (project / "code.py").write_text("print()\n")
    monkeypatch.chdir(project)
    assert locks.main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "corpus: code.py changed",
        "train: corpus is stale",
        "weigh: train is stale",
        "unseen: has no lock",
        "stale: 3, without a lock: 1",
    ]
    assert locks.main(["--check"]) == 1


def test_a_broken_file_is_one_sentence(project):
    (project / "dvc.yaml").write_text("stages: [1]\n")
    with pytest.raises(locks.InputError, match=r"dvc\.yaml"):
        locks.stale(project)


def test_after_a_run_the_files_to_commit_are_named(project):
    for arguments in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *arguments], cwd=project, check=True)
    (project / "data/evaluation/toy").mkdir(parents=True)
    for name in ("data/evaluation/toy/metrics.json", "data/evaluation/toy/claims.json", "notes.txt"):
        (project / name).write_text("{}")
    lines = reference.to_commit(project)
    assert lines[:2] == ["unseen: has no lock", "stale: 0, without a lock: 1"]
    assert lines[2:4] == ["A  dvc.lock", "?? data/evaluation/toy/metrics.json"]
    assert lines[5].startswith("    git add results dvc.lock stages/*/dvc.lock data/evaluation/*/metrics.json")
    author = ["-c", "user.name=A Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (["add", "."], [*author, "commit", "-q", "-m", "All"]):
        subprocess.run(["git", *arguments], cwd=project, check=True)
    assert reference.to_commit(project)[-1] == "Nothing to commit: git has these results"


def test_locks_of_stages_that_are_gone_are_removed(reproduced, tmp_path):
    root = tmp_path / "project"
    shutil.copytree(reproduced, root)
    lock = (root / "dvc.lock").read_text()
    text = (root / "dvc.yaml").read_text()
    (root / "dvc.yaml").write_text("\n".join(line for line in text.splitlines() if "weigh:" not in line) + "\n")
    assert locks.prune(root) == ["weigh"]
    pruned = (root / "dvc.lock").read_text()
    assert "weigh:" not in pruned and "train:" in pruned and "corpus:" in pruned
    assert set(pruned.splitlines()) < set(lock.splitlines())
    assert locks.prune(root) == [] and (root / "dvc.lock").read_text() == pruned
    assert locks.addresses(root) >= {"train", "corpus"} and "weigh" not in locks.addresses(root)

"""Entries that are added to a dvc.yaml, and all that is left as it was."""

import difflib

import pytest
from ruamel.yaml import YAML

from flows.code.dvc_yaml import Change, with_changes, with_stage
from flows.errors import InputError

TEXT = """\
# The pipeline.
vars: [{word: hello}]

stages:
  # cleans
  prepare:
    cmd: >-
      python prepare.py
      in.txt                      # no comment
    deps:       # what it reads
    - prepare.py   # the script
    - in.txt

    # what it writes
    outs: ["clean.txt"]

  train:
    foreach: ${models}
    do:
      cmd:   python train.py ${item}
      deps: [ clean.txt, 'train.py' ]
      params: [rate, {other.yaml: [x]}]
      outs:
        - model-${item}   # the model
  score: {cmd: python score.py, deps: [score.py], outs: [s]}
  last:
    cmd: python last.py
    # at the end
"""


def difference(before: str, after: str) -> list[str]:
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))[2:]
    return [line for line in lines if not line.startswith("@@")]


def edited(text: str, **changes: Change) -> str:
    return with_changes(text, changes, "dvc.yaml")


@pytest.mark.parametrize(
    ("covered", "left"),
    [
        ("a.py b.py", "[in, 'c']"),
        ("in c", "[a.py, b.py]"),
        ("b.py c", "[a.py, in]"),
        ("a.py in c", "[b.py]"),
        ("in b.py c", "[a.py]"),
        ("c", "[a.py, in, b.py]"),
        ("in", "[a.py, b.py, 'c']"),
    ],
)
def test_a_list_in_brackets_keeps_no_comma_of_what_is_gone(covered, left):
    text = "stages:\n  a:\n    cmd: python a.py\n    deps: [a.py, in, b.py, 'c']\n    params: [x]\n"
    after = edited(text, a=Change("code.json", ("a",), tuple(covered.split())))
    assert f"    deps: {left}\n" in after


def test_only_what_is_new_changes():
    after = edited(
        TEXT,
        prepare=Change("code.json", ("prepare",), ("prepare.py",)),
        train=Change("code.json", ("train",), ("train.py",)),
        score=Change("../code.json", ("a/score", "01"), ("score.py",)),
        last=Change("code.json", ("last",)),
    )
    assert difference(TEXT, after) == [
        "-    - prepare.py   # the script",
        "+    params:",
        "+    - code.json: [prepare]",
        "-      deps: [ clean.txt, 'train.py' ]",
        "-      params: [rate, {other.yaml: [x]}]",
        "+      deps: [ clean.txt]",
        "+      params: [{code.json: [train]}, rate, {other.yaml: [x]}]",
        "-  score: {cmd: python score.py, deps: [score.py], outs: [s]}",
        '+  score: {params: [{../code.json: [a/score, "01"]}], cmd: python score.py, deps: [], outs: [s]}',
        "+    params:",
        "+    - code.json: [last]",
    ]


def test_a_second_time_nothing_changes():
    change = {"prepare": Change("code.json", ("prepare",), ("prepare.py",)), "score": Change("code.json", ("score",))}
    after = edited(TEXT, **change)
    assert edited(after, **change) == after


def test_a_stage_that_runs_other_files_now():
    text = edited(TEXT, prepare=Change("code.json", ("prepare", "more")))
    assert "    - code.json: [prepare, more]\n" in text
    assert "    - code.json: [new, more]\n" in edited(text, prepare=Change("code.json", ("more", "new")))
    longer = text.replace("[prepare, more]", "\n      - prepare\n      - more")
    after = edited(longer, prepare=Change("code.json", ("more", "new")))
    assert difference(longer, after) == ["-      - prepare", "+      - new"]


def test_the_last_dependency_goes_with_its_key():
    text = "stages:\n  a:\n    cmd: python a.py\n    deps:\n      - a.py\n    outs:\n      - a.txt\n"
    after = edited(text, a=Change("code.json", ("a",), ("a.py",)))
    assert after == (
        "stages:\n  a:\n    cmd: python a.py\n    params:\n      - code.json: [a]\n    outs:\n      - a.txt\n"
    )


def test_a_file_that_cannot_be_edited_says_what_to_add():
    text = (
        "stages:\n  a:\n    cmd: python a.py\n    deps: &deps [a.py, in]\n  b:\n    cmd: python b.py\n    deps: *deps\n"
    )
    with pytest.raises(InputError, match=r"stage 'b' .* add to it: params: \[\{code.json: \[b\]\}\]"):
        edited(text, b=Change("code.json", ("b",), ("a.py",)))


@pytest.mark.parametrize("text", [TEXT, "", "stages: {}\n", "stages:\n    a:\n        cmd: echo\nmetrics: [x]", "x"])
def test_the_stage_that_writes_the_digests(text):
    if text == "x":
        text = "# generated\nplots:\n  - a.csv\n"
    after = with_stage(text, "code", "dvc-parallel digests", "code.json", "dvc.yaml")
    before, values = (YAML(typ="safe").load(part) or {} for part in (text, after))
    stages = values.pop("stages")
    assert stages.pop("code") == {
        "desc": "Digest the code that each stage's command can reach.",
        "cmd": "dvc-parallel digests",
        "always_changed": True,
        "outs": ["code.json"],
    }
    assert stages == (before.pop("stages", None) or {})
    assert values == before
    assert [line for line in difference(text, after) if line.startswith("-") and "{}" not in line] == []

"""What stages say under `meta`, where other tools may say something, too."""

import pytest
import yaml

from flows.planning import meta
from tests.flows.conftest import CHECKOUT, stage

DEFAULT = meta.Meta(threads=1, gpus=0, retries=0, retry_delay=10.0, timeout=None, memory=None)


def test_what_a_run_reads():
    entries = {
        "threads": 4,
        "gpu": 1,
        "memory": "8 GiB",
        "retries": 1,
        "retry_delay": 0,
        "timeout": 7200,
        "owner": "us",
    }
    assert meta.read(entries) == meta.Meta(4, 1, 1, 0.0, 7200.0, 8 << 30)


@pytest.mark.parametrize("entries", [None, {}, "free text", ["a", "list"], {"owner": "us"}, {"gpu": None}])
def test_a_stage_that_says_nothing_gets_the_defaults(entries):
    assert meta.read(entries) == DEFAULT


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("threads", "auto", "a whole number of at least 1"),
        ("threads", 0, "a whole number of at least 1"),
        ("gpu", "A100", "a whole number of at least 0"),
        ("gpu", True, "a whole number of at least 0"),
        ("retries", -1, "a whole number of at least 0"),
        ("retry_delay", "1m", "a number of seconds"),
        ("timeout", "2h", "a number of seconds"),
        ("timeout", 0, "a number of seconds"),
        ("timeout", float("inf"), "a number of seconds"),
        ("memory", "large", "a size such as 8 GiB"),
        ("memory", True, "a size such as 8 GiB"),
    ],
)
def test_what_a_run_cannot_use_is_left_out_and_named(key, value, expected):
    entries = meta.read({key: value})
    assert entries.left_out == (f"meta.{key} is left out: it should be {expected}, found {value!r}",)
    assert entries == meta.Meta(**vars(DEFAULT) | {"left_out": entries.left_out})


def test_a_stage_with_entries_of_another_tool_runs_after_one_line_about_them(offline):
    offline.stages({"a": stage("a", meta={"gpu": "A100", "timeout": "2h"}), "b": stage("b", meta="for people")})
    line = (
        "a: meta.gpu is left out: it should be a whole number of at least 0, found 'A100'; "
        "meta.timeout is left out: it should be a number of seconds, found '2h'"
    )
    assert offline.flow("--dry").splitlines()[0] == line
    printed = offline.flow()
    assert printed.count(line) == 1 and "2 ran" in printed
    assert "meta" not in offline.flow()  # nothing to do


def test_this_project_says_nothing_that_a_run_leaves_out():
    for file in [CHECKOUT / "dvc.yaml", *CHECKOUT.glob("stages/*/dvc.yaml")]:
        for name, entry in yaml.safe_load(file.read_text()).get("stages", {}).items():
            assert meta.read(entry.get("do", entry).get("meta")).left_out == (), f"{file}: {name}"

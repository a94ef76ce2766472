"""Where the scheduler's seconds come from."""

import json

import pytest

from flows.planning import estimates
from flows.planning.dvc_graph import Stage
from flows.planning.estimates import START
from flows.planning.schedule import Estimate
from tests.flows.conftest import THIS_PROJECT

FILE = "stages/toy/dvc.yaml"


def plan(*steps: str, threads: int = 1) -> dict[str, Stage]:
    return {f"{FILE}:{step}": Stage(f"{FILE}:{step}", (), threads, 0, 0, None) for step in steps}


@pytest.fixture
def root(tmp_path):
    (tmp_path / "pyproject.toml").write_text(THIS_PROJECT)
    runs = tmp_path / "data/scratch/runs"
    runs.mkdir(parents=True)
    (tmp_path / "results").mkdir()
    for step, seconds in (("train@a", 100.0), ("gone", 7.0)):
        (runs / f"stages.toy.{step}.json").write_text(json.dumps({"stage": f"{FILE}:{step}", "seconds": seconds}))
    stages = {f"{FILE}:train@a": {"seconds": 1.0}, f"{FILE}:train@b": {"seconds": 300.0}}
    (tmp_path / "results/small.json").write_text(json.dumps({"stages": stages}))
    return tmp_path


def test_the_last_time_here_counts_before_the_reference_then_comes_a_guess_by_its_kin(root):
    by_address = estimates.read(root, "small", plan("train@a", "train@b", "train@c", "evaluate", "write"))
    assert by_address == {
        f"{FILE}:train@a": Estimate(START + 100.0),
        f"{FILE}:train@b": Estimate(START + 300.0),
        f"{FILE}:train@c": Estimate(START + 200.0, measured=False),
        f"{FILE}:evaluate": Estimate(START + 15.0, measured=False),
        f"{FILE}:write": Estimate(START + 5.0, measured=False),
    }
    assert estimates.read(root, "real", plan("train@b")) == {f"{FILE}:train@b": Estimate(START + 100.0, measured=False)}


def test_a_workspace_of_overrides_takes_the_times_of_its_profile_where_it_has_none(root, tmp_path):
    workspace = tmp_path / "data/scratch/workspaces/small+a=1"
    runs = workspace / "data/scratch/runs"
    runs.mkdir(parents=True)
    (workspace / "pyproject.toml").write_text(THIS_PROJECT)
    (runs / "a.json").write_text(json.dumps({"stage": f"{FILE}:gone", "seconds": 8.0}))
    by_address = estimates.read(workspace, "small", plan("train@a", "gone", "write"), root)
    assert by_address == {
        f"{FILE}:train@a": Estimate(START + 100.0),
        f"{FILE}:gone": Estimate(START + 8.0),
        f"{FILE}:write": Estimate(START + 5.0, measured=False),
    }
    assert estimates.read(workspace, "small", plan("gone"), tmp_path / "not-there")[f"{FILE}:gone"].measured


def test_a_guess_is_longest_for_training_then_for_evaluation_and_for_wide_stages(tmp_path):
    train, evaluate, write = estimates.read(tmp_path, "small", plan("train_chunks", "evaluate@x", "write")).values()
    (wide,) = estimates.read(tmp_path, "small", plan("write", threads=2)).values()
    assert train.seconds > evaluate.seconds > wide.seconds > write.seconds


@pytest.mark.parametrize("text", ["", "[1]", '{"stage": "x"}', '{"stages": 3}', '{"stages": {"x": {"seconds": "3"}}}'])
def test_files_that_say_nothing_are_left_alone(root, text):
    for path in [*root.rglob("*.json")]:
        path.write_text(text)
    assert estimates.read(root, "small", plan("write")) == {f"{FILE}:write": Estimate(START + 5.0, measured=False)}

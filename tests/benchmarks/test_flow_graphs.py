"""The graphs on which the flow is timed: their least time, and the same stages for DVC and for make."""

import subprocess

import pytest
import yaml

from benchmarks import flow_graphs


def test_the_least_time_is_the_longest_way_or_the_work_of_all_cores():
    above = {"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"]}
    assert flow_graphs.Graph("diamond", above, 2.0).critical_path(jobs=4) == 6.0
    assert flow_graphs.Graph("diamond", above, 2.0).critical_path(jobs=1) == 8.0


@pytest.mark.parametrize("graph", flow_graphs.graphs(0.0, 0.01), ids=lambda graph: graph.name)
def test_make_runs_the_commands_of_the_stages(graph, tmp_path):
    flow_graphs.make(graph, tmp_path / "project")
    stages = yaml.safe_load((tmp_path / "project/dvc.yaml").read_text())["stages"]
    subprocess.run(["make", "--silent"], cwd=tmp_path / "project", check=True)
    written = {path.name: path.read_text() for path in (tmp_path / "project/out").iterdir()}
    assert written == {name: f"{name}\n" for name in stages} and len(stages) >= 2

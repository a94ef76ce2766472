"""Evaluations on the way between two stages."""

import pytest

from repline.errors import InputError
from repline.evaluation.evaluations import Evaluation


def test_metrics_and_replicates_come_back(tmp_path):
    parts = {"a": Evaluation({"rho": 0.5, "none": None}, [{"rho": 0.4}, {"rho": 0.6}]), "b": Evaluation({"n": [1, 2]})}
    whole = Evaluation.side_by_side(parts)
    whole.save(tmp_path / "whole")
    again = Evaluation.load(tmp_path / "whole")
    assert again.metrics == {"a": {"rho": 0.5, "none": None}, "b": {"n": [1, 2]}}
    assert [part["a"] for part in again.replicates] == [{"rho": 0.4}, {"rho": 0.6}]


def test_an_evaluation_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match=r"scores\.json: there is no such file"):
        Evaluation.load(tmp_path / "none")

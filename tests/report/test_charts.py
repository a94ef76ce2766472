import json

import pytest

from repline.report import charts


def test_accuracy_curves_reach_from_low_to_high_and_leave_gaps():
    turn = {
        "accuracy_by_depth": [0.5, None, 0.9],
        "accuracy_by_depth_low": [0.4, None, 0.8],
        "accuracy_by_depth_high": [0.7, None, 0.95],
    }
    figure = charts.accuracy_curves(
        {"turn": turn, "majority": {"accuracy_by_depth": [0.2, 0.2, 0.2]}}, "depth", 1, "depth"
    )
    first, second = figure.data
    assert (first.name, list(first.x), list(first.y)) == ("turn", [1, 2, 3], [0.5, None, 0.9])
    assert list(first.error_y.array) == [pytest.approx(0.2), None, pytest.approx(0.05)]
    assert list(first.error_y.arrayminus) == [pytest.approx(0.1), None, pytest.approx(0.1)]
    assert second.error_y.array is None


def test_bars_are_ordered_by_their_value():
    bar = charts.bars({"(": 8.1, "()": 1.0, ")": 8.0}, "effect").data[0]
    assert list(bar.x) == [8.1, 8.0, 1.0]
    assert [name.strip() for name in bar.y] == ["(", ")", "()"]


def test_a_dial_points_up_at_zero_right_at_a_quarter_and_down_at_a_half_turn():
    needles = charts.dials({"(": [0.0, 90.0, 180.0]}).data
    moves = [(needle.x[1] - needle.x[0], needle.y[1] - needle.y[0]) for needle in needles]
    assert moves[0] == pytest.approx((0, 0.38))
    assert moves[1] == pytest.approx((0.38, 0), abs=1e-12)
    assert moves[2] == pytest.approx((0, -0.38))


def test_a_heatmap_keeps_rows_as_rows():
    heat = charts.heatmap([[1.0, 0.2]], ["row"], ["a", "b"], "similarity").data[0]
    assert [list(line) for line in heat.z] == [[1.0, 0.2]]
    assert (list(heat.y), list(heat.x)) == (["row"], ["a", "b"])


def test_a_record_is_what_figures_json_wants():
    entry = charts.record("a", "Title", "Caption.", charts.bars({"x": 1.0}, "effect"))
    written = entry.as_json()
    assert json.loads(json.dumps(written, allow_nan=False)) == written
    assert {"data", "layout"} <= set(entry.figure)
    assert (entry.id, entry.title, entry.caption) == ("a", "Title", "Caption.")

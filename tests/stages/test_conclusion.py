"""The rows of DVC's plots: no two share a bar."""

from pathlib import Path

import pytest
import yaml

from stages.conclusion import labelled

STAGES = Path(__file__).parents[2] / "stages"


@pytest.mark.parametrize(
    ("rows", "bars"),
    [
        ([], []),
        ([{"model": "a", "score": 0.5}], ["a"]),
        ([{"corpus": "x", "model": "a", "score": 0.5}, {"corpus": "x", "model": "b", "score": 0.5}], ["a", "b"]),
        ([{"model": "a", "test": "t"}, {"model": "a", "test": "u"}], ["t", "u"]),
        ([{"model": "a", "test": "t"}, {"model": "b", "test": "t"}, {"model": "b", "test": "u"}],
         ["a, t", "b, t", "b, u"]),
        ([{"model": "a", "k": 1, "score": 0.5}, {"model": "a", "k": 2, "score": 0.5}], ["a, k 1", "a, k 2"]),
        ([{"model": "a", "score": 0.5}, {"model": "a", "score": 0.7}], ["a", "a (2)"]),
        ([{"steps": 1, "score": 0.5}, {"steps": 2, "score": 0.5}], ["steps 1", "steps 2"]),
    ],
)  # fmt: skip
def test_a_bar_says_what_tells_its_row_from_the_others(rows, bars):
    shown = labelled(rows)
    assert [row["bar"] for row in shown] == bars
    assert [{key: value for key, value in row.items() if key != "bar"} for row in shown] == rows


def test_charts_of_bars_take_the_bar_of_the_row():
    for path in STAGES.glob("*/dvc.yaml"):
        for plot in yaml.safe_load(path.read_text()).get("plots", ()):
            for address, options in plot.items() if isinstance(plot, dict) else ():
                if "bar" in options.get("template", ""):
                    assert options["y"] == "bar", address

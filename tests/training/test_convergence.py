import json

import pytest

from repline.errors import InputError
from repline.training.convergence import converged, not_converged


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("dev_accuracy", [0.5, 0.7, 0.6], True),
        ("dev_accuracy", [0.5, 0.6, 0.7], False),
        ("dev_accuracy", [0.5, 0.7, 0.7], True),  # the first of equal epochs is kept
        ("dev_accuracy", [0.5, 0.7, 1.0], True),  # which no epoch can exceed
        ("validation_loss", [3.0, 1.0, 2.0], True),
        ("validation_loss", [3.0, 2.0, 1.5], False),
        ("validation_loss", [3.0, 2.0, 1.0], False),
        ("validation_loss", [3.0], False),
        ("train_loss", [3.0, 2.0, 1.0], True),  # says nothing of other data
    ],
)
def test_the_best_epoch_is_not_the_last(name, values, expected):
    assert converged([{name: value} for value in values]) is expected


def test_an_untrained_model_has_nothing_to_converge():
    assert converged([])


def test_the_number_that_selects_the_epoch_is_watched():
    history = [
        {"dev_accuracy": 0.5, "validation_loss": 3.0},
        {"dev_accuracy": 0.7, "validation_loss": 1.0},
        {"dev_accuracy": 0.6, "validation_loss": 0.5},
    ]
    assert converged(history)
    assert not converged(history, "validation_loss")


def test_one_run_marks_its_group(tmp_path):
    for name, last in (("seed-0", 0.6), ("seed-1", 0.8)):
        (tmp_path / name).mkdir()
        history = [{"dev_accuracy": value} for value in (0.5, 0.7, last)]
        (tmp_path / name / "training.json").write_text(json.dumps({"history": history}))
    runs = {"toy.first": [tmp_path / "seed-0"], "toy.both": [tmp_path / "seed-0", tmp_path / "seed-1"]}
    assert not_converged(runs) == ["toy.both"]


def test_a_folder_without_a_record_is_named(tmp_path):
    with pytest.raises(InputError, match=r"training\.json: this is no record"):
        not_converged({"toy": [tmp_path]})

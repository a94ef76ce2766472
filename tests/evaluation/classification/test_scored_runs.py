"""Which networks had not converged: those whose last epoch was the best on dev, unless it was good enough."""

import json

import pytest

from repline.errors import InputError
from repline.evaluation.classification.scored_runs import not_converged


def test_a_network_whose_last_epoch_is_the_best_had_not_converged_unless_that_was_enough(tmp_path):
    trainings = {
        "ended_early": ([0.5, 0.8, 0.7], None),
        "still_rising": ([0.5, 0.7, 0.8], None),
        "good_enough": ([0.5, 0.99], 0.95),
        "not_enough": ([0.5, 0.9], 0.95),
    }
    for name, (accuracies, enough) in trainings.items():
        (tmp_path / name).mkdir()
        history = [{"epoch": epoch, "dev_accuracy": accuracy} for epoch, accuracy in enumerate(accuracies, 1)]
        record = {"history": history, "settings": {"enough": enough}}
        (tmp_path / name / "training.json").write_text(json.dumps(record), encoding="utf-8")
    models = {name: [tmp_path / "ended_early", tmp_path / name] for name in trainings}
    assert not_converged(models) == ["networks.still_rising", "networks.not_enough"]
    with pytest.raises(InputError, match="train it again"):
        not_converged({"absent": [tmp_path / "absent"]})

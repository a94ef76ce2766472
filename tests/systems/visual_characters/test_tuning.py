"""The learning rate with the lowest dev loss is taken, and what the others came to is kept."""

import json

import pytest

from repline.errors import InputError
from repline.systems.visual_characters.settings import Tuning
from repline.systems.visual_characters.tuning import tune, tuned_losses
from repline.training.run import Run

LOSSES = {0.1: [2.0, 1.5], 0.3: [1.0, 1.2], 1.0: None}


def train(learning_rate, this_run):
    if LOSSES[learning_rate] is None:
        raise FloatingPointError("the loss is not finite")
    this_run.folder.mkdir(parents=True)
    history = [{"validation_loss": loss, "train_loss": loss + this_run.seed} for loss in LOSSES[learning_rate]]
    (this_run.folder / "training.json").write_text(json.dumps({"history": history, "rate": learning_rate}))


def tuned(folder, rates, seeds=(3, 4)):
    tuning = Tuning(seeds=list(seeds), learning_rates=rates, epochs=2, batch=1)
    tune(train, tuning, lambda seed, *parts: Run(folder.joinpath(*parts, f"seed-{seed}"), seed, name="encoder"))


def test_the_best_rate_trains_every_seed(tmp_path):
    tuned(tmp_path, [0.1, 0.3, 1.0])
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.json"))
    assert files == ["rate-0.1/training.json", "seed-3/training.json", "seed-4/training.json", "tuning.json"]
    rates = [json.loads((tmp_path / f"seed-{seed}/training.json").read_text())["rate"] for seed in (3, 4)]
    assert rates == [0.3, 0.3]
    assert tuned_losses(tmp_path) == {
        "learning_rate": 0.3,
        "learning_rate_at_the_edge": False,
        "dev_loss_of_rates": {"0.1": 1.5, "0.3": 1.0, "1.0": None},
        "train_loss": (4.0 + 5.0) / 2,  # of the epoch with the lowest dev loss
    }


def test_a_rate_at_the_edge_of_several_is_marked(tmp_path):
    tuned(tmp_path / "two", [0.1, 0.3], seeds=[0])
    tuned(tmp_path / "one", [0.3], seeds=[0])
    assert tuned_losses(tmp_path / "two")["learning_rate_at_the_edge"]
    assert not tuned_losses(tmp_path / "one")["learning_rate_at_the_edge"]


def test_no_finite_loss(tmp_path):
    with pytest.raises(InputError, match=r"encoder: no learning rate of \[1.0\] gives a finite loss"):
        tuned(tmp_path, [1.0])

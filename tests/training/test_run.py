"""One training from recipe to saved model: what it writes, what makes it another one, and where its runs are found."""

import json

import pytest
import torch
from huggingface_hub import PyTorchModelHubMixin
from torch import nn
from torch.nn.functional import mse_loss

from repline.errors import InputError
from repline.training.batches import batches
from repline.training.fingerprint import fingerprint
from repline.training.fit import fit
from repline.training.optimizers.schedules import plateau
from repline.training.recipes import CPU, Hardware, Recipe
from repline.training.run import Run, run, runs
from repline.training.training_run import training_run
from tests.training.two_processes import train_in_two_processes

RECIPE = Recipe(epochs=2, learning_rate=0.1, batch=4, hardware=CPU)


class Line(nn.Module, PyTorchModelHubMixin):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Linear(1, 1)


def squared_error(model, batch):
    return mse_loss(model.weight(batch[0]), batch[1])


def weight_of(model):
    return {"weight": float(model.weight.weight)}


def trained(folder, recipe=RECIPE, seed=3, slope=2.0, code_digest=None, **more):
    torch.manual_seed(seed)
    x = torch.linspace(0, 1, 12)[:, None]
    this_run = Run(folder / "model", seed=seed, name="line", scratch=folder / "scratch", code_digest=code_digest)
    history = run(
        Line(),
        squared_error,
        batches((x, slope * x), recipe.batch, seed=seed),
        recipe,
        this_run,
        data=(x, slope * x),
        **more,
    )
    return this_run, history


def test_a_model_is_saved_with_the_record_of_its_training(tmp_path):
    this_run, history = trained(tmp_path, settings={"network": "line"}, records=lambda history: {"last": len(history)})
    record = json.loads((this_run.folder / "training.json").read_text())
    settings = {"network": "line", "seed": 3, "epochs": 2, "learning_rate": 0.1, "batch": 4}
    settings |= {"gradient_clip": None, "patience": None}
    assert record == {"settings": settings, "history": history, "last": 2, "parameters": 2}
    assert (this_run.folder / "model.safetensors").exists() and len(history) == 2
    assert this_run.checkpoints == list((tmp_path / "scratch").iterdir())
    assert this_run.checkpoints[0].name.startswith("line-3-")


def test_whatever_the_result_depends_on_is_another_training(tmp_path):
    changes = [
        {},
        {"recipe": RECIPE.model_copy(update={"learning_rate": 0.2})},
        {"seed": 4},
        {"slope": 3.0},
        {"settings": {"network": "curve"}},
        {"code_digest": "0123"},
        {"code_digest": "4567"},
    ]
    marks = [trained(tmp_path, **change)[0].checkpoints[0].name for change in changes]
    assert len(set(marks)) == len(changes)
    assert trained(tmp_path)[0].checkpoints[0].name == marks[0]


def test_the_code_of_all_that_takes_part_in_a_training_counts(tmp_path, monkeypatch):
    counted = []

    def mark(*arguments, others, **more):
        counted.extend(others)
        return fingerprint(*arguments, others=others, **more)

    monkeypatch.setattr("repline.training.run.fingerprint", mark)
    schedule = plateau(0.5, 1, monitor="weight")
    trained(tmp_path, measure=weight_of, schedule=schedule)
    assert {fit, weight_of, schedule} <= set(counted)


def test_runs_are_listed_by_their_seeds(tmp_path):
    for name in ("seed-10", "seed-2", "seed-x", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / ".DS_Store").touch()
    (tmp_path / "seed-3").touch()
    assert [path.name for path in runs(tmp_path)] == ["seed-2", "seed-10"]
    with pytest.raises(InputError, match="there is no trained model"):
        runs(tmp_path / "other")


def test_patience_needs_a_development_part(tmp_path):
    with pytest.raises(InputError, match="no development part"):
        trained(tmp_path, recipe=Recipe(epochs=2, learning_rate=0.1, batch=4, patience=1))


def train_and_describe(folder):
    """Train in two processes, and add to the folder of the model as systems do."""
    hardware = Hardware(accelerator="cpu", devices=2, strategy="ddp")
    with training_run(folder) as this_run:
        x = torch.linspace(0, 1, 12)[:, None]
        recipe = RECIPE.model_copy(update={"hardware": hardware})
        run(Line(), squared_error, batches((x, 2 * x), recipe.batch), recipe, this_run)
        record = json.loads((this_run.folder / "training.json").read_text())
        (this_run.folder / "scores.txt").write_text(str(len(record["history"])))
        assert list(this_run.scratch.iterdir())  # until both processes are done
    return not this_run.scratch.exists()


def test_each_of_two_processes_can_add_to_the_folder_of_its_model(tmp_path):
    assert train_in_two_processes(tmp_path, train_and_describe, "model")
    assert (tmp_path / "model/scores.txt").read_text() == "2" and (tmp_path / "model/model.safetensors").exists()
    assert not [path for path in tmp_path.iterdir() if "model" in path.name and path.name != "model"]

"""What an evaluation says of trained models of expressions, and in which order sequences are answered."""

import json
import shutil

import pytest
import torch

from repline.errors import InputError
from repline.systems.rrnet import evaluation, math_expressions
from repline.systems.rrnet.evaluation import evaluate_expressions, majority_of_expressions
from repline.systems.rrnet.settings import ExpressionRecipe, MathExpressions
from repline.systems.rrnet.tasks import ExpressionEvaluator
from repline.systems.rrnet.tensors import expression_tensors
from repline.systems.rrnet.training import train_expressions
from repline.training.history import read_record
from repline.training.run import Run

RECIPE = ExpressionRecipe(
    encoder="brackets", embedding=4, units=5, lengths=[2], batch=8, learning_rate=0.01, epochs=[1, 2], seeds=[0, 4]
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "math_expressions"
    math_expressions.generate(
        folder, MathExpressions(operators="+-", lengths=[2, 3], train=40, validation=10, test=12, seed=1)
    )
    return folder


@pytest.fixture(scope="module")
def runs(corpus, tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    folders = [root / f"seed-{seed}" for seed in RECIPE.seeds]
    for seed, folder in zip(RECIPE.seeds, folders, strict=True):
        train_expressions(RECIPE, corpus, Run(folder, seed=seed, scratch=root / "scratch"))
    return folders


def test_every_number_of_epochs_is_measured_and_the_last_one_is_told(corpus, runs):
    evaluation = evaluate_expressions({"trees": RECIPE}, {"trees": runs}, corpus, [2, 3])
    trees = evaluation.metrics["trees"]
    assert trees["accuracy_by_length"] == trees["after_2"]["accuracy_by_length"]
    assert set(trees["after_1"]["runs"]) == {"seed_0", "seed_4"}
    assert trees["seeds"] == 2 and trees["examples_by_length"] == [0, 0, 24, 24]  # both runs pooled
    assert evaluation.metrics["majority"] == majority_of_expressions(corpus, [2], [2, 3])
    assert set(evaluation.replicates[0]) == {"trees"}
    with pytest.raises(InputError, match="trained with units 5, and the parameters now say 6"):
        evaluate_expressions({"trees": RECIPE.model_copy(update={"units": 6})}, {"trees": runs}, corpus, [2, 3])


def test_a_training_that_ends_at_its_best_epoch_has_not_converged(corpus, runs, tmp_path):
    histories = [read_record(run / "after-2")["history"] for run in runs]
    assert all(len(history) == 2 and 0 <= history[-1]["validation_loss"] <= 1 for history in histories)
    for last, marked in ((0.0, ["trees"]), (1.0, [])):  # the share of wrong values after the last epoch
        for run, history in zip(runs, histories, strict=True):
            record = read_record(run / "after-2") | {"history": [history[0] | {"validation_loss": 0.5}]}
            record["history"].append(history[1] | {"validation_loss": last})
            shutil.copytree(run, tmp_path / f"{last}" / run.name)
            (tmp_path / f"{last}" / run.name / "after-2" / "training.json").write_text(json.dumps(record))
        changed = sorted((tmp_path / f"{last}").iterdir())
        assert evaluate_expressions({"trees": RECIPE}, {"trees": changed}, corpus, [2]).not_converged == marked


def test_answers_stand_at_their_rows_whatever_the_batch(corpus, runs, monkeypatch):
    ids, lengths, values = expression_tensors(corpus / "test.parquet", [3, 2])
    model = ExpressionEvaluator.from_pretrained(runs[0] / "after-2").eval()
    rows = zip(ids, lengths, strict=True)
    alone = [int(model.predict(row[None, :length], length[None])[0]) for row, length in rows]
    answers = torch.tensor(alone)
    answers[::3] += 1
    monkeypatch.setattr(evaluation, "PREDICTION_BATCH", 5)
    is_correct, operations = evaluation.right_values(model, ids, lengths, answers)
    assert is_correct.tolist() == [row % 3 > 0 for row in range(24)]
    assert sum(len(batch) for batch in operations) == 24
    assert values.shape == (24,)

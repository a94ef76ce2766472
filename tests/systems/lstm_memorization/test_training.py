"""Training to recall: the schedule, the early end, equal runs, and that an easy case is learnt."""

import json

import numpy as np
import pytest
import torch

from repline.systems.lstm_memorization import corpus as middle_token
from repline.systems.lstm_memorization import training
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.systems.lstm_memorization.settings import CorpusRecipe, Experiment, Recipe
from repline.systems.lstm_memorization.training import Windows, recall, targets
from repline.training.recipes import CPU
from repline.training.run import Run


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "middle_token"
    generator = np.random.default_rng(0)
    ids = generator.integers(30, size=6000)
    middle_token.build(
        ids,
        [f"w{number:02d}" for number in range(30)],
        folder,
        CorpusRecipe(types=20, test_types=8, test_sequences=100),
        distributions=["unigram", "language"],
        lengths=[4, 6],
    )
    return folder


EXPERIMENT = Experiment(distribution="unigram", length=4, dimensions=24)


def train(corpus, folder, seed=0, **changes):
    """The folder of the checkpoints and the record of a training."""
    options = {"epochs": 2, "learning_rate": 0.01, "batch": 16, "batch_of_few": 16, "hardware": CPU}
    this_run = Run(folder, seed=seed, scratch=folder.parent / "scratch")
    training.train(Recipe(**(options | changes)), corpus, EXPERIMENT, this_run)
    return this_run.checkpoints[0], json.loads((folder / "training.json").read_text())


def test_windows_are_rows_of_the_stream():
    stream = torch.arange(50, dtype=torch.int32)
    windows = Windows(stream, torch.tensor([7, 0, 21]), 10)
    assert len(windows) == 3
    assert windows[torch.tensor([2, 0])].tolist() == [list(range(21, 31)), list(range(7, 17))]
    assert windows[:2].tolist() == [list(range(7, 17)), list(range(10))]
    assert targets(windows[:]).tolist() == [12, 5, 26]


def test_the_rate_is_halved_after_every_third_epoch_without_improvement(corpus, tmp_path):
    _, record = train(corpus, tmp_path / "run", epochs=9, learning_rate=1e-20)  # nothing moves
    assert len({epoch["validation_loss"] for epoch in record["history"]}) == 1
    rates = [epoch["learning_rate"] for epoch in record["history"]]
    assert rates == [1e-20] * 4 + [5e-21] * 3 + [2.5e-21] * 2  # the first epoch is the best so far


def test_accuracy_and_loss_of_a_model_are_those_of_all_rows_at_once():
    torch.manual_seed(0)
    model, ids = MiddleTokenLSTM(20, 8).eval(), torch.randint(0, 20, (50, 6))
    accuracy, loss = recall(model, ids, block=7)
    with torch.no_grad():
        logits = model(ids)
    assert accuracy == (logits.argmax(-1) == ids[:, 3]).float().mean()
    assert loss == pytest.approx(float(torch.nn.functional.cross_entropy(logits, ids[:, 3])), rel=1e-5)


def test_an_easy_case_is_learnt(corpus, tmp_path):
    scratch, record = train(corpus, tmp_path / "run", epochs=8)
    sequences = len(middle_token.read_stream(corpus, "unigram")) // 4
    held_out = round(0.1 * sequences)
    assert record["sequences"] == {"training": sequences - held_out, "validation": held_out, "in_a_batch": 16}
    history = record["history"]
    torch.manual_seed(0)
    untrained, trained = MiddleTokenLSTM(20, 24).eval(), MiddleTokenLSTM.from_pretrained(tmp_path / "run").eval()
    test = torch.from_numpy(middle_token.read_test(corpus, 4))  # of 8 types: a guess is right once in eight times
    best = max(range(len(history)), key=lambda epoch: history[epoch]["validation_accuracy"])
    assert recall(trained, test)[0] == history[best]["test_accuracy"] > 0.5 > 2 * recall(untrained, test)[0]
    assert scratch.is_dir()


def test_two_runs_of_one_seed_are_equal_and_of_two_seeds_are_not(corpus, tmp_path):
    (scratch, first), (_, again) = (train(corpus, tmp_path / name / "run") for name in "ab")
    other_scratch, different = train(corpus, tmp_path / "c" / "run", seed=1)
    assert first == again
    files = [tmp_path / name / "run" / "model.safetensors" for name in "abc"]
    assert files[0].read_bytes() == files[1].read_bytes() != files[2].read_bytes()
    assert first["history"] != different["history"]
    assert scratch.name != other_scratch.name


def watch(monkeypatch, accuracies):
    """Replace the validation accuracy of each epoch by `accuracies`; the list returned fills with each epoch's weights.

    So which epoch is the best, or the first perfect one, does not depend on a processor's rounding.
    """
    measure, weights = training._measure, []

    def measured(model, validation, test):
        weights.append({name: value.clone() for name, value in model.state_dict().items()})
        return measure(model, validation, test) | {"validation_accuracy": accuracies[len(weights) - 1]}

    monkeypatch.setattr(training, "_measure", measured)
    return weights


def same(weights, expected):
    return all(torch.equal(value, expected[name]) for name, value in weights.items())


def test_the_model_of_the_best_epoch_is_saved(corpus, tmp_path, monkeypatch):
    accuracies = [0.2, 0.7, 0.9, 0.4, 0.9, 0.6]  # the third is the best, and the first of two
    weights = watch(monkeypatch, accuracies)
    _, record = train(corpus, tmp_path / "run", epochs=6)
    assert [epoch["validation_accuracy"] for epoch in record["history"]] == accuracies
    model = MiddleTokenLSTM.from_pretrained(tmp_path / "run", strict=True).eval()
    assert [same(model.state_dict(), of_epoch) for of_epoch in weights] == [False, False, True, False, False, False]
    test = torch.from_numpy(middle_token.read_test(corpus, 4))
    assert recall(model, test)[0] == record["history"][2]["test_accuracy"]


def test_training_ends_at_the_first_perfect_validation(corpus, tmp_path, monkeypatch):
    weights = watch(monkeypatch, [0.5, 0.999, 1.0, 0.3])
    _, record = train(corpus, tmp_path / "run", epochs=9)
    assert [epoch["validation_accuracy"] for epoch in record["history"]] == [0.5, 0.999, 1.0]
    assert same(MiddleTokenLSTM.from_pretrained(tmp_path / "run").state_dict(), weights[2])


def test_the_embedding_is_as_drawn(corpus, tmp_path):
    train(corpus, tmp_path / "run")
    torch.manual_seed(0)
    drawn = MiddleTokenLSTM(20, 24)
    trained = MiddleTokenLSTM.from_pretrained(tmp_path / "run")
    assert torch.equal(trained.embedding, drawn.embedding)
    assert not torch.equal(trained.lstm.weight_ih_l0, drawn.lstm.weight_ih_l0)


def test_few_sequences_get_their_own_batch_size(corpus, tmp_path):
    for few, batch in ((900, 64), (1100, 32)):
        _, record = train(corpus, tmp_path / str(few), epochs=1, batch=64, batch_of_few=32, few=few)
        assert record["sequences"]["in_a_batch"] == batch

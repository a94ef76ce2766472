"""What an evaluation says of trained models: the best run by validation, every run alone, and what is not there."""

import numpy as np
import pytest

from repline.errors import InputError
from repline.systems.lstm_memorization import corpus as middle_token
from repline.systems.lstm_memorization.evaluation import evaluate
from repline.systems.lstm_memorization.settings import Experiment, load
from repline.systems.lstm_memorization.training import train
from repline.training.run import Run
from tests.stages import parameter_files

SHORT = Experiment(distribution="unigram", dimensions=8, length=4)


@pytest.fixture(scope="module")
def settings():
    section = parameter_files.shared()["lstm_memorization"]
    changes = {
        "data": {"types": 20, "test_types": 8, "test_sequences": 50},
        "distributions": ["unigram"],
        "sizes": [8],
        "lengths": [4, 6],
        "seeds": [0, 3],
        "training": section["training"] | {"epochs": 1, "batch_of_few": 16},
        "counting": SHORT.model_dump(),
    }
    return load({"lstm_memorization": section | changes})


@pytest.fixture(scope="module")
def corpus(settings, tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "middle_token"
    ids, words = np.random.default_rng(0).integers(30, size=6000), [f"w{number:02d}" for number in range(30)]
    middle_token.build(
        ids, words, folder, settings.data, distributions=settings.distributions, lengths=settings.lengths
    )
    return folder


@pytest.fixture(scope="module")
def models(settings, corpus, tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    folders = [root / f"seed-{seed}" for seed in settings.seeds]
    for seed, folder in zip(settings.seeds, folders, strict=True):
        train(settings.training, corpus, SHORT, Run(folder, seed=seed, scratch=root / "scratch"))
    return {SHORT: folders}  # 6 tokens were not tried


def test_the_best_run_by_validation_is_told_and_each_run_is_a_replicate(settings, corpus, models):
    evaluation = evaluate(settings, corpus, models)
    of_length = evaluation.metrics["runs"]["unigram"]["d8"]
    assert list(of_length) == ["n4"]
    accuracies = of_length["n4"]["test_accuracy_of_runs"]
    selected = int(np.argmax(of_length["n4"]["validation_accuracy_of_runs"]))
    assert of_length["n4"]["test_accuracy"] == accuracies[selected]
    replicates = [replicate["runs"]["unigram"]["d8"]["n4"] for replicate in evaluation.replicates]
    assert [replicate["test_accuracy"] for replicate in replicates] == accuracies
    assert evaluation.metrics["counting"] == evaluation.replicates[selected]["counting"]
    assert evaluation.metrics["counting"]["length"] == 4
    assert evaluation.metrics["random_level"] == 1 / 20


def test_a_training_of_one_epoch_had_not_converged(settings, corpus, models):
    assert evaluate(settings, corpus, models).not_converged == ["counting", "runs.unigram.d8.n4"]


def test_a_size_without_any_model_is_a_mistake(settings, corpus):
    with pytest.raises(InputError, match="unigram, d = 8: there is no trained model of any length"):
        evaluate(settings, corpus, {})

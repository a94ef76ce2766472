"""The default batch of `repline train` is smaller for few items; a batch that is asked for stays."""

import inspect
import json

import pytest

from repline.cli.train import COMMANDS
from repline.cli.training_commands.lexicon_commands import lexical_contrast
from repline.systems.name_typing import training as name_typing
from tests.cli.train_command import TOPICS, train, write_topic_vectors


def batch_of_model(system: str, *options: str) -> int:
    train(system, *options)
    with open("model/training.json", encoding="utf-8") as file:
        return json.load(file)["settings"]["batch"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.train.__name__)
def test_every_command_with_a_batch_scales_or_shrinks_it(command):
    if "batch" in inspect.signature(command.train).parameters:
        assert "scaled_batch(context, batch, " in inspect.getsource(command.train) or command.train is lexical_contrast


def test_few_strings_of_brackets_make_small_batches(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.txt").write_text("()\n([])\n" * 60)
    options = ["--data", "few.txt", "--dimensions", "4", "--epochs", "1"]
    assert batch_of_model("urn", *options) == 6
    assert batch_of_model("urn", *options, "--batch", "512") == 512
    (tmp_path / "few.txt").write_text("()\n" * 20)
    assert batch_of_model("urn", *options) == 4


def test_few_names_make_small_batches(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_topic_vectors(tmp_path / "mine.vec")
    rows = [f"{word}\t{topic}" for topic, words in TOPICS.items() for word in words]
    (tmp_path / "names.tsv").write_text("\n".join(rows) + "\n")
    batches = []

    def noted(classifier, recipes, *arguments):
        batches.append(recipes.mlp.batch)
        return training(classifier, recipes, *arguments)

    training = name_typing.train
    monkeypatch.setattr(name_typing, "train", noted)
    for options in [], ["--batch", "200"]:
        train("name_typing", "--data", "names.tsv", "--vectors", "mine.vec", "--epochs", "1", *options)
    assert batches == [4, 200]

"""Models of lstm_memorization on raw text, from a copied folder."""

import json
import math
import shutil

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.errors import InputError
from repline.systems.lstm_memorization import corpus as middle_token
from repline.systems.lstm_memorization import training
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.systems.lstm_memorization.settings import Recipe
from repline.training.recipes import CPU
from repline.training.run import Run
from tests.systems.lstm_memorization.test_training import EXPERIMENT, corpus  # noqa: F401


@pytest.fixture
def folder(corpus, tmp_path):  # noqa: F811
    recipe = Recipe(epochs=8, learning_rate=0.01, batch=16, batch_of_few=16, hardware=CPU)
    training.train(recipe, corpus, EXPERIMENT, Run(tmp_path / "run", scratch=tmp_path / "scratch"))
    return shutil.copytree(tmp_path / "run", tmp_path / "elsewhere" / "run")


def test_the_middle_word_is_recalled_as_in_the_evaluation(folder, corpus, tmp_path):  # noqa: F811
    model, network = repline.load(folder), MiddleTokenLSTM.from_pretrained(folder).eval()
    test = torch.from_numpy(middle_token.read_test(corpus, EXPERIMENT.length))
    texts = [" ".join(model.words[word] for word in row) for row in test.tolist()]
    answers = model.recall(texts, batch=7)
    assert [answer.tokens for answer in answers] == [text.split() for text in texts]
    accuracy, loss = training.recall(network, test)
    assert np.mean([answer.is_right for answer in answers]) == pytest.approx(accuracy) and accuracy > 0.5
    scores = model.score(texts)
    assert -np.mean([score.log_probability for score in scores]) == pytest.approx(loss, rel=1e-4)
    assert [score.tokens for score in scores] == [[answer.middle] for answer in answers]
    first = model.next(texts[0], 10**6)
    assert (first[0].token, first[0].probability) == (answers[0].word, pytest.approx(answers[0].probability))
    assert sum(symbol.probability for symbol in first) == pytest.approx(1)
    (tmp_path / "texts.txt").write_text("\n".join(texts[:2]), encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", str(folder), str(tmp_path / "texts.txt")])
    assert result.exit_code == 0, result.output
    assert [json.loads(line)["word"] for line in result.stdout.splitlines()] == [answer.word for answer in answers[:2]]


def test_texts_of_any_length_and_without_known_words(folder):
    model = repline.load(folder)
    word = model.words[0]
    answers = model.recall([word, " ".join([word] * 3000), f"{word} unheard-of {word}", "", " \n", "xyzzy 好"])
    assert [len(answer.tokens) for answer in answers] == [1, 3000, 2, 0, 0, 0]
    assert answers[2].unknown == ["unheard-of"] and answers[5].unknown == ["xyzzy", "好"]
    for answer in answers[3:]:
        assert (answer.word, answer.probability, answer.middle, answer.is_right) == (None, 0, None, False)
    nothing = model.score("")
    assert (nothing.log_probability, nothing.tokens) == (0, []) and math.isnan(nothing.perplexity)
    assert len({symbol.probability for symbol in model.next("", 5)}) == 1
    assert model.answers([{"text": ""}])[0]["word"] is None
    for call in (model.recall, model.score):
        with pytest.raises(InputError, match=f"{call.__name__} takes a text or a list of texts"):
            call([["a", "b"]])


def test_a_damaged_description_is_one_sentence(folder):
    for values, message in (({"words": ["a"]}, "expected 20 words"), ({}, "expected 20 words")):
        (folder / "raw_input.json").write_text(json.dumps(values))
        with pytest.raises(InputError, match=message):
            repline.load(folder)

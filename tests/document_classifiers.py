"""Raw texts that any classifier of documents learns, and what each does with raw input alike."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.corpora.labelled.classified_texts import Text, as_texts
from repline.errors import InputError, Notice
from repline.evaluation.classification.classification_measures import read_probabilities
from repline.evaluation.classification.training import SCORES
from repline.segmentation.document_sentences import sentences_of
from repline.use.document_classifier import DocumentClassifier

OPINIONS = {"bad": "It was awful.", "good": "It was fine."}


def raw_texts(number=150):
    """Ids, labels, raw texts and parts: two thirds of the texts are good."""
    rows = []
    for row in range(number):
        label = "bad" if row % 3 == 0 else "good"
        part = ("train", "train", "train", "dev", "test")[row // 3 % 5]
        rows.append((str(row), label, f"We had tea at {row % 7}. {OPINIONS[label]}", part))
    return rows


def split_texts(splitting):
    """The texts as a corpus, split so."""
    texts = [Text(name, label, sentences_of(text, splitting), part) for name, label, text, part in raw_texts()]
    return replace(as_texts(texts), splitting=splitting)


def check(trained, tmp_path, splitting="marks"):
    """What every trained classifier of `split_texts` does with raw input, in a copy of its folder."""
    folder = tmp_path / "copied"
    shutil.copytree(trained, folder)
    model = repline.load(folder)
    assert isinstance(model, DocumentClassifier) and model.splitting == splitting
    raw = [text for _, _, text, part in raw_texts() if part == "test"]
    answers = model.classify(raw)
    expected = read_probabilities(trained / SCORES)["test"]
    probabilities = np.array([[answer.probabilities[label] for label in model.labels] for answer in answers])
    np.testing.assert_allclose(probabilities, expected, atol=1e-5)
    assert [model.classify(text, batch=1).label for text in raw] == [answer.label for answer in answers]
    assert model.classify(raw[0].upper()).label == answers[0].label
    gold = [label for _, label, _, part in raw_texts() if part == "test"]
    assert np.mean([answer.label == label for answer, label in zip(answers, gold, strict=True)]) > 0.7
    for text in ("", " \n", "xyzzy plugh", "好"):
        answer = model.classify(text)
        assert (answer.label, answer.known_words) == ("good", 0)
        assert answer.probability == pytest.approx(2 / 3)
    with pytest.warns(Notice, match=r"a part is read: .*the first [0-9]+ words of"):
        assert model.classify("It was fine. " * 2000).known_words > 0
    for wrong in (7, None, [["it", "was"]], [b"it"]):
        with pytest.raises(InputError, match=r"classify takes a text or a list of texts"):
            model.classify(wrong)
    assert model.answers([{"text": raw[0]}])[0]["label"] == answers[0].label
    (tmp_path / "texts.txt").write_text("\n".join(raw[:3]) + "\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["predict", str(folder), str(tmp_path / "texts.txt")])
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["label"] for line in lines] == [answer.label for answer in answers[:3]]
    raw_input = json.loads((folder / "raw_input.json").read_text())
    (folder / "raw_input.json").write_text(json.dumps(raw_input | {"shares": [1.0]}))
    with pytest.raises(InputError, match=r"expected shares of 2 labels, found 1"):
        repline.load(folder)
    (folder / "raw_input.json").write_text("{}")
    with pytest.raises(InputError, match=r"expected network \(.*\), splitting and shares of labels"):
        repline.load(folder)

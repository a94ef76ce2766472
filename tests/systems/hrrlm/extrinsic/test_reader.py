"""A reader of fixed vectors learns what they hold, and no more; its counts are those of the tasks."""

import numpy as np
import pytest
import torch

from repline.systems.hrrlm.extrinsic import reader as reader_module
from repline.systems.hrrlm.extrinsic.reader import Counts, VectorReader, learn
from repline.systems.hrrlm.extrinsic.tasks import Sentences
from repline.systems.hrrlm.settings import ExtrinsicTask

WORDS = [f"w{number}" for number in range(40)]
ROWS = {word: row for row, word in enumerate(WORDS)}
CLASS = {word: "ab"[row % 2] for word, row in ROWS.items()}
TASK = ExtrinsicTask(source="task", hidden=8, learning_rate=0.02, epochs=5, batch=16)
LONGER = TASK.model_copy(update={"learning_rate": 0.05, "epochs": 20})


def _sentences(count, seed, whole):
    random = np.random.default_rng(seed)
    words = [[WORDS[row] for row in random.integers(40, size=6)] for _ in range(count)]
    if whole:
        words = [[word for word in sentence if CLASS[word] == CLASS[sentence[0]]] for sentence in words]
    labels = [[CLASS[sentence[0]]] if whole else [CLASS[word] for word in sentence] for sentence in words]
    return Sentences(words, labels)


@pytest.mark.parametrize("whole", [False, True])
def test_what_the_vectors_hold_is_learnt_and_what_they_do_not_is_guessed(whole, tmp_path):
    train, test = _sentences(200, 0, whole), _sentences(60, 1, whole)
    scores = {}
    for name, column in (("class", [CLASS[word] == "a" for word in WORDS]), ("nothing", [1] * 40)):
        matrix = np.outer(np.array(column, dtype=float) * 2 - 1, np.ones(3))
        counts = learn(ROWS, matrix, train, test, TASK, tmp_path, spans_count=False)
        assert counts.gold.sum() == counts.found.sum() == sum(map(len, test.labels))
        scores[name] = counts.score()
    assert scores["class"] > 0.98 and scores["nothing"] == pytest.approx(0.5, abs=0.2)
    assert not list(tmp_path.iterdir())  # no checkpoint is left


def test_checkpoints_are_named_by_the_code_of_the_loss_too(tmp_path, monkeypatch):
    """An edit of it starts a new training; it does not go on from weights that another loss has made."""
    losses = []
    monkeypatch.setattr(reader_module, "fingerprint", lambda *_, loss, **more: losses.append(loss) or "0")
    monkeypatch.setattr(reader_module, "fit", lambda reader, loss, *_, **more: losses.append(loss))
    learn(ROWS, np.eye(40), _sentences(3, 0, True), _sentences(3, 1, True), TASK, tmp_path, spans_count=False)
    assert losses[0] is losses[1]


def test_a_sentence_is_the_mean_of_its_known_words():
    vectors = torch.tensor([[1.0, 0], [0, 1.0], [0, 0]])
    reader = VectorReader(vectors, window=False, hidden=2, classes=2)
    read = []
    reader.layers.register_forward_pre_hook(lambda _, given: read.append(given[0]))
    reader(torch.tensor([[0, 1, 2, 2], [2, 2, 2, 2]]))
    assert read[0].tolist() == [[0.5, 0.5], [0, 0]]


def test_spans_are_scored_by_f1_and_resampled_by_sentence(tmp_path):
    train = Sentences([["w0", "w1", "w2"]] * 40, [["B-NP", "I-NP", "O"]] * 40)
    test = Sentences([["w0", "w1", "w2"], ["w2", "w2"]], [["B-NP", "I-NP", "O"], ["O", "B-NP"]])
    counts = learn(ROWS, np.eye(40), train, test, LONGER, tmp_path, spans_count=True)
    assert (counts.right[0], counts.found[0], counts.gold.tolist()) == (1, 1, [1, 1])
    assert counts.score(np.array([0, 0])) == 1
    assert Counts(*(np.array(part) for part in ([1, 0], [2, 1], [1, 2]))).score() == pytest.approx(2 / 6)

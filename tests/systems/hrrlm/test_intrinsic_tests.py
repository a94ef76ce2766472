"""The paper's tests of word vectors: scores, and the answers that they are resampled from."""

import numpy as np
import pytest

from repline.evaluation.word_vectors import suite
from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.hrrlm.intrinsic_tests import SCORES, pair_answers
from repline.systems.hrrlm.settings import Measurement

WORDS = [f"w{number}" for number in range(30)]
PAIRS = [("w1", "w2"), ("w3", "w9"), ("w4", "missing"), ("w5", "w6"), ("nowhere", "missing"), ("w7", "w8")]


@pytest.fixture
def embedding():
    return Embedding(WORDS, np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32))


def _answers(monkeypatch, tmp_path, embedding, task, file, content):
    test = suite.Test("A-test", task, "a_source", (file,))
    monkeypatch.setattr(suite, "tests_of", lambda source: [test])
    (tmp_path / "a_source").mkdir()
    (tmp_path / "a_source" / file).write_text(content, encoding="utf-8")
    measurement = Measurement(benchmarks=["a_source"], vocabulary=100, tsne_words=10, occurrences=10, seed=0)
    items = suite.read(test, tmp_path / "a_source")
    score = suite.measure(embedding, task, items)[SCORES[task]]
    return score, pair_answers(embedding, measurement, tmp_path)["a_test"]


def _all_pairs(answered):
    (score,) = answered.statistic(answered.answers, np.ones((1, len(answered.answers))))
    return score


def test_all_pairs_have_the_score_of_the_test(monkeypatch, tmp_path, embedding):
    content = "".join(f"{first}\t{second}\t{row}\n" for row, (first, second) in enumerate(PAIRS))
    score, answered = _answers(monkeypatch, tmp_path, embedding, "similarity", "pairs.tsv", content)
    assert len(answered.answers) == 6  # those with a missing word among them
    assert _all_pairs(answered) == pytest.approx(score) and score != 0


def test_all_relations_have_the_score_of_the_test(monkeypatch, tmp_path, embedding):
    rows = [
        f"r{number % 3},{prototype},w{number},w{29 - number}"
        for number in range(15)
        for prototype in (f"w28,w{number % 3 + 1}", "missing,w3")
    ]
    rows += ["r0,missing,w3,w4,missing", *(f"r3,w{number},missing,w{number},w{9 - number}" for number in (1, 2, 3))]
    content = "\n".join(["type,word1,word2,word3,target", *rows]) + "\n"
    score, answered = _answers(monkeypatch, tmp_path, embedding, "relations", "relations.csv", content)
    assert len(answered.answers) == 19  # those with a missing word among them
    assert _all_pairs(answered) == pytest.approx(score) and score != 0

"""Replicates at word level: runs are drawn, then rows or verb pairs, the same for all variants."""

import numpy as np
import pytest

from repline.evaluation.leaderboards.shared_items import correlation
from repline.evaluation.perplexity import RowLikelihoods
from repline.evaluation.word_vectors.embedding import Embedding
from repline.systems.hrrlm.decomposition import pair_space
from repline.systems.hrrlm.intrinsic_tests import PairAnswers
from repline.systems.hrrlm.resampled_scores import WordRun, margins, perplexity_replicates, word_replicates

VERBS = [f"verb{number}" for number in range(12)]
PAIRS = [(verb, verb + "s") for verb in VERBS]
FORMS = np.tile(np.eye(2), (12, 1))  # of verb0, verb0s, verb1, ...
STEMS = np.repeat(np.eye(12), 2, axis=0)


def _space(matrix):
    return pair_space(Embedding([word for pair in PAIRS for word in pair], matrix.astype(np.float32)), PAIRS)


def _rows(*nats, words=4):
    return RowLikelihoods(np.array(nats, dtype=float), np.full(len(nats), words))


def test_rows_are_drawn_of_one_run():
    parts = perplexity_replicates("perplexity", [_rows(4, 12, 4, 12)], 40)
    replicates = [part["perplexity"] for part in parts]
    assert set(np.log(replicates).round(6)) <= {1.0, 1.5, 2.0, 2.5, 3.0} and len(set(replicates)) > 2


def test_runs_are_drawn_and_averaged():
    runs = [_rows(4, 4), _rows(8, 8), _rows(8, 8)]
    replicates = [replicate["x"] for replicate in perplexity_replicates("x", runs, 40)]
    first, second = np.exp(1), np.exp(2)
    expected = (first, (first + second) / 2, second)
    assert {round(value, 6) for value in replicates} == {round(value, 6) for value in expected}


def test_variants_read_the_same_rows():
    runs = {name: [WordRun({"test": _rows(4, 12, 4, 12)}, {}, {})] for name in ("one", "other")}
    for replicate in word_replicates(runs, 20):
        assert replicate["one"]["test_perplexity"] == replicate["other"]["test_perplexity"]


def test_fillers_are_scored_on_resampled_pairs():
    spaces = {"filler_1": _space(9 * FORMS + 0.1), "filler_2": _space(np.hstack([9 * STEMS, FORMS]))}
    run = WordRun({"test": _rows(4)}, {"past": spaces, "plural": spaces}, {})
    for replicate in word_replicates({"fixed": [run]}, 10):
        parts = replicate["fixed"]["decomposition"]
        assert parts["filler_1"]["syntactic"] == parts["filler_2"]["semantic"] == 1
        assert parts["filler_1"]["semantic"] < 0.5 < parts["filler_2"]["syntactic"] < 1
        expected = {
            truth: 1 - parts[worse][truth] for truth, worse in (("syntactic", "filler_2"), ("semantic", "filler_1"))
        }
        assert replicate["fixed"]["margins"] == pytest.approx(expected)


def test_margins_are_form_of_filler_1_and_meaning_of_filler_2():
    parts = {"filler_1": {"syntactic": 0.9, "semantic": 0.4}, "filler_2": {"syntactic": 0.6, "semantic": 0.75}}
    assert margins(parts) == pytest.approx({"syntactic": 0.3, "semantic": 0.35})
    parts["filler_2"] |= {"semantic": None}
    assert margins(parts) == {"syntactic": pytest.approx(0.3), "semantic": None}
    assert margins({"embedding": parts["filler_1"]}) is None


def test_without_a_known_pair_there_is_no_decomposition():
    nothing = pair_space(Embedding(["a"], np.ones((1, 2), dtype=np.float32)), PAIRS)
    (replicates,) = word_replicates({"fixed": [WordRun({"test": _rows(4)}, {"past": {"embedding": nothing}}, {})]}, 1)
    assert list(replicates["fixed"]) == ["test_perplexity"]


def test_pairs_of_a_test_are_drawn_the_same_for_all_variants():
    gold = np.arange(20.0)
    answers = {"one": gold, "other": np.where(gold == 19, 0, gold)}
    statistic = correlation(gold, by_rank=True)
    runs = {
        name: [WordRun({"test": _rows(4)}, {}, {"men": PairAnswers(answer, statistic)})]
        for name, answer in answers.items()
    }
    scores = [
        (part["one"]["intrinsic"]["men"], part["other"]["intrinsic"]["men"]) for part in word_replicates(runs, 40)
    ]
    assert all(one == pytest.approx(1) for one, _ in scores)
    drew_the_odd_pair = [other < 1 - 1e-9 for _, other in scores]
    assert 10 < sum(drew_the_odd_pair) < 40  # 1 - 0.95 ** 20 is 0.64

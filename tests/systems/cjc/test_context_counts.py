"""The toy pair of the paper's text, and that the sparse products count what loops over tokens count."""

import numpy as np
import pytest
from scipy import sparse

from repline.systems.cjc import character_matching
from repline.systems.cjc.character_matching import token_matches, word_matches
from repline.systems.cjc.context_counts import count_contexts
from repline.systems.cjc.parallel_sentences import side

LINKS = {("天", "天"), ("气", "気"), ("步", "歩"), ("樱", "桜"), ("国", "国")}
ZH, JA = ["天气", "好"], ["天気", "が", "良い"]
ROWS = {f"zh:{word}": row for row, word in enumerate(ZH)} | {f"ja:{word}": row for row, word in enumerate(JA, start=2)}


def toy(**knobs):
    matches = word_matches(ZH, JA, LINKS)
    return count_contexts(side([[0, 1]]), side([[2, 3, 4]]), matches, window=1, **knobs)


def row(matrix, word):
    values = matrix.toarray()[ROWS[word]]
    return {name: pytest.approx(values[index]) for name, index in ROWS.items() if values[index]}


def test_the_example_of_the_paper():
    counts = toy().combined(matching=0.4, parallel=0.2)
    assert row(counts, "zh:天气") == {"zh:好": 1, "ja:天気": 0.2, "ja:が": 0.6, "ja:良い": 0.2}
    assert row(counts, "zh:好") == {"zh:天气": 1, "ja:天気": 0.2, "ja:が": 0.2, "ja:良い": 0.2}
    assert row(counts, "ja:が") == {"ja:天気": 1, "ja:良い": 1, "zh:天气": 0.2, "zh:好": 0.2}
    assert row(counts, "ja:天気")["zh:好"] == 0.2 + 0.4  # the neighbour of 天气
    included = toy().combined(matching=0.4, parallel=0.2, include_match=True)
    assert row(included, "zh:天气")["ja:天気"] == 0.6
    assert row(included, "ja:天気")["zh:天气"] == 0.6


def test_characters_match_through_the_table_alone():
    first, second = ["气", "散步", "樱", "国", "好", "A气"], ["気", "散歩", "桜", "国", "する", "A気"]
    matches = word_matches(first, second, LINKS).toarray()
    assert np.array_equal(matches, np.diag([True, True, True, True, False, False]))
    assert not word_matches(first, second, set()).toarray().any()
    assert not word_matches(["国"], ["国"], LINKS - {("国", "国")}).toarray().any()


def made(seed, pairs=30, n=40, t=50):
    rng = np.random.default_rng(seed)
    first = [rng.integers(n, size=rng.integers(1, 12)).tolist() for _ in range(pairs)]
    second = [(n + rng.integers(t, size=rng.integers(1, 12))).tolist() for _ in range(pairs)]
    return first, second, sparse.csr_array(rng.random((n, t)) < 0.1)


def loops(first, second, matches, window, lambda_, mu, include_match, distance_weight):
    """The equations, a token at a time."""
    n, t = matches.shape
    counts, dense = np.zeros((n + t, n + t)), matches.toarray()

    def near(sentence, j):
        return [k for k in range(max(0, j - window), min(len(sentence), j + window + 1)) if k != j]

    for zh, ja in zip(first, second, strict=True):
        for here, there, turned in ((zh, ja, False), (ja, zh, True)):
            for i, w in enumerate(here):
                for k in near(here, i):
                    counts[w, here[k]] += 1 / abs(i - k) if distance_weight else 1
                for x in there:
                    counts[w, x] += mu
                for j, u in enumerate(there):
                    if dense[u, w - n] if turned else dense[w, u - n]:
                        for k in near(there, j):
                            counts[w, there[k]] += lambda_ * (1 / abs(j - k) if distance_weight else 1)
                        if include_match:
                            counts[w, u] += lambda_
    return counts


@pytest.mark.parametrize(
    ("window", "include_match", "distance_weight"), [(1, False, True), (3, True, True), (5, False, False)]
)
def test_sparse_products_count_what_loops_count(window, include_match, distance_weight):
    first, second, matches = made(window)
    counts = count_contexts(side(first), side(second), matches, window=window, distance_weight=distance_weight)
    combined = counts.combined(matching=0.4, parallel=0.2, include_match=include_match)
    expected = loops(first, second, matches, window, 0.4, 0.2, include_match, distance_weight)
    np.testing.assert_allclose(combined.toarray(), expected, rtol=1e-12, atol=1e-12)


def test_without_counts_across_languages_the_blocks_are_monolingual():
    first, second, matches = made(7)
    none = sparse.csr_array(matches.shape, dtype=bool)
    monolingual = (
        count_contexts(side(first), side(second), matches, window=3).combined(matching=0, parallel=0).toarray()
    )
    n = matches.shape[0]
    assert monolingual[:n, :n].any() and monolingual[n:, n:].any()
    assert not monolingual[:n, n:].any() and not monolingual[n:, :n].any()
    assert np.array_equal(monolingual, count_contexts(side(first), side(second), none, window=3).own.toarray())


def test_counts_are_linear_and_which_of_them_are_symmetric():
    first, second, matches = made(8)
    counts = count_contexts(side(first), side(second), matches, window=2)
    combined = {
        weights: counts.combined(matching=weights[0], parallel=weights[1]).toarray()
        for weights in [(0, 0), (1, 0), (0, 1), (0.3, 0.7)]
    }
    token_contexts, windows, sentences = (
        combined[0, 0],
        combined[1, 0] - combined[0, 0],
        combined[0, 1] - combined[0, 0],
    )
    np.testing.assert_allclose(combined[0.3, 0.7], token_contexts + 0.3 * windows + 0.7 * sentences)
    for symmetric in (token_contexts, sentences, counts.matched.toarray()):
        np.testing.assert_allclose(symmetric, symmetric.T)
    assert not np.allclose(windows, windows.T)


@pytest.mark.parametrize("dense", [True, False])
def test_tokens_match_as_their_words_do(dense, monkeypatch):
    monkeypatch.setattr(character_matching, "DENSE", 1 << 20 if dense else 0)
    monkeypatch.setattr(character_matching, "BLOCK", 100)
    first, second, matches = made(9, pairs=200)
    first_side, second_side = side(first), side(second)
    i, j = token_matches(first_side, second_side, matches)
    assert np.array_equal(first_side.sentences[i], second_side.sentences[j])
    dense, n = matches.toarray(), matches.shape[0]
    assert dense[first_side.ids[i], second_side.ids[j] - n].all()
    expected = sum(dense[w, u - n] for zh, ja in zip(first, second, strict=True) for w in zh for u in ja)
    assert len(set(zip(i.tolist(), j.tolist(), strict=True))) == len(i) == expected > 0


def test_random_matches_are_as_many_and_stay_in_their_sentences():
    first, second, matches = made(10)
    plain, drawn = (count_contexts(side(first), side(second), matches, window=2, shuffle=seed) for seed in (None, 0))
    assert drawn.matched.sum() == plain.matched.sum()
    assert (drawn.matched != plain.matched).nnz
    assert not (drawn.matched.astype(bool).toarray() & ~plain.sentences.astype(bool).toarray()).any()


def test_nothing_matches_without_links_or_tokens():
    first, second, matches = made(11)
    none = sparse.csr_array(matches.shape, dtype=bool)
    counts = count_contexts(side(first), side(second), none, window=2)
    assert counts.windows.nnz == counts.matched.nnz == 0 < counts.sentences.nnz

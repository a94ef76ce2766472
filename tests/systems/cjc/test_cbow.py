import numpy as np
import pytest
from scipy import sparse

from repline import parameters
from repline.errors import InputError
from repline.systems.cjc.cbow import cbow_vectors
from repline.systems.cjc.parallel_sentences import side
from repline.systems.cjc.settings import CBOW

TOPICS, WORDS = 4, 5  # words of a topic, in each language


def made(pairs=300, seed=0):
    """Parallel sentences of one topic each; words match the word of the same number."""
    rng = np.random.default_rng(seed)
    topics = rng.integers(TOPICS, size=pairs)
    n = TOPICS * WORDS
    sides = [side([start + topic * WORDS + rng.integers(WORDS, size=6) for topic in topics]) for start in (0, n)]
    counts = np.bincount(np.concatenate([part.ids for part in sides]), minlength=2 * n)
    return *sides, sparse.csr_array(np.eye(n, dtype=bool)), counts


@pytest.mark.parametrize("form", ["three_loss", "mix_hidden"])
def test_words_of_a_topic_come_near_each_other_across_languages(form):
    first, second, matches, counts = made()
    u = cbow_vectors(first, second, matches, counts, CBOW(form=form, dimensions=10, iterations=20, sample=0.0), seed=1)
    u = u - u.mean(axis=0)
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    topic = np.arange(len(u) // 2) // WORDS
    cosines = u[: len(topic)] @ u[len(topic) :].T
    same = topic[:, None] == topic
    assert cosines[same].mean() > cosines[~same].mean() + 0.3


def word_by_word(first, second, matches, counts, recipe, window, seed):
    """SenBow and CJ-BOC as plain loops in float64, with the random numbers of word2vec; every occurrence stays."""
    n = matches.shape[0]
    rng = np.random.default_rng(seed)
    u = ((rng.random((len(counts), recipe.dimensions)) - 0.5) / recipe.dimensions).astype(np.float32).astype(float)
    v = np.zeros_like(u)
    state = int(rng.integers(1 << 62))
    weights = counts**0.75
    table = np.searchsorted(np.cumsum(weights) / weights.sum(), (np.arange(1 << 20) + 0.5) / (1 << 20))

    def draw(limit):
        nonlocal state
        state = (state * 25214903917 + 11) % 2**64
        return (state >> 16) % 2**32 % limit

    def predict(word, hidden, context, rate):
        error = np.zeros(recipe.dimensions)
        for number in range(recipe.negative + 1):
            target = table[draw(len(table))] if number else word
            if number == 0 or target != word:
                step = rate * ((number == 0) - 1 / (1 + np.exp(-hidden @ v[target])))
                error += step * v[target]
                v[target] += step * hidden
        np.add.at(u, context, error)

    pairs = [
        [part.ids[slice(*part.offsets[pair : pair + 2])].tolist() for part in (first, second)]
        for pair in range(len(first.offsets) - 1)
    ]
    table_of_matches = matches.toarray()
    for iteration in range(recipe.iterations):
        start, stop = (recipe.learning_rate * max(1 - (iteration + k) / recipe.iterations, 1e-4) for k in (0, 1))
        for number, pair in enumerate(pairs):
            rate = start + (stop - start) * number / len(pairs)
            for here, there in (pair, pair[::-1]):
                for center, word in enumerate(here):
                    width = window - draw(window)
                    around = [x for k, x in enumerate(here) if 0 < abs(k - center) <= width]
                    near = [
                        x
                        for j, other in enumerate(there)
                        if recipe.matching and table_of_matches[min(word, other), max(word, other) - n]
                        for k, x in enumerate(there)
                        if abs(k - j) <= width and (recipe.include_match or k != j)
                    ]
                    if recipe.form == "three_loss":
                        for context, weight in ((around, 1), (near, recipe.matching), (there, recipe.parallel)):
                            if context and weight:
                                predict(word, u[context].mean(0), context, rate * weight)
                    elif around:
                        of_around, of_near, of_sentence = recipe.mix
                        of_sentence += 0 if near else of_near
                        hidden = of_around * u[around].mean(0) + of_sentence * u[there].mean(0)
                        predict(word, hidden + (of_near * u[near].mean(0) if near else 0), around, rate)
    return u


@pytest.mark.parametrize("include_match", [False, True])
@pytest.mark.parametrize("form", ["three_loss", "mix_hidden"])
def test_vectors_are_those_of_plain_loops(form, include_match):
    rng = np.random.default_rng(5)
    n, t, pairs = 7, 9, 40
    first, second = (
        side([start + rng.integers(words, size=rng.integers(1, 6)) for _ in range(pairs)])
        for start, words in ((0, n), (n, t))
    )
    matches = sparse.csr_array(rng.random((n, t)) < 0.2)
    counts = np.bincount(np.concatenate([first.ids, second.ids]), minlength=n + t)
    recipe = CBOW(
        form=form, include_match=include_match, dimensions=6, iterations=2, learning_rate=0.3, negative=3, sample=0.0
    )
    data = first, second, matches, counts, recipe
    expected = word_by_word(*data, window=3, seed=2)
    start = word_by_word(*data[:-1], recipe.model_copy(update={"iterations": 0}), window=3, seed=2)
    assert np.abs(expected - start).max() > 0.3  # much has been learned
    np.testing.assert_allclose(cbow_vectors(*data, window=3, seed=2), expected, atol=2e-5)


def test_a_seed_gives_the_same_vectors():
    data = made(50)
    recipe = CBOW(dimensions=5, iterations=2)
    first, again, other_seed = (cbow_vectors(*data, recipe, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first, other_seed)


def test_negatives_of_the_own_language_leave_the_other_languages_targets_alone():
    """Without contexts across languages, the second side's words learn as if the first side were not there."""
    first, second, matches, counts = made(50)
    n = len(counts) // 2
    other_first = side([np.full(6, word) for word in np.arange(50) % n])
    other_counts = np.bincount(np.concatenate([other_first.ids, second.ids]), minlength=2 * n)

    def trained(first, counts, negatives):
        recipe = CBOW(dimensions=5, iterations=2, matching=0.0, parallel=0.0, sample=0.0, negatives=negatives)
        return cbow_vectors(first, second, matches, counts, recipe, seed=3)

    own, both = (trained(first, counts, negatives) for negatives in ("own", "both"))
    assert np.array_equal(own[n:], trained(other_first, other_counts, "own")[n:])
    assert not np.array_equal(both[n:], trained(other_first, other_counts, "both")[n:])


def test_matching_has_a_part_only_where_it_weighs_something():
    first, second, matches, counts = made(50)
    none = sparse.csr_array(matches.shape, dtype=bool)

    def trained(matches, **knobs):
        return cbow_vectors(first, second, matches, counts, CBOW(dimensions=5, iterations=2, **knobs), seed=3)

    without = trained(none, matching=0.4)
    assert np.array_equal(without, trained(matches, matching=0.0))
    plain = trained(matches, matching=0.4)
    assert not np.array_equal(without, plain)
    assert not np.array_equal(plain, trained(matches, matching=0.4, include_match=True))


def test_the_mixed_form_trains_the_own_window_alone():
    """Where the first side is a word a sentence, it has no window: its vectors are only ever mixed in."""
    rng = np.random.default_rng(0)
    n = 6
    first, second = side(rng.integers(n, size=(40, 1))), side(n + rng.integers(n, size=(40, 4)))
    counts = np.bincount(np.concatenate([first.ids, second.ids]), minlength=2 * n)
    data = first, second, sparse.csr_array(np.eye(n, dtype=bool)), counts

    def trained(iterations, form="mix_hidden"):
        return cbow_vectors(*data, CBOW(form=form, dimensions=5, sample=0.0, iterations=iterations), seed=4)

    short, long = trained(1), trained(3)
    assert np.array_equal(short[:n], long[:n])
    assert not np.array_equal(short[n:], long[n:])
    three = [trained(iterations, "three_loss") for iterations in (1, 3)]
    assert not np.array_equal(three[0][:n], three[1][:n])


def test_shares_have_to_add_up():
    with pytest.raises(InputError, match=r"cjc\.cbow\.mix: expected three shares that add up to 1"):
        parameters.check(CBOW, {"mix": [0.5, 0.5, 0.5]}, "cjc.cbow")

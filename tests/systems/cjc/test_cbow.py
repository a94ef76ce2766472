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

import numpy as np
import pytest
from scipy import sparse

from repline.errors import InputError
from repline.systems.cjc.cbow import train_cbow
from repline.systems.cjc.corpus import side

TOPICS, WORDS = 4, 5  # words of a topic, in each language


def made(pairs=300, seed=0):
    """Parallel sentences of one topic each; words match the word of the same number."""
    rng = np.random.default_rng(seed)
    topics = rng.integers(TOPICS, size=pairs)
    n = TOPICS * WORDS
    sides = [side([start + topic * WORDS + rng.integers(WORDS, size=6) for topic in topics]) for start in (0, n)]
    counts = np.bincount(np.concatenate([one.ids for one in sides]), minlength=2 * n)
    return *sides, sparse.csr_array(np.eye(n, dtype=bool)), counts


@pytest.mark.parametrize("form", ["three_loss", "mix_hidden"])
def test_words_of_a_topic_come_near_each_other_across_languages(form):
    first, second, matches, counts = made()
    u = train_cbow(first, second, matches, counts, form=form, dimensions=10, iterations=20, sample=0.0, seed=1)
    u = u - u.mean(axis=0)
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    topic = np.arange(len(u) // 2) // WORDS
    cosines = u[: len(topic)] @ u[len(topic) :].T
    same = topic[:, None] == topic
    assert cosines[same].mean() > cosines[~same].mean() + 0.3


def test_a_seed_gives_the_same_vectors():
    data = made(50)
    knobs = {"dimensions": 5, "iterations": 2}
    one, same, other = (train_cbow(*data, **knobs, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one, same) and not np.array_equal(one, other)


def test_matching_has_a_part_only_where_it_weighs_something():
    first, second, matches, counts = made(50)
    none = sparse.csr_array(matches.shape, dtype=bool)
    knobs = {"dimensions": 5, "iterations": 2, "seed": 3}
    without = train_cbow(first, second, none, counts, matching=0.4, **knobs)
    assert np.array_equal(without, train_cbow(first, second, matches, counts, matching=0.0, **knobs))
    plain = train_cbow(first, second, matches, counts, matching=0.4, **knobs)
    assert not np.array_equal(without, plain)
    assert not np.array_equal(
        plain, train_cbow(first, second, matches, counts, matching=0.4, include_match=True, **knobs)
    )


def test_the_mixed_form_trains_the_own_window_alone():
    """Where the first side is a word a sentence, it has no window: its vectors are only ever mixed in."""
    rng = np.random.default_rng(0)
    n = 6
    first, second = side(rng.integers(n, size=(40, 1))), side(n + rng.integers(n, size=(40, 4)))
    counts = np.bincount(np.concatenate([first.ids, second.ids]), minlength=2 * n)
    data = first, second, sparse.csr_array(np.eye(n, dtype=bool)), counts
    knobs = {"form": "mix_hidden", "dimensions": 5, "sample": 0.0, "seed": 4}
    short, long = (train_cbow(*data, iterations=iterations, **knobs) for iterations in (1, 3))
    assert np.array_equal(short[:n], long[:n])
    assert not np.array_equal(short[n:], long[n:])
    three = [train_cbow(*data, iterations=number, **knobs | {"form": "three_loss"}) for number in (1, 3)]
    assert not np.array_equal(three[0][:n], three[1][:n])


def test_shares_have_to_add_up():
    with pytest.raises(InputError, match=r"cjc\.cbow\.mix: expected three shares that add up to 1"):
        train_cbow(*made(5), mix=[0.5, 0.5, 0.5])

"""The scores of two sets: the sheet's small cases, and that products in blocks are what loops give."""

import numpy as np
import pytest

from repline.systems.image_lexicon import model
from repline.systems.image_lexicon.model import Sets, aggregated, dispersion, match

SCORES = ("avgmax", "maxmax", "cnn_mean", "cnn_max")


def sets(*members):
    """Sets of vectors, each one a list of them."""
    rows = np.cumsum([len(vectors) for vectors in members])
    features = np.array([vector for vectors in members for vector in vectors], dtype=np.float32)
    return Sets.of(features, [range(end - len(vectors), end) for vectors, end in zip(members, rows, strict=True)])


def scores(first, second, **knobs):
    near = match(first, second)
    means = {f"cnn_{by}": aggregated(first, second, by, **knobs) for by in ("mean", "max")}
    return {"avgmax": near.average, "maxmax": near.largest, **means}


def random_sets(rng, number, d=12, largest=6):
    return sets(*(rng.normal(size=(rng.integers(1, largest + 1), d)) for _ in range(number)))


def cosine(a, b):
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def members(of, number):
    start = of.starts[number]
    return of.features[of.rows[start : start + of.sizes[number]]].astype(np.float64)


def test_the_toy_case():
    pair_set, single_set = sets([(1, 0), (0, 1)]), sets([(1, 0)])
    score_of_method = {name: float(value[0, 0]) for name, value in scores(pair_set, single_set).items()}
    assert score_of_method == pytest.approx(
        {"avgmax": 0.5, "maxmax": 1, "cnn_mean": 0.5**0.5, "cnn_max": 0.5**0.5}, abs=1e-6
    )
    assert scores(single_set, pair_set)["avgmax"][0, 0] == pytest.approx(1)


def test_equal_sets_score_one():
    same = sets([(1, 2, 0.5), (0.3, 1, 4), (2, 2, 1)])
    for name, value in scores(same, same).items():
        assert value[0, 0] == pytest.approx(1, abs=1e-6), name


def test_single_pictures_score_their_cosine():
    a, b = (2.0, -1.0, 0.5), (1.0, 1.0, 3.0)
    for name, value in scores(sets([a]), sets([b])).items():
        assert value[0, 0] == pytest.approx(cosine(np.array(a), np.array(b)), abs=1e-6), name


@pytest.mark.parametrize("cells", [1, 40, 2**24])
def test_blocks_are_what_loops_give(monkeypatch, cells):
    monkeypatch.setattr(model, "CELLS", cells)
    rng = np.random.default_rng(0)
    first, second = random_sets(rng, 9), random_sets(rng, 7)
    near = match(first, second)
    for s in range(9):
        for t in range(7):
            best = [max(cosine(a, b) for b in members(second, t)) for a in members(first, s)]
            assert near.average[s, t] == pytest.approx(np.mean(best), abs=1e-6)
            assert near.largest[s, t] == pytest.approx(max(best), abs=1e-6)
    for row in first.rows:
        cosines = [cosine(first.features[row], second.features[target_row]) for target_row in second.rows]
        assert near.nearest[[row]].indices.tolist() == [second.rows[int(np.argmax(cosines))]]


def test_maxmax_is_never_below_avgmax_and_the_length_of_a_picture_does_not_count():
    rng = np.random.default_rng(1)
    first, second = random_sets(rng, 8), random_sets(rng, 8)
    longer = Sets(first.features * rng.uniform(0.5, 3, (len(first.features), 1)).astype(np.float32), *_places(first))
    before, after = scores(first, second), scores(longer, second)
    assert (before["maxmax"] >= before["avgmax"] - 1e-6).all()
    for name in ("avgmax", "maxmax"):
        assert after[name] == pytest.approx(before[name], abs=1e-5)
    for name in ("cnn_mean", "cnn_max"):  # raw features: there it counts, unless each has unit length first
        assert np.abs(after[name] - before[name]).max() > 1e-2
        level = [scores(source, second, l2=True)[name] for source in (first, longer)]
        assert level[1] == pytest.approx(level[0], abs=1e-5)


def _places(of):
    return of.rows, of.starts


def test_a_picture_may_be_in_several_sets():
    features = np.eye(3, dtype=np.float32)
    source, target = Sets.of(features, [[0], [0, 1]]), Sets.of(features, [[0, 2], [1], [0]])
    near = match(source, target)
    assert near.average.tolist() == [[1, 0, 1], [0.5, 0.5, 0.5]]
    assert near.nearest[[0]].indices.tolist() == [0]


def test_an_empty_set_is_refused():
    with pytest.raises(ValueError, match="at least one picture"):
        Sets.of(np.eye(2, dtype=np.float32), [[0], []])


def test_dispersion():
    dispersions = dispersion(sets([(1, 0), (0, 1)], [(1, 2)] * 4, [(3, 1)]))
    assert dispersions[:2] == pytest.approx([1, 0], abs=1e-6)
    assert np.isnan(dispersions[2])
    rng = np.random.default_rng(2)
    many = random_sets(rng, 6)
    for number, value in enumerate(dispersion(many)):
        vectors = members(many, number)
        pairs = [1 - cosine(a, b) for i, a in enumerate(vectors) for b in vectors[:i]]
        assert value == pytest.approx(np.mean(pairs), abs=1e-6) if pairs else np.isnan(value)

"""KNN and KNN-C: votes, their ties, and k-means by inner products."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from repline.systems.image_lexicon.model import Sets, match
from repline.systems.image_lexicon.nearest_votes import nearest_scores, votes
from repline.systems.image_lexicon.sense_clusters import clustered_scores, clusters, gram_k_means

KNOBS = {"k": 3, "restarts": 5, "seed": 0}


def blobs(rng, centres, size, spread=0.05):
    """Pictures around centres, centre after centre [centres * each, d]."""
    return np.concatenate([centre + spread * rng.normal(size=(size, len(centre))) for centre in centres])


def test_equal_sets_win_with_all_their_votes():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(12, 8)).astype(np.float32)
    sets = Sets.of(features, [range(0, 4), range(4, 9), range(9, 12)])
    near = match(sets, sets).nearest
    assert votes(near, sets, sets).tolist() == [[4, 0, 0], [0, 5, 0], [0, 0, 3]]
    assert nearest_scores(near, sets, sets).argmax(1).tolist() == [0, 1, 2]


def test_a_shared_picture_votes_for_each_set_and_the_mean_distance_decides():
    features = np.array([(1, 0), (0.9, 0.1), (-1, 0)], dtype=np.float32)
    source, target = Sets.of(features, [[0]]), Sets.of(features, [[1, 2], [1]])
    near = match(source, target).nearest
    assert votes(near, source, target).tolist() == [[1, 1]]
    assert nearest_scores(near, source, target).argmax(1).tolist() == [1]  # its other picture is far away


def test_pictures_that_are_equally_near_both_count():
    features = np.array([(1, 0), (1, 1), (1, -1)], dtype=np.float32)
    source, target = Sets.of(features, [[0]]), Sets.of(features, [[1], [2]])
    assert votes(match(source, target).nearest, source, target).tolist() == [[1, 1]]


def test_a_set_votes_once_where_two_of_its_pictures_are_equally_near():
    features = np.array([(1, 0), (1, 1), (1, -1)], dtype=np.float32)
    source, target = Sets.of(features, [[0]]), Sets.of(features, [[1, 2]])
    assert votes(match(source, target).nearest, source, target).tolist() == [[1]]


def test_k_means_finds_blobs_as_scikit_learn_does():
    rng = np.random.default_rng(3)
    points = blobs(rng, np.eye(5)[:3] * 2, size=7)
    beginnings = np.stack([rng.permutation(len(points))[:3] for _ in range(10)])
    peer = KMeans(3, n_init=10, random_state=0).fit_predict(points)
    for labels in (gram_k_means(points @ points.T, beginnings), gram_k_means.py_func(points @ points.T, beginnings)):
        assert len({*zip(labels.tolist(), peer.tolist(), strict=True)}) == 3


def test_clusters_part_a_set_and_lose_nothing():
    rng = np.random.default_rng(4)
    features = blobs(rng, np.eye(6)[:3], size=5).astype(np.float32)
    parts, owners = clusters(Sets.of(features, [range(15), [0, 7]]), **KNOBS)
    assert owners.tolist() == [0, 0, 0, 1, 1]
    clustered_rows = [set(rows.tolist()) for rows in np.split(parts.rows, parts.starts[1:])]
    assert sorted(map(sorted, clustered_rows[:3])) == [list(range(start, start + 5)) for start in (0, 5, 10)]
    assert clustered_rows[3:] == [{0}, {7}]


def test_the_clusters_of_a_set_do_not_hang_on_the_others():
    rng = np.random.default_rng(5)
    features = rng.normal(size=(30, 6)).astype(np.float32)
    alone, _ = clusters(Sets.of(features, [range(10, 20)]), **KNOBS)
    among, owners = clusters(Sets.of(features, [range(10), range(10, 20), range(20, 30)]), **KNOBS)
    second = [rows.tolist() for rows in np.split(among.rows, among.starts[1:])]
    assert [rows for rows, owner in zip(second, owners, strict=True) if owner == 1] == [
        rows.tolist() for rows in np.split(alone.rows, alone.starts[1:])
    ]


@pytest.mark.parametrize("cluster", ["source", "target", "both"])
def test_one_shared_meaning_is_found_among_others(cluster):
    """The word has two meanings; its translation has one of them and another, each with a picture or more."""
    rng = np.random.default_rng(6)
    axes = np.eye(8)
    pictures = blobs(rng, [axes[0], axes[1]], 3), blobs(rng, [axes[0], axes[2]], 3), blobs(rng, [axes[3]], 6)
    features = np.concatenate(pictures).astype(np.float32)
    source, target = Sets.of(features, [range(6)]), Sets.of(features, [range(12, 18), range(6, 12)])
    near = match(source, target).nearest
    scores = clustered_scores(near, source, target, cluster=cluster, k=2, restarts=5, seed=0)
    assert scores.shape == (1, 2)
    assert scores.argmax(1).tolist() == [1]


def test_words_that_share_a_picture_are_told_apart_by_their_other_pictures():
    axes = np.eye(5)
    features = np.stack([axes[0], axes[1], axes[2], axes[1] + axes[0]]).astype(np.float32)
    source, target = Sets.of(features, [[0, 1]]), Sets.of(features, [[0, 2], [0, 3]])
    scores = clustered_scores(match(source, target).nearest, source, target, cluster="both", k=2, restarts=2, seed=0)
    assert scores.argmax(1).tolist() == [1] and scores[0, 0] != scores[0, 1]


def test_clusters_vote_by_count_or_by_share():
    """A stray picture is a cluster of its own whose one vote is a full share; the other cluster has more votes."""
    axes = np.eye(6)
    source_pictures = [axes[0] + 0.1 * axes[2], axes[0] + 0.1 * axes[3], axes[0] + 0.1 * axes[4], axes[1]]
    target_pictures = [axes[0] + 0.1 * axes[2], axes[0] + 0.1 * axes[3], axes[0] + 0.1 * axes[4], axes[1]]
    features = np.stack([*source_pictures, *target_pictures]).astype(np.float32)
    source, target = Sets.of(features, [range(4)]), Sets.of(features, [[4, 5], [6], [7]])
    near = match(source, target).nearest
    assert votes(near, source, target).tolist() == [[2, 1, 1]]
    answers = {
        vote: clustered_scores(near, source, target, cluster="source", k=2, restarts=5, seed=0, vote=vote).argmax(1)
        for vote in ("count", "share")
    }
    assert answers["count"].tolist() == [0] and answers["share"].tolist() == [2]

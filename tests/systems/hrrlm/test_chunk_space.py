"""Hit rates and purity on vectors whose neighbours are known."""

import numpy as np
import pytest

from repline.systems.hrrlm import chunk_space
from repline.systems.hrrlm.chunk_space import cluster_table, hit_rates, role_purity


def test_neighbours_of_the_same_direction_are_hits():
    degrees = np.radians([0, 3, 43, 87, 90])  # the one in the middle is nearer to those of the first role
    vectors = np.array([1, 2, 1, 3, 1])[:, None] * np.stack([np.cos(degrees), np.sin(degrees)], 1)
    rates = hit_rates(vectors, ["a", "a", "b", "b", "b"], (1, 2))
    assert rates["hit_rate_at_1"] == pytest.approx((1 + 1 + 0 + 1 + 1) / 5)
    assert rates["hit_rate_at_2"] == pytest.approx((0.5 + 0.5 + 0 + 1 + 1) / 5)


def test_random_vectors_hit_as_often_as_the_roles_are_common(monkeypatch):
    monkeypatch.setattr(chunk_space, "BLOCK", 64)
    random = np.random.default_rng(0)
    roles = random.choice(4, 600, p=[0.4, 0.3, 0.2, 0.1])
    rates = hit_rates(random.normal(size=(600, 20)), roles)
    assert list(rates) == ["hit_rate_at_1", "hit_rate_at_5", "hit_rate_at_10", "hit_rate_at_25"]
    assert rates["hit_rate_at_25"] == pytest.approx(0.3, abs=0.05)


def test_blocks_do_not_change_the_result(monkeypatch):
    vectors, roles = np.random.default_rng(1).normal(size=(90, 5)), np.arange(90) % 3
    whole = hit_rates(vectors, roles)
    monkeypatch.setattr(chunk_space, "BLOCK", 7)
    assert hit_rates(vectors, roles) == pytest.approx(whole)


def test_a_chunk_is_not_its_own_neighbour():
    with pytest.raises(ValueError, match="the 25 nearest of others need 26 chunks, found 25"):
        hit_rates(np.eye(25), [0] * 25)
    assert hit_rates(np.eye(3), ["a", "b", "c"], (1,)) == {"hit_rate_at_1": 0.0}


def test_separate_clusters_are_pure():
    vectors = np.repeat(np.eye(4) * 9, 5, axis=0)
    assert role_purity(vectors, np.repeat(list("abcd"), 5)) == 1
    table = cluster_table(vectors[:12], ["x"] * 5 + ["y"] * 4 + ["z"] + ["z"] * 2, clusters=3)
    assert [(row["label"], row["size"]) for row in table] == [("x", 5), ("y", 5), ("z", 2)]
    assert table[1]["share"] == 0.8

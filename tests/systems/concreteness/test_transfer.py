"""Alignments of two made spaces find the rotation between them."""

import numpy as np
import pytest
from scipy.stats import ortho_group

from repline.systems.concreteness.transfer import alignments

ROTATION = ortho_group.rvs(20, random_state=1)


def test_the_variants_and_their_sizes():
    random = np.random.default_rng(0)
    topics = random.normal(size=(12, 20)) * np.linspace(2, 0.5, 20)
    b = topics[random.integers(12, size=400)] + random.normal(size=(400, 20)) * np.linspace(1.2, 0.3, 20)
    b /= np.linalg.norm(b, axis=1, keepdims=True)
    order = np.concatenate([random.permutation(300), random.permutation(range(300, 400))])
    a = (b @ ROTATION.T)[order]  # row i of A times the rotation is row order[i] of B
    pairs = np.stack([np.arange(400), order], 1)
    maps = alignments(a, b, pairs[:200], pairs[300:330], pairs=[40, 100], frequent=300)
    supervised = [f"{kind}_{pairs}" for pairs in (40, 100) for kind in ("orthogonal", "least_squares")]
    assert list(maps) == [*supervised, "identical", "refined", "unsupervised"]
    assert [used for _, used in maps.values()][:5] == [40, 40, 100, 100, 30]
    for name in ("orthogonal_40", "orthogonal_100", "identical", "refined", "unsupervised"):
        assert maps[name][0] == pytest.approx(ROTATION, abs=1e-6), name
    assert "identical" not in alignments(a, b, pairs[:200], pairs[:0], pairs=[40], frequent=300)

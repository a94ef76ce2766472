"""Alignments of two made spaces find the rotation between them."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import ortho_group

from repline.errors import InputError
from repline.systems.concreteness.settings import Across
from repline.systems.concreteness.transfer import alignments, train_across

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


def test_a_source_without_a_word_of_its_own_says_which_setting_leaves_none(tmp_path):
    (tmp_path / "concepts.txt").write_text("chair\tpunve\nhope\tzatol\n")
    source, target = (
        SimpleNamespace(rated=SimpleNamespace(words=words)) for words in (["chair", "hope"], ["punve", "zatol"])
    )
    settings: Any = SimpleNamespace(across=Across.model_construct(disjoint=True, on_error="stop", encoding="utf-8"))
    files = dict.fromkeys(("dictionary", "concepts"), tmp_path / "concepts.txt")
    run: Any = None
    said = r"all 2 rated words .* across\.disjoint leaves none to learn from; set it to false"
    with pytest.raises(InputError, match=said):
        train_across(settings, source, target, this_run=run, **files)

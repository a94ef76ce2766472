import numpy as np
import pytest

from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.semeval_relations import Relation, semeval_relations

# unit vectors by angle; the offset of the prototype (p0, p90) is (1, -1)
ANGLES = {"p0": 0, "p90": 90, "a": 0, "b": 90, "c": 10, "d": 60, "e": 0, "f": 180, "g": 90, "h": 0}
EMBEDDING = Embedding(
    list(ANGLES), np.array([[np.cos(np.radians(x)), np.sin(np.radians(x))] for x in ANGLES.values()], dtype=np.float32)
)
PROTOTYPES = [("p0", "p90")]


def test_ranks_by_the_direction_of_the_offset():
    # cosines with (1, -1): (a, b) 1; (c, d) cos 10; (e, f) cos 45; (g, h) -1
    pairs = [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]
    result = semeval_relations(EMBEDDING, {"r": Relation(PROTOTYPES, pairs, [4, 3, 2, 1])})
    assert result["spearman"] == pytest.approx(1)
    swapped = semeval_relations(EMBEDDING, {"r": Relation(PROTOTYPES, pairs, [4, 2, 3, 1])})
    assert swapped["relations"]["r"] == pytest.approx(0.8)
    both = {"r": Relation(PROTOTYPES, pairs, [4, 3, 2, 1]), "s": Relation(PROTOTYPES, pairs, [4, 2, 3, 1])}
    assert semeval_relations(EMBEDDING, both)["spearman"] == pytest.approx(0.9)


def test_missing_words():
    pairs = [("a", "b"), ("c", "d"), ("e", "f"), ("g", "missing")]
    relations = {
        "r": Relation([*PROTOTYPES, ("missing", "p0")], pairs, [4, 3, 2, 1]),
        "without": Relation([("x", "y")], pairs, [4, 3, 2, 1]),
    }
    result = semeval_relations(EMBEDDING, relations)
    assert result["relations"] == {"r": pytest.approx(1), "without": None}
    assert result["spearman"] == pytest.approx(1)
    assert result["spearman_penalised"] < 0.6  # half of it at most comes from r; "without" cannot be ranked
    assert (result["pairs"], result["kept"], result["coverage"]) == (8, 6, 0.75)
    nothing = semeval_relations(EMBEDDING, {"r": Relation([("x", "y")], [("x", "y")] * 4, [4, 3, 2, 1])})
    assert (nothing["spearman"], nothing["spearman_penalised"], nothing["coverage"]) == (None, None, 0)

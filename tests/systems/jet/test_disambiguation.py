"""Equation (4) by hand, the instances, and accuracy on them."""

import gzip

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.corpora.wikipedia.linked_text import PARAGRAPHS
from repline.errors import InputError
from repline.systems.jet import gold_mentions
from repline.systems.jet.disambiguation import definition_vectors, hits_by_method, projection_score
from repline.systems.jet.model import Space, cosine

WORDS = ["fish", "river", "guitar", "music", "cell", "sea"]
WORD_VECTORS = np.array([[1, 0], [1, 0.2], [0, 1], [0.1, 1], [0.7, 0.7], [1, 0.1]], np.float32)
ENTITIES = ["bass_(fish)", "bass_(sound)", "cell"]
ENTITY_VECTORS = np.array([[2, 0], [0, 2], [1, 1]], np.float32)


@pytest.fixture
def space():
    candidates = np.array([0, 2, 3]), np.array([0, 1, 2], np.int32)
    terms = np.array([[1, 1], [1, 0]], np.float32)
    return Space(WORDS, WORD_VECTORS, ["bass", "cell"], terms, ENTITIES, ENTITY_VECTORS, candidates)


def test_the_score_by_hand():
    context = np.array([3.0, 4.0])
    assert projection_score(context, np.array([2.0, 0.0])) == pytest.approx(0.9)
    assert projection_score(context, np.array([4.0, 0.0])) == pytest.approx(0.45)
    for length in (2.0, 4.0):
        assert projection_score(context, np.array([length, 0.0]), scale_free=True) == pytest.approx(1.8)


def test_the_score_has_the_sign_of_the_dot_and_grows_with_the_context():
    rng = np.random.default_rng(0)
    contexts, entities = rng.normal(size=(2, 50, 4))
    for scale_free in (False, True):
        scores = projection_score(contexts, entities, scale_free=scale_free)
        np.testing.assert_array_equal(np.sign(scores), np.sign((contexts * entities).sum(1)))
        np.testing.assert_allclose(projection_score(3 * contexts, entities, scale_free=scale_free), 3 * scores)
    assert projection_score(contexts, 0 * entities).tolist() == [0] * 50


def test_the_context_decides(space):
    instances = gold_mentions.Instances(
        np.array([0, 0]), np.array([0, 1]), ["a Fish of the river", "guitar music"], ["bass"] * 2
    )
    hits = hits_by_method(space, instances)
    assert hits["entities"].tolist() == hits["entities_program"].tolist() == [1, 1]
    assert hits["chance"].tolist() == [0.5, 0.5]
    assert hits["majority"].tolist() == [0, 0]  # the other instance of the term means the other entity
    assert "definitions" not in hits


def test_definitions_of_the_neighbours(space):
    texts, near = ["swims in the river", "music", "biology"], [[1], [0, 2], []]
    vectors = definition_vectors(space, texts, near)
    np.testing.assert_allclose(vectors, [WORD_VECTORS[3], WORD_VECTORS[1], [0, 0]])
    instances = gold_mentions.Instances(np.array([0]), np.array([0]), ["fish"], ["bass"])
    hits = hits_by_method(space, instances, vectors)
    assert (hits["entities"][0], hits["definitions"][0], hits["oracle"][0]) == (1, 0, 1)


def test_links_with_redirects(space, tmp_path):
    text = "The sea has a Bass. He plays the bass, and a cell"
    links = [
        {"start": 14, "end": 18, "label": "Bass", "target": "Perch"},
        {"start": 33, "end": 37, "label": "bass", "target": "Bass (sound)"},
        {"start": 45, "end": 49, "label": "cell", "target": "Cell"},  # not ambiguous
    ]
    rows = [{"doc_id": "1", "text": text, "links": links}, {"doc_id": "2", "text": "fish", "links": []}]
    pq.write_table(pa.Table.from_pylist(rows, PARAGRAPHS), tmp_path / "part-00000.parquet")
    redirects = {"doc_id": ["3"], "title": ["Perch"], "target": ["Bass (fish)"]}
    pq.write_table(pa.table(redirects), tmp_path / "redirects.parquet")
    instances = gold_mentions.linked(tmp_path, space, context=3, limit=10)
    assert instances.gold.tolist() == [0, 1]
    assert instances.contexts == ["sea has a he plays the", "he plays the and a cell"]
    assert len(gold_mentions.linked(tmp_path, space, context=3, limit=1).terms) == 1


def test_definitions_as_instances(space):
    instances = gold_mentions.defined(space, ["swims in the sea", "", "biology"])
    assert (instances.terms.tolist(), instances.gold.tolist(), instances.names) == ([0], [0], ["bass"])


def test_without_regard_to_the_context_definitions_give_chance(space):
    instances = gold_mentions.defined(space, ["", "", ""])
    assert not len(instances.terms)
    same = hits_by_method(space, gold_mentions.defined(space, ["unknown words"] * 3))
    assert same["entities"].mean() == same["chance"].mean() == 0.5


def test_a_table_of_instances(space, tmp_path):
    path = tmp_path / "mine.tsv.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("# mine\nBass\tbass_(fish)\tin the sea\nbass\tunknown\tx\ncell\tcell\tnot ambiguous\n")
    instances = gold_mentions.tabled(gold_mentions.read_mentions(path), space)
    assert (instances.gold.tolist(), instances.contexts) == ([0], ["in the sea"])
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="the compression is damaged"):
        gold_mentions.read_mentions(path)


def test_a_line_of_instances_that_lacks_something(tmp_path):
    (tmp_path / "mine.tsv").write_text("bass\tbass_(fish)\tin the sea\nbass\tbass_(fish)\n")
    with pytest.raises(InputError, match=r"mine\.tsv, line 2: expected term, entity and context"):
        gold_mentions.read_mentions(tmp_path / "mine.tsv")


def test_a_cosine_with_zeros_is_zero():
    assert cosine(np.array([0.0, 0]), np.array([1.0, 0])) == 0

"""Splits keep entities covered; numbers are scaled by what training knows; a graph survives the disk."""

import numpy as np
import pytest

from repline.errors import InputError
from repline.graphs.attribute_scaling import logarithmic, shuffled, unit_range
from repline.graphs.graph_corpus import build
from repline.graphs.hold_out import TEST, VALID, hold_out_numbers, split_triples, unseen
from repline.graphs.knowledge_graph import KnowledgeGraph, Numbers, load
from repline.graphs.recipes import GraphSettings, Split


def made(n=30, m=3, count=300, seed=0):
    random = np.random.default_rng(seed)
    triples = np.stack([random.integers(n, size=count), random.integers(m, size=count), random.integers(n, size=count)])
    return np.unique(triples.T, axis=0)


def numbers(values, attribute, split=None):
    count = len(values)
    held = np.zeros(count, np.int64) if split is None else np.array(split)
    return Numbers(np.arange(count), np.array(attribute), np.array(values, dtype=float), held)


def test_a_split_covers_every_entity_and_relation():
    triples = made()
    candidates = triples[:, 1] != 2
    split = split_triples(triples, candidates, 0.3, 1 / 3, seed=1)
    held = split > 0
    assert held.sum() == round(0.3 * candidates.sum()) and not (held & ~candidates).any()
    assert (split == VALID).sum() == round(held.sum() / 3)
    graph = KnowledgeGraph([""] * 30, [""] * 3, triples, split)
    assert not unseen(graph).any()
    assert (split == split_triples(triples, candidates, 0.3, 1 / 3, seed=1)).all()
    assert (split != split_triples(triples, candidates, 0.3, 1 / 3, seed=2)).any()


def test_what_occurs_once_stays_in_training():
    triples = np.array([[0, 0, 1], [1, 0, 2], [2, 0, 2], [2, 0, 3]])
    assert set(np.flatnonzero(split_triples(triples, np.ones(4, bool), 0.99, 0.0, 0))) <= {1, 2}


def test_unseen_triples_of_the_test_are_found():
    graph = KnowledgeGraph(
        ["a", "b", "c"], ["r", "s"], np.array([[0, 0, 1], [0, 0, 2], [1, 0, 0], [0, 1, 1]]), np.array([0, 2, 2, 2])
    )
    assert unseen(graph).tolist() == [False, True, False, True]


def test_numbers_are_held_out_by_attribute():
    values = numbers(np.arange(25), [0] * 20 + [1] * 3 + [2] * 2)
    split = hold_out_numbers(values, 0.4, seed=0)
    held = np.bincount(values.attribute[split == TEST], minlength=3)
    assert held.tolist() == [8, 1, 0]


def test_values_of_training_span_zero_to_one():
    values = numbers([10, 20, 30, 40, 7, 0, np.e - 1, 1e6], [0, 0, 0, 0, 1, 2, 2, 2], [0, 0, 0, 2, 0, 0, 0, 2])
    scaled = unit_range(values, np.array([False, False, True]))
    assert scaled[:6].tolist() == [0, 0.5, 1, 1.5, 1, 0] and scaled[6] == 1
    assert scaled[7] == pytest.approx(np.log1p(1e6))
    assert values.value[0] == 10


def test_skewed_attributes_are_found():
    values = numbers([1, 2, 3, 1000, -1, 2, 1000, 5, 6], [0, 0, 0, 0, 1, 1, 1, 2, 2])
    assert logarithmic(values, ["a", "b", "c"], "skewed").tolist() == [True, False, False]
    assert logarithmic(values, ["a", "b", "c"], ["c"]).tolist() == [False, False, True]


def test_shuffled_numbers_stay_within_their_attribute():
    values = numbers(np.arange(40), [0] * 20 + [1] * 20)
    dealt = shuffled(values, seed=0)
    assert sorted(dealt.value[:20]) == list(range(20)) and (dealt.value != values.value).sum() > 30
    assert values.value.tolist() == list(range(40))


def test_a_graph_is_the_same_after_the_disk(tmp_path):
    (tmp_path / "mine").mkdir()
    lines = [f"e{h}\tr{r}\te{t}" for h, r, t in made().tolist()]
    (tmp_path / "mine/triples.tsv").write_text("\n".join(lines))
    (tmp_path / "mine/numbers.tsv").write_text("e0\tage\t0.6551724137931034\ne1\tage\t2\ne2\tage\t3\nghost\tsize\t3\n")
    settings = GraphSettings(
        place="mine", values="given", split=Split(held_out=0.2, validation=0.5, seed=0), numbers_held_out=0.34
    )
    card = build(tmp_path / "a", settings, "knowledge_graphs.mine", tmp_path)
    build(tmp_path / "b", settings, "knowledge_graphs.mine", tmp_path)
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes() or file.name == "card.json"
    graph = load(tmp_path / "a")
    assert card["counts"]["triples"] == len(graph.triples) == len(lines)
    assert graph.attributes == ["age"] and 0.6551724137931034 in graph.numbers.value
    assert card["counts"]["numbers_test"] == 1
    assert card["sources"][0]["sha256"]


def test_mistakes_of_the_settings_name_the_nearest(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/triples.tsv").write_text("a\tlikes\tb\nb\tlikes\ta\n")
    split = Split(held_out=0.2, validation=0.5, seed=0, relations=["like"])
    with pytest.raises(InputError, match=r"there is no relation 'like'; did you mean 'likes'\?"):
        build(tmp_path / "out", GraphSettings(place="mine", split=split), "knowledge_graphs.mine", tmp_path)
    with pytest.raises(InputError, match=r"there is no such folder; knowledge_graphs.x.place names it"):
        build(tmp_path / "out", GraphSettings(place="nowhere"), "knowledge_graphs.x", tmp_path)
    with pytest.raises(InputError, match="there is no knowledge graph"):
        load(tmp_path / "out")

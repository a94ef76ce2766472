import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.errors import InputError
from repline.lexicons.recipes import Subgraph
from repline.lexicons.word_graph import of_parts_of_speech, read_graph, relation_matrix, word_graph
from repline.lexicons.wordnet import storage as wordnet_files
from repline.lexicons.wordnet.subgraphs import restrict, select_words, subgraph, write_subgraph
from repline.lexicons.wordnet.synsets import Pointer, Synset, WordNet
from tests.lexicons.small_wordnet import write_wndb


@pytest.fixture
def small(tmp_path):
    return wordnet_files.read(write_wndb(tmp_path / "dict"))


def cells(matrix, words):
    coordinates = matrix.tocoo()
    return {
        (words[i], words[j]): value
        for i, j, value in zip(coordinates.row, coordinates.col, coordinates.data, strict=True)
    }


def test_pointers_relate_all_words_and_count_over_senses():
    synsets = [
        Synset("1-n", "n", ("A", "b"), (Pointer("hyponym", "2-n"),), "", ("", "")),
        Synset("2-n", "n", ("c",), (Pointer("hypernym", "1-n"),), "", ("",)),
        Synset("3-n", "n", ("a",), (Pointer("part_meronym", "2-n"), Pointer("hyponym", "4-n")), "", ("",)),
        Synset("4-n", "n", ("b", "a"), (), "", ("", "")),
    ]
    entries, edges = word_graph(WordNet(synsets))
    assert entries.to_pylist() == [
        {"word": "a", "pos": "n", "senses": 3},
        {"word": "b", "pos": "n", "senses": 2},
        {"word": "c", "pos": "n", "senses": 1},
    ]
    words = ["a", "b", "c"]
    matrix = relation_matrix(edges, words)
    # a-b: two synsets in common and a hyponymy; synonyms replace the sum by 1. a is no hyponym of itself
    assert cells(matrix, words) == {
        ("a", "b"): 1,
        ("b", "a"): 1,
        ("a", "c"): 2,
        ("b", "c"): 1,
        ("c", "a"): 1,
        ("c", "b"): 1,
    }
    assert cells(relation_matrix(edges, words, binary=True), words)["a", "c"] == 1
    assert cells(relation_matrix(edges, words, relations=["hyponyms"]), words) == {
        ("a", "b"): 1,
        ("a", "c"): 1,
        ("b", "c"): 1,
    }
    weighted = relation_matrix(edges, words, weights={"meronyms": 0.8, "synonym": 3, "other": 0.5})
    assert cells(weighted, words)["a", "c"] == pytest.approx(1.3)
    assert cells(weighted, words)["a", "b"] == 3


def test_a_lexical_pointer_is_expanded_or_kept_to_its_words(small):
    _, edges = word_graph(small)
    words = ["animal", "beast", "brutalize"]
    everything = cells(relation_matrix(edges, words, relations=["derivation"]), words)
    assert everything == {
        ("animal", "brutalize"): 1,
        ("beast", "brutalize"): 1,
        ("brutalize", "animal"): 1,
        ("brutalize", "beast"): 1,
    }
    exact = cells(relation_matrix(edges, words, relations=["derivation"], expand_lexical=False), words)
    assert exact == {("beast", "brutalize"): 1, ("brutalize", "beast"): 1}


def test_raw_tokens_keep_case_and_markers(small):
    entries, _ = word_graph(small, raw_tokens=True)
    words = entries["word"].to_pylist()
    assert {"Beast", "wet(p)", "waterless(ip)"} <= set(words)
    assert {"beast", "wet", "waterless"}.isdisjoint(words)


def test_the_order_of_words_only_permutes_the_matrix(small):
    entries, edges = word_graph(small)
    words = entries["word"].to_pylist()
    order = np.random.default_rng(0).permutation(len(words))
    permuted = relation_matrix(edges, [words[index] for index in order]).toarray()
    assert (permuted == relation_matrix(edges, words).toarray()[np.ix_(order, order)]).all()


def test_parts_of_speech_and_relations_that_are_not_there_are_named(small):
    tables = word_graph(small)
    entries, edges = of_parts_of_speech(tables, ["a"])
    assert set(entries["pos"].to_pylist()) == set(edges["target_pos"].to_pylist()) == {"a"}
    with pytest.raises(InputError, match="no word of part of speech x in the graph, which has a, n, v"):
        of_parts_of_speech(tables, ["x"])
    with pytest.raises(InputError, match="no relation 'hypernim'; did you mean 'hypernym'"):
        relation_matrix(tables[1], ["dog", "animal"], relations=["hypernim"])
    with pytest.raises(InputError, match="weights from 0 up, found -1"):
        relation_matrix(tables[1], ["dog", "animal"], weights={"hypernym": -1})
    with pytest.raises(InputError, match="found 1 of 2 twice"):
        relation_matrix(tables[1], ["dog", "dog"])


def test_subgraphs_by_part_of_speech_root_and_relations(small):
    entries, edges = subgraph(small, Subgraph(root="animal:n", relations=["hypernyms"]))
    assert set(edges["relation"].to_pylist()) == {"hypernym", "instance_hypernym"}
    assert "brutalize" not in entries["word"].to_pylist()
    assert len(restrict(small, pos=["a"])) == 3
    for root, count in (("00000002-n", 1), ("animal", 3)):
        assert len(restrict(small, root=root)) == count
    with pytest.raises(InputError, match="no synset 'unicorn'"):
        restrict(small, root="unicorn")
    with pytest.raises(InputError, match="no synset of part of speech r"):
        restrict(small, pos=["r"])


def test_words_are_selected_by_density_frequency_or_at_random(small):
    entries, edges = word_graph(small)
    neighbours = dict(zip(*_degrees(entries, edges), strict=True))
    dense = select_words(entries, edges, selection="densest", size=4)
    assert min(neighbours[word] for word in dense) >= max(
        count for word, count in neighbours.items() if word not in dense
    )
    assert select_words(entries, edges, selection="densest", size=3, keep=["Laika", "unicorn"]).count("laika") == 1
    listed = select_words(entries, edges, selection="frequency", size=2, wordlist=["the", "Dog", "dry", "wet"])
    assert listed == ["dog", "dry"]
    assert select_words(entries, edges, selection="wordlist", wordlist=["dry"]) == ["dry"]
    drawn = [select_words(entries, edges, selection="random", size=5, seed=seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(select_words(entries, edges, selection="all")) == 18
    with pytest.raises(InputError, match="at least one word, found a size of 0"):
        select_words(entries, edges, size=0)
    with pytest.raises(InputError, match="needs a list with words of the graph"):
        select_words(entries, edges, selection="frequency", wordlist=["the"])


def _degrees(entries, edges):
    words = sorted(set(entries["word"].to_pylist()))
    return words, np.diff(relation_matrix(edges, words).indptr).tolist()


def test_a_written_subgraph_is_read_back_with_its_card(small, tmp_path):
    tables = subgraph(small, Subgraph(pos=["n"]))
    for name in ("one", "two"):
        card = write_subgraph(tmp_path / name, tables, licence="CC0", sources=[], parameters={"pos": ["n"]})
    assert read_graph(tmp_path / "one") == tables
    assert card["counts"]["words"] == 13
    assert card["counts"]["related_pairs"] == relation_matrix(tables[1], sorted(set(tables[0]["word"].to_pylist()))).nnz
    assert (tmp_path / "one/edges.parquet").read_bytes() == (tmp_path / "two/edges.parquet").read_bytes()


def test_a_users_own_lexicon_needs_pairs_only(tmp_path):
    pq.write_table(pa.table({"source": ["a", "b"], "target": ["b", "c"]}), tmp_path / "own.parquet")
    (tmp_path / "own.txt").write_text("a b\nb c\n")
    for name in ("own.parquet", "own.txt"):
        entries, edges = read_graph(tmp_path / name)
        assert entries["word"].to_pylist() == ["a", "b", "c"]
        assert relation_matrix(edges, ["a", "b", "c"]).toarray().tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
        assert edges["relation"].to_pylist() == ["neighbour", "neighbour"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"source": ["a"]}, "expected a column 'target', found source"),
        ({"source": pa.array([], pa.string()), "target": pa.array([], pa.string())}, "expected edges between words"),
        ({"source": ["a"], "target": ["b"], "count": [0]}, "expected counts from 1 up, found 0"),
        ({"source": ["a"], "target": ["b"], "count": ["x"]}, "a column is of another type"),
    ],
)
def test_a_malformed_graph_is_named(tmp_path, columns, message):
    pq.write_table(pa.table(columns), tmp_path / "edges.parquet")
    with pytest.raises(InputError, match=message):
        read_graph(tmp_path)
    with pytest.raises(InputError, match="no such file"):
        read_graph(tmp_path / "absent.parquet")

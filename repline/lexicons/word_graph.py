"""Graphs of words: one node a word, one row for each way in which two words are related.

A graph is a pair of tables. `entries`: `word`, `pos`, `senses` (how many senses the word has there). `edges`: `source`,
`target`, `relation`, `source_pos`, `target_pos`, `expanded` (true where the two words are related only because their
synsets are: a lexical pointer holds between two words, and is read as holding between all words of both synsets),
`count` (over senses). A user's own lexicon needs `source` and `target` only.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Unpack

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from scipy import sparse

from repline.errors import InputError, in_one_line, readable, shown
from repline.lexicons.neighbour_lists import read_neighbours
from repline.lexicons.wordnet.synsets import RELATIONS, SYNONYM, WordNet
from repline.parameters import nearest
from repline.reading.settings import TableReading

ENTRIES = pa.schema([("word", pa.string()), ("pos", pa.string()), ("senses", pa.int32())])
EDGES = pa.schema(
    [
        ("source", pa.string()),
        ("target", pa.string()),
        ("relation", pa.string()),
        ("source_pos", pa.string()),
        ("target_pos", pa.string()),
        ("expanded", pa.bool_()),
        ("count", pa.int32()),
    ]
)

KERNEL = ("hypernym", "instance_hypernym", "hyponym", "instance_hyponym", "antonym", SYNONYM)
GROUPS = {
    "kernel": KERNEL,
    "hypernyms": ("hypernym", "instance_hypernym"),
    "hyponyms": ("hyponym", "instance_hyponym"),
    "meronyms": tuple(name for name in RELATIONS.values() if name.endswith("meronym")),
    "holonyms": tuple(name for name in RELATIONS.values() if name.endswith("holonym")),
}
_NAMES = (*RELATIONS.values(), SYNONYM)


def word_graph(wordnet: WordNet, *, raw_tokens: bool = False) -> tuple[pa.Table, pa.Table]:
    """The words of a wordnet and how they are related: for a pointer s -> t every word of s with every word of t, and
    every two words of one synset as synonyms. A word is never related to itself.

    Args:
        raw_tokens: keep case and the markers of adjectives ("galore(ip)") in the words, which are then not merged.

    Returns:
        entries (sorted by word and part of speech) and edges (sorted by all their columns).

    Source: Saedi et al. 2018, section 2, with the counts of their published code.
    """
    synsets = list(wordnet)
    index = {synset.id: number for number, synset in enumerate(synsets)}
    if raw_tokens:
        tokens = [lemma + mark for synset in synsets for lemma, mark in zip(synset.lemmas, synset.markers, strict=True)]
    else:
        tokens = [lemma.lower() for synset in synsets for lemma in synset.lemmas]
    words, word = np.unique(np.array(tokens, dtype=object), return_inverse=True)
    parts, pos = np.unique(np.array([synset.pos for synset in synsets], dtype=object), return_inverse=True)
    sizes = np.array([len(synset.lemmas) for synset in synsets])
    first = np.cumsum(sizes) - sizes  # of each synset's words among all tokens
    relation_code = {name: code for code, name in enumerate(_NAMES)}
    arcs = np.array(
        [
            (number, index[pointer.target], relation_code[pointer.relation], pointer.source_word, pointer.target_word)
            for number, synset in enumerate(synsets)
            for pointer in synset.pointers
        ],
        dtype=np.int64,
    ).reshape(-1, 5)
    same = np.arange(len(synsets))
    synonyms = np.stack([same, same, np.full_like(same, relation_code[SYNONYM]), 0 * same, 0 * same], axis=1)
    source, target, relation, source_word, target_word = np.concatenate([arcs, synonyms]).T
    source_token, target_token, arc = _products(first[source], sizes[source], first[target], sizes[target])
    lexical = source_word + target_word > 0
    expanded = lexical[arc] & (
        ((source_word[arc] > 0) & (source_token - first[source[arc]] != source_word[arc] - 1))
        | ((target_word[arc] > 0) & (target_token - first[target[arc]] != target_word[arc] - 1))
    )
    columns = (
        word[source_token],
        word[target_token],
        relation[arc],
        pos[source[arc]],
        pos[target[arc]],
        expanded.astype(np.int64),
    )
    (source, target, relation, source_pos, target_pos, expanded), count = _counted(
        [column[word[source_token] != word[target_token]] for column in columns],
        [len(words), len(words), len(_NAMES), len(parts), len(parts), 2],
    )
    edges = pa.table(
        [
            _decoded(source, words),
            _decoded(target, words),
            _decoded(relation, _NAMES),
            _decoded(source_pos, parts),
            _decoded(target_pos, parts),
            pa.array(expanded.astype(bool)),
            pa.array(count, pa.int32()),
        ],
        schema=EDGES,
    )
    (word_of_sense, pos_of_sense), senses = _counted([word, np.repeat(pos, sizes)], [len(words), len(parts)])
    entries = pa.table(
        [_decoded(word_of_sense, words), _decoded(pos_of_sense, parts), pa.array(senses, pa.int32())], schema=ENTRIES
    )
    return entries, edges


def read_graph(path: str | Path, **reading: Unpack[TableReading]) -> tuple[pa.Table, pa.Table]:
    """Read a graph of words: a folder with edges.parquet (and entries.parquet), one Parquet file of edges, or a text
    file of neighbour lists (`repline.lexicons.neighbour_lists`), whose relation is then "neighbour".

    Columns that a file lacks are filled: relation "neighbour", parts of speech "", expanded false, count 1. Without
    entries, every word has one sense.

    Args:
        reading: of neighbour lists: what a wrong line does, and the encoding.

    Raises:
        InputError: nothing of these, a column missing or of another type, a count below 1, or no edge at all.
    """
    path = Path(path)
    file = path / "edges.parquet" if path.is_dir() else path
    if file.suffix == ".parquet" or path.is_dir():
        edges = _read(file, EDGES, ("source", "target"))
    else:
        lists = read_neighbours(path, **reading)
        sources = [word for word, neighbours in lists.items() for _ in neighbours]
        targets = [neighbour for neighbours in lists.values() for neighbour in neighbours]
        edges = _filled(pa.table([sources, targets], names=["source", "target"]), EDGES)
    if not len(edges):
        raise InputError(f"{file}: expected edges between words, found none")
    if pc.min(edges["count"]).as_py() < 1:
        raise InputError(f"{file}: expected counts from 1 up, found {pc.min(edges['count']).as_py()}")
    if path.is_dir() and (path / "entries.parquet").exists():
        return _read(path / "entries.parquet", ENTRIES, ("word",)), edges
    words = pc.unique(pa.chunked_array([*edges["source"].chunks, *edges["target"].chunks])).sort()
    return _filled(pa.table([words], names=["word"]), ENTRIES), edges


def relation_matrix(
    edges: pa.Table,
    words: Sequence[str],
    *,
    relations: Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    expand_lexical: bool = True,
    binary: bool = False,
) -> sparse.csr_matrix:
    """How strongly each two words are related.

        M[a, b] = sum of weight(relation) * count over the pointers from a synset of a to a synset of b;
        M[a, b] = weight(synonym) where a and b share a synset (it replaces the sum);  M[a, a] = 0

    Args:
        edges: of `word_graph` or `read_graph`; those with a word outside `words` are left out.
        words: the n nodes, in this order.
        relations: names of relations or of their groups (`GROUPS`); None for all.
        weights: relation or group -> weight, "other" for the rest (1 if it is not there); None for 1 each.
        expand_lexical: whether a lexical pointer relates all words of both synsets, or only its own two.
        binary: 1 wherever M is not 0.

    Returns:
        float64 [n, n], sorted indices.

    Raises:
        InputError: a relation that the graph does not have, naming the nearest; a negative weight; a word twice.

    Source: Saedi et al. 2018, sections 2 and 4.2; that synonyms replace and that pointers count is in their code.
    """
    row = {word: number for number, word in enumerate(words)}
    if len(row) < len(words):
        raise InputError(f"expected different words, found {len(words) - len(row)} of {len(words)} twice")
    graph_relations = pc.unique(edges["relation"]).to_pylist()
    keep = pa.array(np.ones(len(edges), dtype=bool))
    if relations is not None:
        keep = pc.and_(
            keep, pc.is_in(edges["relation"], pa.array(expanded_names(relations, graph_relations), pa.string()))
        )
    if not expand_lexical:
        keep = pc.and_(keep, pc.invert(edges["expanded"]))
    edges = edges.filter(keep)
    weight_of = dict.fromkeys(graph_relations, 1.0)
    if weights is not None:
        weight_of = dict.fromkeys(graph_relations, float(weights.get("other", 1.0)))
        for name, weight in weights.items():
            if name != "other":
                weight_of |= dict.fromkeys(expanded_names([name], graph_relations), float(weight))
        if min(weight_of.values()) < 0:
            raise InputError(f"expected weights from 0 up, found {min(weight_of.values())}")
    source, target = (_encoded(edges[name], row) for name in ("source", "target"))
    name = edges["relation"].combine_chunks().dictionary_encode()
    value = np.array([weight_of[relation] for relation in name.dictionary.to_pylist()])[name.indices.to_numpy()]
    synonym = pc.equal(edges["relation"], SYNONYM).to_numpy(zero_copy_only=False)
    inside = (source >= 0) & (target >= 0) & (source != target)
    n = len(words)
    pointer, same = inside & ~synonym, inside & synonym
    counts = edges["count"].to_numpy()
    pointers = _matrix(source[pointer], target[pointer], (value * counts)[pointer], n)
    synonyms = _matrix(source[same], target[same], np.ones(same.sum()), n)
    synonyms.data[:] = weight_of.get(SYNONYM, 1.0)
    pattern = synonyms.copy()
    pattern.data[:] = 1
    matrix = (pointers - pointers.multiply(pattern) + synonyms).tocsr()
    matrix.eliminate_zeros()
    matrix.sort_indices()
    if binary:
        matrix.data[:] = 1
    return matrix


def expanded_names(names: Sequence[str], graph_relations: Sequence[str]) -> list[str]:
    """Replace groups of relations by their members; InputError on a name that is neither a relation nor a group."""
    expanded: list[str] = []
    for name in names:
        if name not in GROUPS and name not in graph_relations and name not in _NAMES:
            raise InputError(f"there is no relation {shown(name)}{nearest(name, [*GROUPS, *graph_relations])}")
        expanded += GROUPS.get(name, (name,))
    return expanded


def of_parts_of_speech(tables: tuple[pa.Table, pa.Table], pos: Sequence[str]) -> tuple[pa.Table, pa.Table]:
    """Entries and edges between words of these parts of speech alone; InputError if no entry is left."""
    entries, edges = tables
    parts = pa.array(list(pos), pa.string())
    kept_entries = entries.filter(pc.is_in(entries["pos"], parts))
    if not len(kept_entries):
        graph_parts = ", ".join(sorted(pc.unique(entries["pos"]).to_pylist()))
        raise InputError(
            f"there is no word of part of speech {', '.join(pos)} in the graph, which has {readable(graph_parts)}"
        )
    both = pc.and_(pc.is_in(edges["source_pos"], parts), pc.is_in(edges["target_pos"], parts))
    return kept_entries, edges.filter(both)


def _products(
    first: np.ndarray, size: np.ndarray, other_first: np.ndarray, other_size: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Every pair from two ranges, for many pairs of ranges: left, right, and which ranges they come from."""
    length = size * other_size
    arc = np.repeat(np.arange(len(length)), length)
    offset = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    return first[arc] + offset // other_size[arc], other_first[arc] + offset % other_size[arc], arc


def _counted(columns: Sequence[np.ndarray], sizes: Sequence[int]) -> tuple[list[np.ndarray], np.ndarray]:
    """Distinct rows of codes in order, and how often each is there."""
    key = np.ravel_multi_index(columns, sizes)
    key, count = np.unique(key, return_counts=True)
    return list(np.unravel_index(key, sizes)), count


def _decoded(codes: np.ndarray, names: Sequence[str] | np.ndarray) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(list(names))).cast(pa.string())


def _encoded(column: pa.ChunkedArray, row: Mapping[str, int]) -> np.ndarray:
    codes = column.combine_chunks().dictionary_encode()
    numbers = np.array([row.get(word, -1) for word in codes.dictionary.to_pylist()], dtype=np.int64)
    return numbers[codes.indices.to_numpy()] if len(numbers) else np.empty(0, np.int64)


def _matrix(source: np.ndarray, target: np.ndarray, value: np.ndarray, n: int) -> sparse.csr_matrix:
    return sparse.csr_matrix((value, (source, target)), shape=(n, n))


def _read(path: Path, schema: pa.Schema, needed: Sequence[str]) -> pa.Table:
    try:
        table = pq.read_table(path)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: this is no whole Parquet file ({in_one_line(error)})") from None
    for name in needed:
        if name not in table.column_names:
            raise InputError(
                f"{path}: expected a column {shown(name)}, found {readable(', '.join(table.column_names))}"
            )
    try:
        return _filled(table, schema)
    except (pa.ArrowException, ValueError) as error:
        raise InputError(f"{path}: a column is of another type than expected ({in_one_line(error)})") from None


def _filled(table: pa.Table, schema: pa.Schema) -> pa.Table:
    defaults = {"relation": "neighbour", "expanded": False, "count": 1, "senses": 1}
    columns = [
        table[field.name].cast(field.type)
        if field.name in table.column_names
        else pa.array([defaults.get(field.name, "")] * len(table), field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)

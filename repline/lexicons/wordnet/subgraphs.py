"""Parts of a wordnet as graphs of words: by part of speech, relations, root synset and selected words."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from repline.cards import Card, Source, write_card
from repline.errors import InputError, shown
from repline.files import new_folder
from repline.lexicons.recipes import Selection, Subgraph
from repline.lexicons.word_graph import expanded_names, relation_matrix, word_graph
from repline.lexicons.wordnet.synsets import WordNet
from repline.parameters import JsonObject
from repline.reading.wrong_records import LeftOut

WHOLE = Subgraph()


def restrict(wordnet: WordNet, *, pos: Sequence[str] | None = None, root: str | None = None) -> WordNet:
    """The synsets of some parts of speech, or below a root, with the pointers between them.

    Args:
        pos: "n", "v", "a", "r"; None for all.
        root: a synset's identifier ("00015388-n"), or a lemma that names one by its first sense ("animal",
            "animal:n"); its hyponyms and instances, theirs, and so on are kept.

    Raises:
        InputError: no such root, or nothing is left.
    """
    synsets = wordnet.below(_root(wordnet, root)) if root is not None else list(wordnet)
    synsets = [synset for synset in synsets if pos is None or synset.pos in pos]
    if not synsets:
        parts = ", ".join(sorted({synset.pos for synset in wordnet}))
        raise InputError(f"no synset of part of speech {', '.join(pos or ())} is there; the wordnet has {parts}")
    if root is None and len(synsets) == len(wordnet):
        return wordnet
    inside = {synset.id for synset in synsets}
    return WordNet(
        synset._replace(pointers=tuple(pointer for pointer in synset.pointers if pointer.target in inside))
        for synset in synsets
    )


def subgraph(
    wordnet: WordNet, recipe: Subgraph = WHOLE, *, wordlist: Sequence[str] = (), keep: Sequence[str] = ()
) -> tuple[pa.Table, pa.Table]:
    """Entries and edges (`repline.lexicons.word_graph`) of a part of a wordnet.

    Args:
        recipe: which synsets, relations and words.
        wordlist, keep: of `select_words`.

    Raises:
        InputError: as `restrict` and `select_words`, or the graph has no such relation.
    """
    part = restrict(wordnet, pos=recipe.pos, root=recipe.root)
    entries, edges = word_graph(part, raw_tokens=recipe.raw_tokens)
    if recipe.relations is not None:
        in_graph = pc.unique(edges["relation"]).to_pylist()
        names = pa.array(expanded_names(recipe.relations, in_graph), pa.string())
        edges = edges.filter(pc.is_in(edges["relation"], names))
    if recipe.selection != "all":
        words = select_words(
            entries,
            edges,
            selection=recipe.selection,
            size=recipe.words,
            seed=recipe.seed,
            wordlist=wordlist,
            keep=keep,
        )
        entries, edges = induced(entries, edges, words)
    return entries, edges


def select_words(
    entries: pa.Table,
    edges: pa.Table,
    *,
    selection: Selection = "densest",
    size: int | None = None,
    seed: int = 0,
    wordlist: Sequence[str] = (),
    keep: Sequence[str] = (),
) -> list[str]:
    """Which words a graph of `size` words is to hold.

    Args:
        entries, edges: the whole graph.
        selection: "densest", the words with most neighbours (in the alphabet's order where they have as many);
            "random", any; "frequency" and "wordlist", the first words of `wordlist` that the graph has; "all".
        size: n; None for as many as there are. At least the words of `keep` are taken.
        seed: of "random".
        wordlist: words, most frequent first.
        keep: words that are kept in any case, as far as the graph has them.

    Returns:
        Sorted words.

    Raises:
        InputError: a size below 1, or a word list that is missing or has no word of the graph.

    Source: Saedi et al. 2018, section 4.3. The text keeps the densest rows; what the published code keeps is a fixed
    pseudo-random choice apart from the words of the test sets.
    """
    graph_words = pc.unique(entries["word"]).sort().to_pylist()
    if size is not None and size < 1:
        raise InputError(f"expected a graph of at least one word, found a size of {size}")
    size = len(graph_words) if size is None or selection == "all" else min(size, len(graph_words))
    word_set = set(graph_words)
    required = [word for word in dict.fromkeys(_form(word, word_set) for word in keep) if word in word_set]
    match selection:
        case "all":
            order = graph_words
        case "densest":
            neighbours = np.diff(relation_matrix(edges, graph_words).indptr)
            order = [graph_words[index] for index in np.argsort(-neighbours, kind="stable")]
        case "random":
            order = [
                graph_words[index] for index in np.random.Generator(np.random.PCG64(seed)).permutation(len(graph_words))
            ]
        case "frequency" | "wordlist":
            order = [word for word in dict.fromkeys(_form(word, word_set) for word in wordlist) if word in word_set]
            if not order:
                raise InputError(f"a selection by {selection} needs a list with words of the graph, found none of them")
    return sorted(list(dict.fromkeys([*required, *order]))[: max(size, len(required))])


def induced(entries: pa.Table, edges: pa.Table, words: Sequence[str]) -> tuple[pa.Table, pa.Table]:
    """The entries of these words, and the edges between them."""
    selected = pa.array(list(words), pa.string())
    both = pc.and_(pc.is_in(edges["source"], selected), pc.is_in(edges["target"], selected))
    return entries.filter(pc.is_in(entries["word"], selected)), edges.filter(both)


def write_subgraph(
    folder: str | Path,
    graph: tuple[pa.Table, pa.Table],
    *,
    licence: str,
    sources: Sequence[Source],
    parameters: JsonObject,
    left_out: LeftOut | None = None,
) -> Card:
    """Write entries.parquet, edges.parquet and card.json into `folder`, all or nothing; returns the card.

    Args:
        left_out: what was left out of the list of frequent words, for the card.
    """
    left_out = left_out or LeftOut()
    entries, edges = graph
    folder = Path(folder)
    with new_folder(folder) as partial:
        pq.write_table(entries, partial / "entries.parquet", compression="zstd")
        pq.write_table(edges, partial / "edges.parquet", compression="zstd")
        words = pc.unique(entries["word"]).to_pylist()
        cells = relation_matrix(edges, words)
        relations = pc.value_counts(edges["relation"]).to_pylist()
        return write_card(
            partial,
            name=folder.name,
            description="A graph of words: which words of which parts of speech, and every relation between two",
            licence=licence,
            sources=sources,
            parameters=parameters,
            counts={
                "words": len(words),
                "entries": len(entries),
                "senses": pc.sum(entries["senses"]).as_py(),
                "edges": len(edges),
                "related_pairs": cells.nnz,
                "words_without_neighbours": int((np.diff(cells.indptr) == 0).sum()),
            }
            | {f"edges_{row['values']}": row["counts"] for row in sorted(relations, key=lambda row: row["values"])}
            | left_out.counts(),
            notes=left_out.notes(),
            tools=("numpy", "pyarrow", "scipy"),
        )


def _form(word: str, graph_words: set[str]) -> str:
    """A word as the graph writes it: as it is where the graph has it so, else lower-cased with `_` for blanks."""
    return word if word in graph_words else word.lower().replace(" ", "_")


def _root(wordnet: WordNet, root: str) -> str:
    if root in wordnet:
        return root
    lemma, _, pos = root.partition(":")
    synsets_of_lemma = wordnet.synsets(lemma, pos or None)
    if not synsets_of_lemma:
        raise InputError(
            f"there is no synset {shown(root)}, and no such word; a root is like 00015388-n, animal or animal:n"
        )
    return synsets_of_lemma[0].id

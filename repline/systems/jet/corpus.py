"""Prepare a corpus for all variants: words and mentions of terms as numbers.

    words.npy            int32 [n], the tokens of all sentences by their rows in the vocabulary, -1 for a rare one
    sentences.npy        int64 [s + 1], where each sentence begins and ends
    mention_terms.npy    int32 [m], by their rows in terms.parquet, in the order of last tokens, the longest first; and
    mention_first.npy    int64 [m], the position of the first token, mention_last.npy: of the last one
    vocabulary.parquet   `word`, `count`; most frequent first
    terms.parquet        `term`, `count` of mentions, `entities`: list<int32>, rows of entities.parquet; frequent first
    entities.parquet     `entity`, `types`, `definition`, `neighbours` (rows of this table), `mentions` of any of its
                         terms, and `polysemy`, their mean number of entities
    card.json

A word or a term with fewer occurrences than `minimum_count` is rare. Only entities of the other terms are there.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, card_or_files, write_card
from repline.errors import InputError, count_remedy, in_one_line
from repline.files import new_folder
from repline.systems.jet.mentions import Mentions, find_mentions, trie_of
from repline.systems.jet.plain_text import plain_tokens
from repline.systems.jet.terminology import Terminology
from repline.systems.jet.terminology import read as read_terminology
from repline.vectors.tokens import Tokens

CHUNK = 1 << 20  # tokens in memory at a time


class Corpus(NamedTuple):
    """A prepared corpus, its arrays as memory maps."""

    words: NDArray[np.int32]
    sentences: NDArray[np.int64]
    mentions: Mentions
    vocabulary: pa.Table
    terms: pa.Table
    entities: pa.Table

    def candidates(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Offsets [T + 1] and rows: the entities of each term."""
        lists = self.terms.column("entities").combine_chunks()
        return lists.offsets.to_numpy().astype(np.int64), lists.values.to_numpy()


def write(corpus: str | Path, terminology: str | Path, folder: str | Path, *, minimum_count: int) -> Card:
    """Number the words of a corpus and find the terms in it.

    Args:
        corpus: a folder of Parquet files with a column of tokens, or one file.
        terminology: a folder of `repline.systems.jet.terminology`.
        folder: replaced if it exists; it appears whole or not at all.
        minimum_count: occurrences that a word, or a term, needs at least.

    Returns:
        The card.

    Raises:
        InputError: either cannot be read, no word is frequent enough, or no term is.
    """
    terminology_read = read_terminology(terminology)
    number_of_word: dict[str, int] = {}
    with new_folder(folder) as partial:
        lengths = _numbered(Tokens(corpus), partial / "tokens", number_of_word)
        sentences = np.append(0, np.cumsum(lengths))
        numbered_words = _stored(partial / "tokens", np.int32)
        counts = np.bincount(numbered_words, minlength=len(number_of_word))
        order = np.argsort(-counts, kind="stable")
        frequent = order[counts[order] >= minimum_count]
        remedy = count_remedy(minimum_count, "more text")
        if not len(frequent):
            raise InputError(f"{corpus}: no word occurs {minimum_count} times; {remedy}")
        mention_count = _mentioned(numbered_words, sentences, terminology_read, number_of_word, partial)
        mentions_of_term = np.bincount(_stored(partial / "terms", np.int32), minlength=len(terminology_read.terms))
        by_count = np.argsort(-mentions_of_term, kind="stable")
        frequent_terms = by_count[mentions_of_term[by_count] >= minimum_count]
        if not len(frequent_terms):
            raise InputError(f"{corpus}: no term of {terminology} occurs {minimum_count} times; {remedy}")
        names = list(number_of_word)
        vocabulary = pa.table({"word": [names[word] for word in frequent], "count": counts[frequent]})
        new_number = np.full(len(number_of_word), -1, np.int32)
        new_number[frequent] = np.arange(len(frequent), dtype=np.int32)
        _save(
            partial / "words.npy",
            (new_number[numbered_words[start : start + CHUNK]] for start in range(0, len(numbered_words), CHUNK)),
            len(numbered_words),
            np.int32,
        )
        frequent_mentions = _save_mentions(
            partial, frequent_terms, len(terminology_read.terms), int(mentions_of_term[frequent_terms].sum())
        )
        terms, entities = _tables(terminology_read, mentions_of_term, frequent_terms)
        np.save(partial / "sentences.npy", sentences)
        for name, table in (("vocabulary", vocabulary), ("terms", terms), ("entities", entities)):
            pq.write_table(table, partial / f"{name}.parquet", compression="zstd")
        for name in ("tokens", *Mentions._fields):
            (partial / name).unlink()
        origins = [card_or_files(corpus), card_or_files(terminology)]
        return write_card(
            partial,
            name=Path(folder).name,
            description="Words and mentions of terms as numbers",
            licence="; ".join(dict.fromkeys(str(origin["licence"]) for origin in origins)),
            sources=[{"corpus": origin} for origin in origins],
            parameters={"minimum_count": minimum_count},
            counts={
                "sentences": len(lengths),
                "tokens": len(numbered_words),
                "words": len(frequent),
                "mentions": mention_count,
                "kept_mentions": frequent_mentions,
                "terms": len(frequent_terms),
                "entities": len(entities),
            },
            tools=["numba", "numpy", "pyarrow"],
        )


def read(folder: str | Path) -> Corpus:
    """Read the folder that `write` wrote; InputError if it is not there or damaged."""
    folder = Path(folder)
    try:
        arrays = {
            name: np.load(folder / f"{name}.npy", mmap_mode="c", allow_pickle=False)
            for name in ("words", "sentences", *(f"mention_{column}" for column in Mentions._fields))
        }
        mentions = Mentions(*(arrays[f"mention_{column}"] for column in Mentions._fields))
        tables = (pq.read_table(folder / f"{name}.parquet") for name in ("vocabulary", "terms", "entities"))
        return Corpus(arrays["words"], arrays["sentences"], mentions, *tables)
    except (FileNotFoundError, ValueError, pa.ArrowException) as error:
        raise InputError(f"{folder}: this is no corpus of jet ({in_one_line(error)}); run `dvc repro` for it") from None


def corpus_polysemy(
    counts: NDArray[np.int64], offsets: NDArray[np.int64], candidates: NDArray[np.int32], entities: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For each entity the number Z of mentions of its terms, and its corpus polysemy, NaN without mentions.

        CP(e) = sum over the terms t of e of f(t) |E_t| / Z,    Z = sum of f(t)

    Args:
        counts: [T] f. offsets, candidates: the entities of each term. entities: how many there are.

    Source: section 4.1.
    """
    size = np.diff(offsets)
    count_of_candidate = np.repeat(counts, size)
    mentions = np.bincount(candidates, count_of_candidate, minlength=entities)
    weighted = np.bincount(candidates, count_of_candidate * np.repeat(size, size), minlength=entities)
    polysemy = np.divide(weighted, mentions, out=np.full(entities, np.nan), where=mentions > 0)
    return mentions.astype(np.int64), polysemy


def _numbered(tokens: Tokens, path: Path, number_of_word: dict[str, int]) -> NDArray[np.int64]:
    """Number the tokens and write them to a file; returns the number of tokens of each row."""
    lengths = [np.zeros(0, np.int64)]
    with open(path, "wb") as file:
        for batch in tokens.batches():
            rows = pc.binary_join(pc.fill_null(batch.column(tokens.column), []), " ")
            flat, tokens_by_row = plain_tokens(rows)
            coded = flat.dictionary_encode()
            number_of_entry = [
                number_of_word.setdefault(word, len(number_of_word)) for word in coded.dictionary.to_pylist()
            ]
            np.array(number_of_entry, np.int32)[coded.indices.to_numpy()].tofile(file)
            lengths.append(tokens_by_row)
    return np.concatenate(lengths)


def _mentioned(
    numbered_words: NDArray[np.int32],
    sentences: NDArray[np.int64],
    terminology: Terminology,
    number_of_word: dict[str, int],
    folder: Path,
) -> int:
    """Find and write all mentions, chunk by chunk; returns how many there are."""
    flat, sizes = plain_tokens(terminology.terms)
    coded = flat.dictionary_encode()
    number_of_entry = np.array([number_of_word.get(word, -1) for word in coded.dictionary.to_pylist()], np.int32)
    trie = trie_of(number_of_entry[coded.indices.to_numpy()], np.append(0, np.cumsum(sizes)), len(number_of_word))
    number = 0
    with ExitStack() as stack:
        files = [stack.enter_context(open(folder / column, "wb")) for column in Mentions._fields]
        for rows in _chunks(sentences):
            start = sentences[rows.start]
            text = np.array(numbered_words[start : sentences[rows.stop]])
            mentions = find_mentions(text, sentences[rows.start : rows.stop + 1] - start, trie)
            mentions = Mentions(mentions.terms, mentions.first + start, mentions.last + start)
            columns: tuple[NDArray, ...] = (mentions.terms, mentions.first, mentions.last)
            for file, column in zip(files, columns, strict=True):
                column.tofile(file)
            number += len(mentions.terms)
    return number


def _chunks(sentences: NDArray[np.int64]) -> Iterator[slice]:
    """Ranges of sentences with about `CHUNK` tokens together."""
    first = 0
    while first < len(sentences) - 1:
        last = max(first + 1, int(np.searchsorted(sentences, sentences[first] + CHUNK, "right")) - 1)
        yield slice(first, last)
        first = last


def _stored(path: Path, kind: Any) -> NDArray:
    """Numbers of a file of raw bytes, as a memory map."""
    return np.memmap(path, kind, "r") if path.stat().st_size else np.zeros(0, kind)


def _save(path: Path, blocks: Iterator[NDArray], rows: int, kind: Any) -> None:
    """Write blocks one after another as one .npy file."""
    with open(path, "wb") as file:
        header = {"descr": np.lib.format.dtype_to_descr(np.dtype(kind)), "fortran_order": False, "shape": (rows,)}
        np.lib.format.write_array_header_1_0(file, header)
        for block in blocks:
            file.write(np.ascontiguousarray(block, dtype=kind).data)


def _save_mentions(folder: Path, frequent_terms: NDArray[np.int64], terms: int, number: int) -> int:
    """Save the mentions of the frequent terms, numbered by their order; returns how many mentions there are."""
    new_number = np.full(terms, -1, np.int32)
    new_number[frequent_terms] = np.arange(len(frequent_terms), dtype=np.int32)
    term_of_mention = _stored(folder / "terms", np.int32)
    cuts = [slice(start, start + CHUNK) for start in range(0, len(term_of_mention), CHUNK)]
    for column, kind in zip(Mentions._fields, (np.int32, np.int64, np.int64), strict=True):
        stored = _stored(folder / column, kind)
        blocks: Iterator[NDArray] = (stored[cut][new_number[term_of_mention[cut]] >= 0] for cut in cuts)
        if column == "terms":
            blocks = map(new_number.__getitem__, blocks)
        _save(folder / f"mention_{column}.npy", blocks, number, kind)
    return number


def _tables(
    terminology: Terminology, counts: NDArray[np.int64], frequent_terms: NDArray[np.int64]
) -> tuple[pa.Table, pa.Table]:
    """The tables terms.parquet and entities.parquet: each term and entity with its counts in the corpus."""
    mentions, polysemy = corpus_polysemy(counts, terminology.offsets, terminology.candidates, len(terminology.entities))
    sizes = np.diff(terminology.offsets)[frequent_terms]
    offsets = np.append(0, np.cumsum(sizes))
    inside = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
    candidates = terminology.candidates[np.repeat(terminology.offsets[frequent_terms], sizes) + inside]
    used_entities, rows = np.unique(candidates, return_inverse=True)
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(rows, pa.int32()))
    terms = pa.table(
        {"term": terminology.terms.take(pa.array(frequent_terms)), "count": counts[frequent_terms], "entities": lists}
    )
    entities = terminology.entities.take(pa.array(used_entities)).combine_chunks()
    new_row = np.full(len(terminology.entities), -1, np.int32)
    new_row[used_entities] = np.arange(len(used_entities), dtype=np.int32)
    neighbour_lists = entities.column("neighbours").combine_chunks()
    neighbours = new_row[neighbour_lists.flatten().to_numpy()]
    owner = np.repeat(np.arange(len(neighbour_lists)), pc.list_value_length(neighbour_lists).to_numpy())[
        neighbours >= 0
    ]
    ends = np.append(0, np.cumsum(np.bincount(owner, minlength=len(neighbour_lists))))
    lists = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.array(neighbours[neighbours >= 0], pa.int32()))
    entities = entities.set_column(3, "neighbours", lists)
    return terms, entities.append_column("mentions", pa.array(mentions[used_entities])).append_column(
        "polysemy", pa.array(polysemy[used_entities])
    )

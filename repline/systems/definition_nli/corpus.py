"""Prepare pairs of sentences with a dictionary for their words and vectors of the words of both, as one folder.

pairs.parquet       split, tokens_a, tokens_b (in lower case), label, pair_id, group (of pairs about the same words)
dictionary.tsv      headword, tab, definition
words.parquet       word, unknown; the most frequent first
vectors.npy         float32 [V, d], a row for each word
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from repline.cards import Card, card_or_files, read_card, write_card
from repline.corpora.sentence_pairs.pair_corpus import read_pair_corpus
from repline.corpora.sentence_pairs.pair_labels import check_labels
from repline.errors import InputError, shown
from repline.files import new_folder
from repline.lexicons.definitions import (
    TAGGED,
    Dictionary,
    read_definitions,
    read_sense_use,
    wordnet_definitions,
    write_definitions,
)
from repline.lexicons.wordnet import storage
from repline.reading.file_names import unpacked_name
from repline.reading.settings import recipe_values
from repline.reading.wrong_records import LeftOut, WrongRecord
from repline.segmentation import spaced
from repline.systems.definition_nli.random_vectors import vectors_of
from repline.systems.definition_nli.settings import Corpus

SPLITS = ("train", "dev", "test")
LANGUAGE = "en"  # whose rules split definitions into tokens


class Split(NamedTuple):
    """The pairs of a split.

    Attributes:
        first, second: tokens of both sentences.
        labels: of the pairs.
        ids: how the source names a pair: its line, or an id.
        groups: the group of a pair, where the source has pairs that belong together; else its id.
    """

    first: list[list[str]]
    second: list[list[str]]
    labels: list[str]
    ids: list[str]
    groups: list[str]


class Data(NamedTuple):
    """The pairs, the dictionary and the vectors that `write_data` wrote.

    Attributes:
        pairs: by split.
        words: the most frequent first.
        vectors: [V, d]; unknown: [V], whose vectors are random; spread: the standard deviation of these.
        longest: tokens of a definition at most.
    """

    pairs: dict[str, Split]
    dictionary: Dictionary
    words: list[str]
    vectors: NDArray[np.float32]
    unknown: NDArray[np.bool_]
    spread: float
    longest: int


def write_data(folder: str | Path, corpus: Corpus, data: str | Path = "data") -> Card:
    """Write `folder`, and return its card.

    Where index.sense lies next to the files of a wordnet, its senses come in the order of how often they are tagged.

    Args:
        folder: replaces what was there.
        corpus: the pairs, the dictionary and the vectors, folders and files of `data`.

    Raises:
        WrongRecord: a sentence that is empty, or without a word that has a vector or a definition; or a wrong entry of
            the dictionary. With `on_error: salvage` they are left out, and the card counts them.
        InputError: pairs without a label, a label in dev or test that train does not have, a broken dictionary or one
            without any of the words, or no vectors.
    """
    pairs, dictionary, vectors = (Path(data) / source for source in (corpus.pairs, corpus.dictionary, corpus.vectors))
    splits = {split: _split(pairs, split, corpus.train if split == "train" else None) for split in SPLITS}
    counts = _token_counts(splits)
    left_out = LeftOut(corpus.on_error)
    entries = _entries(dictionary, sorted(counts), corpus, left_out)
    if not entries:
        raise InputError(f"{dictionary}: no word of {pairs} has a definition there")
    in_definitions = Counter(token for tokens in entries.values() for token in tokens)
    frequency = counts + in_definitions if corpus.counted == "both" else counts
    words = sorted({*counts, *in_definitions}, key=lambda word: (-frequency[word], word))
    matrix, unknown = vectors_of(words, vectors, corpus.known_words, corpus.spread)
    has_none = {word for word, none in zip(words, unknown, strict=True) if none and word not in entries}
    splits = {split: _known(split_pairs, has_none, pairs, split, left_out) for split, split_pairs in splits.items()}
    for split, split_pairs in splits.items():
        check_labels(pairs, split, split_pairs.ids, split_pairs.labels, set(splits["train"].labels))
    columns = {
        "split": [split for split in SPLITS for _ in splits[split].labels],
        "tokens_a": [tokens for split in SPLITS for tokens in splits[split].first],
        "tokens_b": [tokens for split in SPLITS for tokens in splits[split].second],
        "label": [label for split in SPLITS for label in splits[split].labels],
        "pair_id": [name for split in SPLITS for name in splits[split].ids],
        "group": [name for split in SPLITS for name in splits[split].groups],
    }
    with new_folder(folder) as partial:
        pq.write_table(pa.table(columns), partial / "pairs.parquet", compression="zstd")
        pq.write_table(pa.table({"word": words, "unknown": unknown}), partial / "words.parquet", compression="zstd")
        np.save(partial / "vectors.npy", matrix)
        write_definitions(entries, partial / "dictionary.tsv")
        counts_of_pairs, defined = _token_counts(splits), in_definitions.total()
        none = {word for word, is_unknown in zip(words, unknown, strict=True) if is_unknown}
        return write_card(
            partial,
            name=Path(folder).name,
            description="Pairs of sentences with labels, definitions of their words, vectors of the words of both",
            licence="; ".join(
                dict.fromkeys(str(card_or_files(sentence)["licence"]) for sentence in (pairs, dictionary))
            ),
            sources=[{"corpus": card_or_files(sentence)} for sentence in (pairs, dictionary, vectors)],
            parameters=recipe_values(corpus, exclude={"pairs", "dictionary", "vectors"}),
            counts={split: len(split_pairs.labels) for split, split_pairs in splits.items()}
            | {
                "words": len(counts),
                "headwords": len(entries),
                "tokens": counts_of_pairs.total(),
                "tokens_of_definitions": defined,
            }
            | {"unknown_tokens": sum(counts_of_pairs[word] for word in none)}
            | {"unknown_tokens_of_definitions": sum(in_definitions[word] for word in none)}
            | left_out.counts(),
            notes=left_out.notes(),
            tools=("numpy", "pyarrow", "spacy", "scikit-learn"),
        )


def read_data(folder: str | Path) -> Data:
    """Read the folder that `write_data` wrote; InputError where there is none."""
    folder = Path(folder)
    if not (folder / "pairs.parquet").exists():
        raise InputError(f"{folder}: expected pairs.parquet, found none; run `dvc repro` for it")
    rows = pq.read_table(folder / "pairs.parquet").to_pylist()
    pairs = {}
    for split in SPLITS:
        split_rows = [row for row in rows if row["split"] == split]
        pairs[split] = Split(
            *([row[name] for row in split_rows] for name in ("tokens_a", "tokens_b", "label", "pair_id", "group"))
        )
    words = pq.read_table(folder / "words.parquet")
    parameters = read_card(folder)["parameters"]
    return Data(
        pairs,
        read_definitions(folder / "dictionary.tsv", str.split),
        words["word"].to_pylist(),
        np.load(folder / "vectors.npy", allow_pickle=False),
        words["unknown"].to_numpy(),
        parameters["spread"],
        parameters["longest"],
    )


def _token_counts(splits: Mapping[str, Split]) -> Counter[str]:
    return Counter(
        token
        for split in splits.values()
        for side in (split.first, split.second)
        for sentence in side
        for token in sentence
    )


def _known(split: Split, none: Container[str], pairs: Path, name: str, left_out: LeftOut) -> Split:
    """The pairs of a split whose sentences both have a word that is not in `none`; the others are wrong records."""
    rows = []
    for row, (pair, *sentences) in enumerate(zip(split.ids, split.first, split.second, strict=True)):
        with left_out:
            _check_known(sentences, none, pairs, f"{name}, pair or line {pair}")
            rows.append(row)
    return Split(
        [split.first[row] for row in rows],
        [split.second[row] for row in rows],
        [split.labels[row] for row in rows],
        [split.ids[row] for row in rows],
        [split.groups[row] for row in rows],
    )


def _check_known(sentences: Sequence[Sequence[str]], none: Container[str], pairs: Path, pair: str) -> None:
    for position, tokens in zip(("first", "second"), sentences, strict=True):
        if not tokens:
            raise WrongRecord(pairs, pair, f"the {position} sentence is empty")
        if all(token in none for token in tokens):
            reason = f"no word of the {position} sentence has a vector or a definition"
            raise WrongRecord(pairs, pair, f"{reason}: {shown(' '.join(tokens))}", reason)


def _split(pairs: str | Path, split: str, number: int | None) -> Split:
    table = read_pair_corpus(pairs, split)[:number]
    labels, ids = table["label"].to_pylist(), table["pair_id"].to_pylist()
    first, second = (
        [[token.lower() for token in tokens] for tokens in table[name].to_pylist()] for name in ("tokens_a", "tokens_b")
    )
    groups = [group or name for group, name in zip(table["group"].to_pylist(), ids, strict=True)]
    return Split(first, second, labels, ids, groups)


def _entries(dictionary: Path, words: Sequence[str], corpus: Corpus, left_out: LeftOut) -> Dictionary:
    segment = spaced.segmenter(LANGUAGE)

    def tokens(text: str) -> list[str]:
        return [token for token in segment(text)["tokens"] if any(map(str.isalnum, token))]

    if not dictionary.is_dir() and not unpacked_name(dictionary).endswith(".xml"):
        definitions = read_definitions(
            dictionary, tokens, on_error=left_out, encoding=corpus.encoding, head=corpus.head
        )
        return {word: definitions[word][: corpus.longest] for word in words if definitions.get(word)}
    return wordnet_definitions(
        storage.read(dictionary),
        words,
        tokens,
        with_base_forms=corpus.base_forms,
        definitions=corpus.definitions,
        longest=corpus.longest,
        stop_words=ENGLISH_STOP_WORDS if corpus.stop_words else (),
        use=read_sense_use(dictionary) if (dictionary / TAGGED).exists() else None,
    )

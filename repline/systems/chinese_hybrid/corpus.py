"""The corpus that all models are trained on: Chinese words as numbers, sentence by sentence, and the words themselves.

words.npy            int32 [n], the words of all sentences, by their row in the vocabulary
sentences.npy        int64 [s + 1], where each sentence begins and ends; one is at most 1,000 words long
vocabulary.parquet   `word`, `count`, `entity`: whether most of its tags are of names; most frequent first
card.json
"""

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, card_or_files, read_card, write_card
from repline.errors import InputError, count_remedy, in_one_line
from repline.files import new_folder
from repline.systems.chinese_hybrid.settings import Corpus
from repline.vectors.tokens import Tokens

CHINESE = r"^[\x{4e00}-\x{9fff}]+$"  # words of nothing but these characters
MAX_SENTENCE_WORDS = 1000  # words that are one sentence, as in word2vec


class Data(NamedTuple):
    """The corpus of a folder: sentences of word numbers, and the vocabulary.

    Attributes:
        words: int32 [n], of all sentences; a memory map.
        sentences: int64 [s + 1], where each begins and ends.
        names: [V] the words of the vocabulary.
        counts: int64 [V].
        entity: bool [V], whether most tags of a word are of names.
        card: of the folder.
    """

    words: NDArray[np.int32]
    sentences: NDArray[np.int64]
    names: list[str]
    counts: NDArray[np.int64]
    entity: NDArray[np.bool_]
    card: Card


def write_data(folder: str | Path, corpus: Corpus, data: str | Path = "data") -> Card:
    """Number the Chinese words of a corpus that are frequent enough; the others are left out of the sentences.

    Args:
        folder: replaced if it exists; it appears whole or not at all.
        corpus: what is read, a folder of `data`.

    Returns:
        The card.

    Raises:
        InputError: the corpus cannot be read, or has no Chinese word that is frequent enough.
    """
    source = Path(data) / corpus.corpus
    tokens = Tokens(source, lower=False, keep=CHINESE)
    try:
        every, counts = tokens.vocabulary()
    except InputError as error:
        if "no word of" not in str(error):
            raise
        raise InputError(f"{source}: there is no word of Chinese characters alone in it") from None
    drawn = np.random.default_rng(corpus.share_seed)
    tagged = "tag" if corpus.entities and _has_tags(tokens) else None
    numbers, lengths, sentences, total = [], [], 0, 0
    names: dict[int, int] = defaultdict(int)
    for flat, rows, batch in tokens.numbered(every, *([tagged] if tagged else [])):
        stays = flat >= 0
        if corpus.share < 1:
            stays &= np.repeat(drawn.random(len(rows)) < corpus.share, rows)
        numbers.append(flat[stays])
        remaining = np.add.reduceat(
            np.concatenate([stays, [False]]).astype(np.int64), np.concatenate([[0], np.cumsum(rows)[:-1]])
        )
        remaining = np.where(rows > 0, remaining, 0)
        lengths.append(remaining.astype(np.int64))
        sentences += int((remaining > 0).sum())
        total += int(stays.sum())
        if tagged:
            tags = batch.column(tagged).flatten().cast(pa.string())
            is_name = pc.is_in(tags, value_set=pa.array(corpus.entities, pa.string())).to_numpy(zero_copy_only=False)
            for word, often in zip(*np.unique(flat[stays & is_name], return_counts=True), strict=True):
                names[int(word)] += int(often)
    words = np.concatenate(numbers)
    counts = np.bincount(words, minlength=len(every))
    order = np.argsort(-counts, kind="stable")  # of equally frequent words the order of before
    frequent = order[counts[order] >= corpus.minimum_count][: corpus.maximum_words]
    if not len(frequent):
        raise InputError(
            f"{source}: no word of Chinese characters occurs {corpus.minimum_count} times; "
            f"{count_remedy(corpus.minimum_count, 'a larger corpus')}"
        )
    row_of = np.full(len(every), -1, dtype=np.int32)
    row_of[frequent] = np.arange(len(frequent), dtype=np.int32)
    words, offsets = _cut(row_of[words], np.concatenate(lengths))
    entity = [2 * names[word] > int(counts[word]) for word in frequent.tolist()]
    vocabulary = pa.table(
        {"word": [every[word] for word in frequent], "count": counts[frequent], "entity": pa.array(entity, pa.bool_())}
    )
    origin = card_or_files(source)
    with new_folder(folder) as partial:
        np.save(partial / "words.npy", words)
        np.save(partial / "sentences.npy", offsets)
        pq.write_table(vocabulary, partial / "vocabulary.parquet", compression="zstd")
        return write_card(
            partial,
            name=Path(folder).name,
            description=f"The Chinese words of {origin['name']} as numbers",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters=corpus.model_dump(include=set(Corpus.model_fields))
            | {"language": origin.get("parameters", {}).get("language", corpus.language)},
            counts={
                "sentences": sentences,
                "tokens": total,
                "types": int((counts > 0).sum()),
                "words": len(frequent),
                "kept_tokens": len(words),
                "entities": sum(entity),
            },
            tools=["duckdb", "numpy", "pyarrow"],
        )


def read_data(folder: str | Path) -> Data:
    """Read the corpus that `write_data` wrote.

    Raises:
        InputError: the folder is not what `write_data` leaves.
    """
    folder = Path(folder)
    try:
        words = np.load(folder / "words.npy", mmap_mode="c", allow_pickle=False)
        sentences = np.load(folder / "sentences.npy", allow_pickle=False)
        vocabulary = pq.read_table(folder / "vocabulary.parquet")
    except (FileNotFoundError, ValueError, pa.ArrowException) as error:
        raise InputError(
            f"{folder}: this is no corpus of chinese_hybrid ({in_one_line(error)}); run `dvc repro` for it"
        ) from None
    counts, entity = (vocabulary.column(name).to_numpy() for name in ("count", "entity"))
    return Data(words, sentences, vocabulary.column("word").to_pylist(), counts, entity, read_card(folder))


def _has_tags(tokens: Tokens) -> bool:
    return any("tag" in pq.read_schema(path).names for path in tokens.files())


def _cut(words: NDArray[np.int32], lengths: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Drop words that are -1, then empty sentences, and cut long sentences."""
    sentence = np.repeat(np.arange(len(lengths)), lengths)[words >= 0]
    words = words[words >= 0]
    starts = np.flatnonzero(np.diff(sentence, prepend=-1))
    ends = np.append(starts[1:], len(words))
    cuts = [
        np.arange(start, end, MAX_SENTENCE_WORDS) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    return words, np.append(np.concatenate(cuts), len(words)).astype(np.int64)

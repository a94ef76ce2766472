"""The corpus that all models are trained on: Chinese words as numbers, sentence by sentence, and the words themselves.

words.npy            int32 [n], the words of all sentences, by their row in the vocabulary
sentences.npy        int64 [s + 1], where each sentence begins and ends; one is at most 1,000 words long
vocabulary.parquet   `word`, `count`, `entity`: whether most of its tags are of names; most frequent first
card.json
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pydantic import Field

from repline.cards import card_or_files, write_card
from repline.errors import InputError
from repline.files import new_folder
from repline.parameters import Count
from repline.vectors.tokens import Tokens

CHINESE = r"^[\x{4e00}-\x{9fff}]+$"  # words of nothing but these characters
LONGEST = 1000  # words that are one sentence, as in word2vec


def write(
    corpus: str | Path,
    folder: str | Path,
    *,
    minimum_count: Count = 5,
    maximum_words: Count | None = None,
    share: Annotated[float, Field(gt=0, le=1)] = 1.0,
    share_seed: int = 0,
    entities: Sequence[str] = (),
    language: str = "zh",
) -> dict[str, Any]:
    """Number the Chinese words of a corpus that are frequent enough; the others are left out of the sentences.

    Args:
        corpus: a folder of Parquet files with a column of words, and of tags where `entities` are looked for.
        folder: replaced if it exists; it appears whole or not at all.
        minimum_count: rarer words are left out.
        maximum_words: the most frequent ones that are kept; None for all.
        share: of the sentences, drawn at random.
        entities: tags of names; a word most of whose tags are among them is a name. A corpus without tags has none.
        language: for the card, when that of the corpus does not say it.

    Returns:
        The card.

    Raises:
        InputError: the corpus cannot be read, or has no Chinese word that is frequent enough.
    """
    tokens = Tokens(corpus, lower=False, keep=CHINESE)
    try:
        every, counts = tokens.vocabulary()
    except InputError as error:
        if "no word of" not in str(error):
            raise
        raise InputError(f"{corpus}: there is no word of Chinese characters alone in it") from None
    drawn = np.random.default_rng(share_seed)
    tagged = "tag" if entities and _has_tags(tokens) else None
    numbers, lengths, sentences, total = [], [], 0, 0
    names: dict[int, int] = defaultdict(int)
    for flat, rows, batch in tokens.numbered(every, *([tagged] if tagged else [])):
        chosen = np.repeat(drawn.random(len(rows)) < share, rows) & (flat >= 0) if share < 1 else flat >= 0
        numbers.append(flat[chosen])
        kept = np.add.reduceat(
            np.concatenate([chosen, [False]]).astype(np.int64), np.concatenate([[0], np.cumsum(rows)[:-1]])
        )
        kept = np.where(rows > 0, kept, 0)
        lengths.append(kept.astype(np.int64))
        sentences += int((kept > 0).sum())
        total += int(chosen.sum())
        if tagged:
            tags = batch.column(tagged).flatten().cast(pa.string())
            is_name = pc.is_in(tags, value_set=pa.array(entities, pa.string())).to_numpy(zero_copy_only=False)
            for word, often in zip(*np.unique(flat[chosen & is_name], return_counts=True), strict=True):
                names[int(word)] += int(often)
    words, lengths = np.concatenate(numbers), np.concatenate(lengths)
    counts = np.bincount(words, minlength=len(every))
    order = np.argsort(-counts, kind="stable")  # of equally frequent words the order of before
    frequent = order[counts[order] >= minimum_count][:maximum_words]
    if not len(frequent):
        raise InputError(
            f"{corpus}: no word of Chinese characters occurs {minimum_count} times; lower minimum_count, or take a "
            "larger corpus"
        )
    place = np.full(len(every), -1, dtype=np.int32)
    place[frequent] = np.arange(len(frequent), dtype=np.int32)
    words, offsets = _cut(place[words], lengths)
    entity = [2 * names[word] > int(counts[word]) for word in frequent.tolist()]
    vocabulary = pa.table(
        {"word": [every[word] for word in frequent], "count": counts[frequent], "entity": pa.array(entity, pa.bool_())}
    )
    origin = card_or_files(corpus)
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
            parameters={
                "language": origin.get("parameters", {}).get("language", language),
                "minimum_count": minimum_count,
                "maximum_words": maximum_words,
                "share": share,
                "share_seed": share_seed,
                "entities": list(entities),
            },
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


def read(folder: str | Path) -> tuple[NDArray[np.int32], NDArray[np.int64], pa.Table]:
    """The words of all sentences (a memory map), where the sentences begin, and the vocabulary.

    Raises:
        InputError: the folder is not what `write` leaves.
    """
    folder = Path(folder)
    try:
        words = np.load(folder / "words.npy", mmap_mode="c", allow_pickle=False)
        offsets = np.load(folder / "sentences.npy", allow_pickle=False)
        return words, offsets, pq.read_table(folder / "vocabulary.parquet")
    except (FileNotFoundError, ValueError, pa.ArrowException) as error:
        raise InputError(f"{folder}: this is no corpus of chinese_hybrid ({error}); run `dvc repro` for it") from None


def _has_tags(tokens: Tokens) -> bool:
    return any("tag" in pq.read_schema(path).names for path in tokens.files())


def _cut(words: NDArray[np.int32], lengths: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Sentences without the words that are -1, and without those that are empty then; long ones cut."""
    sentence = np.repeat(np.arange(len(lengths)), lengths)[words >= 0]
    words = words[words >= 0]
    starts = np.flatnonzero(np.diff(sentence, prepend=-1))
    ends = np.append(starts[1:], len(words))
    cuts = [np.arange(start, end, LONGEST) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return words, np.append(np.concatenate(cuts), len(words)).astype(np.int64)

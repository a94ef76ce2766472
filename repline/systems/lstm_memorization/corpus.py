"""Sequences whose middle token is to be recalled: six training distributions over one vocabulary, one test set.

    uniform             every token drawn uniformly from the V types
    unigram             the tokens of the text in random order: their frequencies without their order
    5gram, 10gram, ...  the text cut into chunks of 5, 10, ... tokens, and the chunks put in random order
    language            the text as it is

The test is the same for all: tokens drawn uniformly from the rarest types of the text.

    folder/
      types.parquet           word, count, rare; the row is the id
      {distribution}.npy      int32 [T], the same T for all
      test/{n}.npy            int32 [S, n]
      card.json

Source: Liu, Levy, Schwartz, Tan & Smith 2018, section 3.
"""

import hashlib
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, write_card
from repline.errors import InputError, in_one_line
from repline.files import new_folder
from repline.systems.lstm_memorization.settings import CorpusRecipe, chunk_size

TYPES = pa.schema([("word", pa.string()), ("count", pa.int64()), ("rare", pa.bool_())])


def build(
    ids: NDArray[np.integer],
    words: Sequence[str],
    folder: str | Path,
    recipe: CorpusRecipe,
    *,
    distributions: Sequence[str],
    lengths: Sequence[int],
    source: Card | None = None,
) -> Card:
    """Write the training distributions and the test sets into `folder`, all or nothing.

    Args:
        ids: [N], the text.
        words: the word of each id.
        distributions: names as above.
        lengths: n, of the sequences of each test set.
        source: the card of the text's corpus.

    Returns:
        the card.

    Raises:
        InputError: an unknown distribution, fewer types or tokens in the text than asked for, nothing to draw.
    """
    for name in distributions:
        chunk_size(name)
    text, words, counts = most_frequent(ids, words, recipe.types)
    text = text[: recipe.maximum_tokens]
    longest = max(lengths)
    if len(text) < 2 * longest:
        raise InputError(
            f"the text has {len(text):,} tokens of its {len(words):,} types, too few for two sequences of {longest}; "
            "take more text, or shorter sequences"
        )
    rare = rarest(words, counts, recipe.test_types)
    with new_folder(folder) as partial:
        for name in distributions:
            np.save(partial / f"{name}.npy", distribute(text, name, len(words), recipe.seed))
        (partial / "test").mkdir()
        digests = {}
        for length in lengths:
            path = partial / "test" / f"{length}.npy"
            np.save(path, test_set(rare, recipe.test_sequences, length, recipe.seed))
            digests[str(length)] = hashlib.sha256(path.read_bytes()).hexdigest()
        table = pa.table([words, counts, np.isin(np.arange(len(words)), rare)], schema=TYPES)
        pq.write_table(table, partial / "types.parquet", compression="zstd")
        return write_card(
            partial,
            name="Middle tokens",
            description="Token streams of several distributions over one vocabulary, and sequences of its rarest types",
            licence=source.get("licence", "as the text") if source else "as the text",
            sources=[{"corpus": source}] if source else [],
            parameters={
                "distributions": list(distributions),
                "lengths": list(lengths),
                **recipe.model_dump(),
                "test_sha256": digests,
            },
            counts={
                "types": len(words),
                "tokens": len(text),
                "test_sequences": recipe.test_sequences,
                "highest_count_of_a_rare_type": int(counts[rare].max()),
            },
            tools=("numpy", "pyarrow"),
        )


def most_frequent(
    ids: NDArray[np.integer], words: Sequence[str], number: int | None
) -> tuple[NDArray[np.int32], list[str], NDArray[np.int64]]:
    """The text reduced to its most frequent types, numbered again by falling count, ties by string.

    Args:
        ids: [N].
        words: the word of each id.
        number: V; None for all types that occur.

    Returns:
        the remaining tokens [M], the V words, and their V counts.

    Raises:
        InputError: fewer than V types occur.
    """
    counts = np.bincount(ids, minlength=len(words))
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda word: (-counts[word], words[word]))
    if number is not None and len(order) < number:
        raise InputError(
            f"the text has {len(order):,} types, and {number:,} were asked for; ask for fewer, or take more text"
        )
    order = order[:number]
    renumbered = np.full(len(words), -1, dtype=np.int32)
    renumbered[order] = np.arange(len(order), dtype=np.int32)
    text = renumbered[ids]
    return text[text >= 0], [words[word] for word in order], counts[order].astype(np.int64)


def rarest(words: Sequence[str], counts: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """The ids of the rarest types, [number], by rising count, ties by string; InputError if there are not this many."""
    if not 1 <= number <= len(words):
        raise InputError(f"expected a test of 1 to {len(words):,} types, those of the vocabulary, found {number:,}")
    return np.array(sorted(range(len(words)), key=lambda word: (counts[word], words[word]))[:number])


def distribute(text: NDArray[np.int32], name: str, types: int, seed: int) -> NDArray[np.int32]:
    """Tokens [T] in the named distribution, as many as the text has.

    The tokens after the last whole chunk stay at the end.

    Args:
        text: [T], ids in 0..types-1.
        types: V.
    """
    chunk = chunk_size(name)
    generator = np.random.default_rng([seed, zlib.crc32(name.encode())])
    if name == "uniform":
        return generator.integers(types, size=len(text), dtype=np.int32)
    if chunk is None:
        return text.astype(np.int32)
    whole = len(text) // chunk * chunk
    chunks = generator.permutation(text[:whole].reshape(-1, chunk))  # [T / chunk, chunk]
    return np.concatenate([chunks.ravel(), text[whole:]]).astype(np.int32)


def test_set(rare: NDArray[np.integer], sequences: int, length: int, seed: int) -> NDArray[np.int32]:
    """Sequences of tokens drawn uniformly from the types `rare`, [sequences, length]."""
    generator = np.random.default_rng([seed, zlib.crc32(b"test"), length])
    return rare[generator.integers(len(rare), size=(sequences, length))].astype(np.int32)


test_set.__test__ = False  # type: ignore[attr-defined]  # a mark for pytest, which would take it for a test


def starts(tokens: int, length: int, stride: int | None = None) -> NDArray[np.int64]:
    """Where the sequences of a stream of this many tokens begin.

    Args:
        length: n.
        stride: from one to the next; None: n, so that they do not overlap.
    """
    return np.arange(0, tokens - length + 1, stride or length)


def split(
    tokens: int, length: int, *, stride: int | None = None, validation_share: float = 0.1, seed: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the training and the validation sequences of a stream begin.

    The sequences are shuffled, and the last of them are for validation. With a stride below n validation sequences
    share tokens with training sequences, though never at the same places.

    Raises:
        InputError: nothing is left for one of the two.
    """
    shuffled = np.random.default_rng([seed, length]).permutation(starts(tokens, length, stride))
    held_out = round(len(shuffled) * validation_share)
    if not 0 < held_out < len(shuffled):
        raise InputError(
            f"{len(shuffled):,} sequences of {length} tokens leave nothing for training or validation at a share of "
            f"{validation_share:g}; take more text, or shorter sequences"
        )
    return shuffled[:-held_out], shuffled[-held_out:]


def target(length: int) -> int:
    """The 0-based step whose token is to be recalled: n // 2, the middle, or the first after it."""
    return length // 2


def read_stream(folder: str | Path, name: str) -> NDArray[np.int32]:
    """The tokens of one distribution, [T]; InputError if the folder does not have it."""
    return _read(Path(folder) / f"{name}.npy")


def read_test(folder: str | Path, length: int) -> NDArray[np.int32]:
    """The test sequences of one length, [S, n]; InputError if the folder does not have them."""
    return _read(Path(folder) / "test" / f"{length}.npy")


def read_types(folder: str | Path) -> pa.Table:
    """word, count, rare of each id."""
    return pq.read_table(Path(folder) / "types.parquet")


def _read(path: Path) -> NDArray[np.int32]:
    try:
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(
            f"{path}: this array cannot be read ({in_one_line(error)}); run stages/lstm_memorization:prepare"
        ) from None

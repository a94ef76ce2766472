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
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import write_card
from repline.errors import InputError
from repline.files import new_folder

TYPES = pa.schema([("word", pa.string()), ("count", pa.int64()), ("rare", pa.bool_())])


def build(
    ids: NDArray[np.integer],
    words: Sequence[str],
    folder: str | Path,
    *,
    distributions: list[str],
    lengths: Sequence[int],
    types: int | None = 10_000,
    maximum_tokens: int | None = None,
    test_types: int = 100,
    test_sequences: int = 10_000,
    seed: int = 0,
    source: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Write the training distributions and the test sets into `folder`, all or nothing.

    Args:
        ids: [N], the text.
        words: the word of each id.
        distributions: names as above.
        lengths: n, of the sequences of each test set.
        types: V, the most frequent types, which are kept; tokens of others are left out. None: all.
        maximum_tokens: T, so many of the remaining tokens are taken, the first ones; None: all.
        test_types: the rarest of the V types by the counts of the whole text, ties by their string.
        test_sequences: S.
        seed: with a distribution's name or a test set's length it fixes what is drawn.
        source: the card of the text's corpus.

    Returns:
        the card.

    Raises:
        InputError: an unknown distribution, fewer types or tokens in the text than asked for, nothing to draw.
    """
    for name in distributions:
        check_distribution(name)
    text, words, counts = most_frequent(ids, words, types)
    text = text[:maximum_tokens]
    longest = max(lengths)
    if len(text) < 2 * longest:
        raise InputError(
            f"the text has {len(text):,} tokens of its {len(words):,} types, too few for two sequences of {longest}; "
            "take more text, or shorter sequences"
        )
    rare = rarest(words, counts, test_types)
    with new_folder(folder) as partial:
        for name in distributions:
            np.save(partial / f"{name}.npy", distribute(text, name, len(words), seed))
        (partial / "test").mkdir()
        digests = {}
        for length in lengths:
            path = partial / "test" / f"{length}.npy"
            np.save(path, test_set(rare, test_sequences, length, seed))
            digests[str(length)] = hashlib.sha256(path.read_bytes()).hexdigest()
        table = pa.table([words, counts, np.isin(np.arange(len(words)), rare)], schema=TYPES)
        pq.write_table(table, partial / "types.parquet", compression="zstd")
        return write_card(
            partial,
            name="Middle tokens",
            description="Token streams of several distributions over one vocabulary, and sequences of its rarest types",
            licence=(source or {}).get("licence", "as the text"),
            sources=[{"corpus": dict(source)}] if source else [],
            parameters={
                "distributions": list(distributions),
                "lengths": list(lengths),
                "types": types,
                "maximum_tokens": maximum_tokens,
                "test_types": test_types,
                "test_sequences": test_sequences,
                "seed": seed,
                "test_sha256": digests,
            },
            counts={
                "types": len(words),
                "tokens": len(text),
                "test_sequences": test_sequences,
                "highest_count_of_a_rare_type": int(counts[rare].max()),
            },
            tools=("numpy", "pyarrow"),
        )


def most_frequent(
    ids: NDArray[np.integer], words: Sequence[str], number: int | None
) -> tuple[NDArray[np.int32], list[str], NDArray[np.int64]]:
    """The text reduced to its most frequent types, numbered anew by falling count, ties by string.

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
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda one: (-counts[one], words[one]))
    if number is not None and len(order) < number:
        raise InputError(
            f"the text has {len(order):,} types, and {number:,} were asked for; ask for fewer, or take more text"
        )
    order = order[:number]
    renumbered = np.full(len(words), -1, dtype=np.int32)
    renumbered[order] = np.arange(len(order), dtype=np.int32)
    text = renumbered[ids]
    return text[text >= 0], [words[one] for one in order], counts[order].astype(np.int64)


def rarest(words: Sequence[str], counts: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """The ids of the rarest types, [number], by rising count, ties by string; InputError if there are not so many."""
    if not 1 <= number <= len(words):
        raise InputError(f"the test draws from {number:,} types, and the vocabulary has {len(words):,}")
    return np.array(sorted(range(len(words)), key=lambda one: (counts[one], words[one]))[:number])


def check_distribution(name: str) -> int | None:
    """The size of the chunks that a distribution permutes, 1 for unigram, None for uniform and language.

    Raises:
        InputError: no such distribution.
    """
    if name in ("uniform", "language"):
        return None
    match = re.fullmatch(r"([1-9]\d*)gram", name)
    if name != "unigram" and not match:
        raise InputError(f"there is no distribution {name!r}; there are uniform, unigram, 5gram (any number), language")
    return int(match[1]) if match else 1


def distribute(text: NDArray[np.int32], name: str, types: int, seed: int) -> NDArray[np.int32]:
    """As many tokens as the text has, [T], in the distribution of that name.

    The tokens after the last whole chunk stay at the end.

    Args:
        text: [T], ids in 0..types-1.
        types: V.
    """
    chunk = check_distribution(name)
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


test_set.__test__ = False  # pytest: no test


def starts(tokens: int, length: int, stride: int | None = None) -> NDArray[np.int64]:
    """Where the sequences of a stream of so many tokens begin.

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
    found = np.random.default_rng([seed, length]).permutation(starts(tokens, length, stride))
    held_out = round(len(found) * validation_share)
    if not 0 < held_out < len(found):
        raise InputError(
            f"{len(found):,} sequences of {length} tokens leave nothing for training or validation at a share of "
            f"{validation_share:g}; take more text, or shorter sequences"
        )
    return found[:-held_out], found[-held_out:]


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
        raise InputError(f"{path}: this array cannot be read ({error}); run stages/lstm_memorization:prepare") from None

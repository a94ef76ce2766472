"""Split the texts of a corpus into train, dev and test."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from repline.corpora.parallel.multiway import Tokenised
from repline.errors import InputError, shown
from repline.systems.multilingual_seq2seq.settings import PARTS


def part_of(name: str) -> tuple[str, str] | None:
    """The collection (`own`: the corpus itself) and the part that a set belongs to; None where it is no part.

    >>> part_of("test_en_de"), part_of("topics/train"), part_of("news")
    (('own', 'test'), ('topics', 'train'), None)
    """
    collection, slash, rest = name.rpartition("/")
    part = rest.split("_")[0]
    return (collection if slash else "own", part) if part in PARTS else None


def by_origin(
    texts: Sequence[Tokenised], parts: Mapping[str, list[str]], corpus: str | Path
) -> dict[str, list[Tokenised]]:
    """The parts by the origins that each of them names; InputError for a wrong part or an unknown origin.

    Args:
        corpus: where the texts are, for messages.
    """
    origins = sorted({text.origin for text in texts})
    if set(parts) != set(PARTS):
        raise InputError(f"{corpus}: parts should name train, dev and test, found {', '.join(parts)}")
    for name in (name for names in parts.values() for name in names):
        if name not in origins:
            raise InputError(f"{corpus}: no origin {shown(name)}; there are {', '.join(origins)}")
    return {part: [text for text in texts if text.origin in parts[part]] for part in PARTS}


def at_random(
    texts: Sequence[Tokenised], dev: float, test: float, block: int, limit: int | None, rng: np.random.Generator
) -> dict[str, list[Tokenised]]:
    """Parts of whole documents, drawn at random in blocks of `block` consecutive documents.

    Args:
        dev, test: shares of the documents.
        limit: number of documents, drawn at random; None for all.
    """
    documents = list(dict.fromkeys((text.origin, text.document) for text in texts))
    if limit is not None:
        documents = [documents[number] for number in sorted(rng.permutation(len(documents))[:limit].tolist())]
    blocks = -(-len(documents) // block)
    ranks = rng.permutation(blocks) / max(blocks, 1)
    part_of_document = {}
    for number, document in enumerate(documents):
        rank = ranks[number // block]
        part_of_document[document] = "test" if rank < test else "dev" if rank < test + dev else "train"
    split: dict[str, list[Tokenised]] = {part: [] for part in PARTS}
    for text in texts:
        if (text.origin, text.document) in part_of_document:
            split[part_of_document[text.origin, text.document]].append(text)
    return split


def parts_of_test(name: str, texts: Sequence[Tokenised]) -> dict[str, list[Tokenised]]:
    """Texts of a further test by the name of their set: labelled ones by part, others by origin if it has several."""
    origins = list(dict.fromkeys(text.origin for text in texts))
    if set(PARTS) <= set(origins) and all(text.label for text in texts):
        names = {part: f"{name}/{part}" for part in PARTS}
    else:
        texts = [text for text in texts if len(text.texts) > 1]
        names = {origin: name if len(origins) == 1 else f"{name}/{origin}" for origin in origins}
    return {names[origin]: [text for text in texts if text.origin == origin] for origin in origins if origin in names}

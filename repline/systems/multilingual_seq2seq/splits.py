"""Which texts of a corpus are learned from, which ones decide, and which ones test."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from repline.corpora.parallel.multiway import Tokenised
from repline.errors import InputError
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
    found: Sequence[Tokenised], parts: Mapping[str, list[str]], texts: str | Path
) -> dict[str, list[Tokenised]]:
    """The parts by the origins that each of them names; InputError for a wrong part or an unknown origin."""
    known = sorted({one.origin for one in found})
    if set(parts) != set(PARTS):
        raise InputError(f"{texts}: parts should name train, dev and test, found {', '.join(parts)}")
    for name in (name for names in parts.values() for name in names):
        if name not in known:
            raise InputError(f"{texts}: no origin {name!r}; there are {', '.join(known)}")
    return {part: [one for one in found if one.origin in parts[part]] for part in PARTS}


def at_random(
    found: Sequence[Tokenised], dev: float, test: float, block: int, most: int | None, rng: np.random.Generator
) -> dict[str, list[Tokenised]]:
    """Parts of whole documents, drawn in blocks of so many that follow each other; `dev` and `test` are shares.

    Args:
        most: documents; None for all.
    """
    documents = list(dict.fromkeys((one.origin, one.document) for one in found))
    if most is not None:
        documents = [documents[number] for number in sorted(rng.permutation(len(documents))[:most].tolist())]
    blocks = -(-len(documents) // block)
    place = rng.permutation(blocks) / max(blocks, 1)
    part_of = {}
    for number, document in enumerate(documents):
        at = place[number // block]
        part_of[document] = "test" if at < test else "dev" if at < test + dev else "train"
    split: dict[str, list[Tokenised]] = {part: [] for part in PARTS}
    for one in found:
        if (one.origin, one.document) in part_of:
            split[part_of[one.origin, one.document]].append(one)
    return split


def parts_of_test(name: str, texts: Sequence[Tokenised]) -> dict[str, list[Tokenised]]:
    """By the name of the set: labelled texts by part, others by origin where there are several."""
    origins = list(dict.fromkeys(one.origin for one in texts))
    if set(PARTS) <= set(origins) and all(one.label for one in texts):
        names = {part: f"{name}/{part}" for part in PARTS}
    else:
        texts = [one for one in texts if len(one.texts) > 1]
        names = {origin: name if len(origins) == 1 else f"{name}/{origin}" for origin in origins}
    return {names[origin]: [one for one in texts if one.origin == origin] for origin in origins if origin in names}

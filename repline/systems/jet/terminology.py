"""A terminology, the entities that each term may mean, as a folder made of any list of names.

terms.parquet      `term`: tokens with a blank between; `entities`: `list<int32>`, rows of the other table, rising
entities.parquet   `entity`: its identifier; `types`: `list<string>`; `definition`: string; `neighbours`: `list<int32>`,
                   rows of this table, those above and below it in a hierarchy; all three may be empty
card.json
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import Card, write_card
from repline.errors import InputError, in_one_line, shown
from repline.evaluation.nested_measures import Metric
from repline.files import new_folder
from repline.systems.jet.plain_text import plain_text, plain_tokens
from repline.systems.jet.settings import Grouping

ALL_NAMES = Grouping()
ENTITIES = pa.schema(
    [
        ("entity", pa.string()),
        ("types", pa.list_(pa.string())),
        ("definition", pa.string()),
        ("neighbours", pa.list_(pa.int32())),
    ]
)


class Names(NamedTuple):
    """Names as they are written in a source.

    Attributes:
        texts: [p] names as they are written. of: int32 [p] the entity that each may mean, a row of `entities`.
        entities: of `ENTITIES`.
    """

    texts: pa.Array
    of: NDArray[np.int32]
    entities: pa.Table


class Terminology(NamedTuple):
    """Terms and the entities that they may mean.

    Attributes:
        terms: T strings. offsets: int64 [T + 1] and candidates: int32, the entities of term t at
            `candidates[offsets[t] : offsets[t + 1]]`.
        entities: of `ENTITIES`.
    """

    terms: pa.Array
    offsets: NDArray[np.int64]
    candidates: NDArray[np.int32]
    entities: pa.Table


def grouped(
    names: Names, grouping: Grouping = ALL_NAMES
) -> tuple[pa.Array, NDArray[np.int64], NDArray[np.int32], dict[str, int]]:
    """Names as terms, each once, with its entities.

    Args:
        grouping: which names are terms.

    Returns:
        terms (sorted), offsets and candidates as of `Terminology`, and how many names were left out, by why.

    Raises:
        InputError: no name is left.
    """
    plain = plain_text(names.texts)
    coded = plain.dictionary_encode()
    order = pc.sort_indices(coded.dictionary).to_numpy()
    terms = coded.dictionary.take(pa.array(order))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    length = plain_tokens(terms)[1]
    stopped = pc.is_in(terms, value_set=_stop_words(grouping.stop_words)).to_numpy(zero_copy_only=False)
    are_terms = (length > 0) & (length <= grouping.longest) & ~stopped
    left_out = {
        "empty": int((length == 0).sum()),
        "too_long": int((length > grouping.longest).sum()),
        "stop_words": int((stopped & (length > 0)).sum()),
    }
    if not are_terms.any():
        raise InputError(f"expected terms of 1 to {grouping.longest} tokens in the terminology, found none")
    row_of_name = np.where(are_terms, np.cumsum(are_terms) - 1, -1)[rank[coded.indices.to_numpy()]]
    pairs = np.unique((row_of_name[row_of_name >= 0] << 32) | names.of[row_of_name >= 0])
    offsets = np.searchsorted(pairs >> 32, np.arange(int(are_terms.sum()) + 1))
    return terms.filter(pa.array(are_terms)), offsets, (pairs & 0xFFFFFFFF).astype(np.int32), left_out


def write(
    names: Names,
    folder: str | Path,
    grouping: Grouping = ALL_NAMES,
    *,
    origin: Card,
    notes: Sequence[str] = (),
) -> Card:
    """Write a terminology, all or nothing; see `grouped`.

    Args:
        folder: replaced if it exists.
        origin: the card of what the names come from.

    Returns:
        The card.
    """
    terms, offsets, candidates, left_out = grouped(names, grouping)
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(candidates, pa.int32()))
    with new_folder(folder) as partial:
        pq.write_table(pa.table({"term": terms, "entities": lists}), partial / "terms.parquet", compression="zstd")
        pq.write_table(names.entities.cast(ENTITIES), partial / "entities.parquet", compression="zstd")
        return write_card(
            partial,
            name=f"{Path(folder).name}: terminology",
            description="Terms and the entities that each may mean",
            licence=str(origin["licence"]),
            sources=[{"corpus": origin}],
            parameters=grouping.model_dump(include=set(Grouping.model_fields)),
            counts={
                "terms": len(terms),
                "entities": len(np.unique(candidates)),
                "pairs": len(candidates),
                **{f"left_out_{why}": count for why, count in left_out.items()},
            },
            tools=["numpy", "pyarrow", *(["spacy"] if grouping.stop_words else [])],
            notes=notes,
        )


def read(folder: str | Path) -> Terminology:
    """Read the folder that `write` wrote; InputError if it is not there or damaged."""
    folder = Path(folder)
    try:
        terms = pq.read_table(folder / "terms.parquet").combine_chunks()
        entities = pq.read_table(folder / "entities.parquet", schema=ENTITIES)
        lists = terms.column("entities").combine_chunks()
        return Terminology(
            terms.column("term").combine_chunks(),
            lists.offsets.to_numpy().astype(np.int64),
            lists.values.to_numpy().astype(np.int32),
            entities,
        )
    except (FileNotFoundError, KeyError, pa.ArrowException) as error:
        raise InputError(
            f"{folder}: this is no terminology of jet ({in_one_line(error)}); run `dvc repro` for it"
        ) from None


def sizes(terminology: Terminology) -> dict[str, Metric]:
    """Table 1 of the paper: counts of entities and terms, and of those with 1, 2, 3 to 10 and more of the others."""
    entity_sizes = np.bincount(terminology.candidates, minlength=len(terminology.entities))
    entity_sizes, term_sizes = entity_sizes[entity_sizes > 0], np.diff(terminology.offsets)
    return {
        "entities": len(entity_sizes),
        "terms": len(term_sizes),
        "most_terms": int(entity_sizes.max()),
        "most_entities": int(term_sizes.max()),
        "terms_an_entity": _binned(entity_sizes),
        "entities_a_term": _binned(term_sizes),
    }


def _binned(counts: NDArray) -> dict[str, int]:
    edges = {"one": (1, 1), "two": (2, 2), "three_to_ten": (3, 10), "more": (11, np.inf)}
    return {name: int(((counts >= low) & (counts <= high)).sum()) for name, (low, high) in edges.items()}


def _stop_words(language: str | None) -> pa.Array:
    if language is None:
        return pa.array([], pa.string())
    import spacy  # two seconds of imports

    try:
        words = sorted(spacy.blank(language).Defaults.stop_words)
    except ImportError:
        raise InputError(f"stop_words: spaCy knows no language {shown(language)}; it is a code like en") from None
    return plain_text(pa.array(words, pa.string()))

"""Triplets of sentences and captions as a corpus, and how many of them are true of a scene.

`part-*.parquet` has a row for each sentence: `doc_id, sentence_id, tokens` and `stated`, the triplets that it states.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypedDict

import pyarrow as pa

from repline.cards import Card, card_or_files, write_card
from repline.corpora.annotation import annotated, tools_of
from repline.corpora.language_modeling.text_sources import read_sentences
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.corpora.scenes.inferred_relations import inferred_next_to
from repline.corpora.scenes.scene import RELATIONS, SceneSentence, Triplet, name_of
from repline.corpora.scenes.scene_corpus import TRIPLETS
from repline.corpora.scenes.triplet_extraction import stated_triplets
from repline.corpora.segmented_text import text_files
from repline.errors import InputError
from repline.files import new_folder
from repline.parameters import Json
from repline.reading.text_files import numbered_lines

SCHEMA = sentence_schema().append(pa.field("stated", TRIPLETS))
PARSED = ("lemma", "tag", "head", "dep")
BATCH = 1024  # sentences


def write_stated(source: str | Path, folder: str | Path, *, progress: Callable[[int, int], None] | None = None) -> Card:
    """Write `folder`: the triplets that English sentences or captions state.

    Args:
        source: one of
            - a text file, or a folder of `*.txt` and `*.txt.gz`: a sentence or a caption a line, a document each;
            - a corpus, `part-*.parquet`, or a treebank, `*.conllu`; its `lemma, tag, head, dep` are taken where
              every word has them, else spaCy parses its words.
        folder: replaces what was there; it appears whole or not at all.
        progress: called with the sentences and the triplets so far.

    Returns:
        the card.

    Raises:
        InputError: the source cannot be read, or has no sentence.
    """
    counts: Counter[str] = Counter()
    with new_folder(folder) as partial:
        with PartWriter(partial, SCHEMA) as writer:
            for rows in _batches(Path(source)):
                for row in rows:
                    counts.update(triplet["relation"] for triplet in row["stated"])
                writer.write(pa.Table.from_pylist(rows, SCHEMA))
                if progress:
                    progress(writer.rows, counts.total())
        if not writer.rows:
            raise InputError(f"{source}: there is no sentence in it")
        origin = card_or_files(source)
        return write_card(
            partial,
            name=f"{origin['name']}: triplets",
            description=f"{origin.get('description', origin['name'])}; the triplets that its sentences state",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters={},
            counts={"sentences": writer.rows, "triplets": counts.total()}
            | {f"triplets_{kind}": counts[kind] for kind in RELATIONS},
            tools=["pyarrow", *tools_of("en")],
        )


def stated_in(texts: Sequence[str]) -> list[list[Triplet]]:
    """The triplets that each text states, by spaCy's parse."""
    return [
        [stated.triplet for sentence in sentences for stated in stated_triplets(*(sentence[name] for name in PARSED))]
        for sentences in annotated(texts, "en", entities=False)
    ]


class AnnotatedRow(TypedDict):
    """A sentence of a corpus, whose annotations are there or not."""

    doc_id: str
    sentence_id: int
    tokens: list[str]
    lemma: list[str] | None
    tag: list[str] | None
    head: list[int] | None
    dep: list[str] | None


class StatedRow(TypedDict):
    """A sentence and the triplets that it states, as SCHEMA has them."""

    doc_id: str
    sentence_id: int
    tokens: list[str]
    stated: list[dict[str, str]]


class Shares(TypedDict):
    """How many triplets were found, and the shares of `extraction_scores`."""

    found: int
    precision: float | None
    recall: float | None


def extraction_scores(sentences: Sequence[SceneSentence]) -> dict[str, Json]:
    """Precision and recall of the triplets extracted from complete sentences, compared with their scenes.

    Names count, not numbers: mug for mug_1. Next to each other are also things at the same place, in either order.

    Returns:
        `precision`: of the triplets found, the share that is true of the scene; `recall`: of the scene's triplets
        between what the words of a sentence refer to, the share that is found; `found`, how many; and the same for
        each type of relation under its name. A share of nothing is None.
    """
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in RELATIONS}
    for sentence, stated in zip(sentences, stated_in([triplet.text for triplet in sentences]), strict=True):
        true = _named([*sentence.triplets, *inferred_next_to(sentence.triplets)])
        distinct = set(stated)
        for triplet in distinct:
            counts[triplet.relation].update(found=1, right=triplet in true)
        meant = {item for word in sentence.words for item in word.references}
        for triplet in sentence.triplets:
            if triplet.argument in meant and triplet.predicate in meant:
                counts[triplet.relation].update(wanted=1, hit=bool(_named([triplet]) & distinct))
    return {**_shares(sum(counts.values(), Counter())), **{kind: _shares(counts[kind]) for kind in RELATIONS}}


def _named(triplets: Sequence[Triplet]) -> set[Triplet]:
    named = {
        Triplet(name_of(triplet.argument).lower(), triplet.relation, name_of(triplet.predicate).lower())
        for triplet in triplets
    }
    return named | {
        Triplet(triplet.predicate, "NextTo", triplet.argument) for triplet in named if triplet.relation == "NextTo"
    }


def _shares(counted: Counter[str]) -> dict[str, float | None]:
    return {
        "found": counted["found"],
        "precision": counted["right"] / counted["found"] if counted["found"] else None,
        "recall": counted["hit"] / counted["wanted"] if counted["wanted"] else None,
    }


def _batches(source: Path) -> Iterator[list[StatedRow]]:
    if source.is_dir() and (any(source.glob("part-*.parquet")) or any(source.glob("*.conllu*"))):
        for _, batch in read_sentences(source).batches():
            for start in range(0, len(batch), BATCH):
                yield _of_words(batch.slice(start, BATCH).to_pylist())
        return
    for path in text_files(source):
        lines = [(number, line.strip()) for number, line in numbered_lines(path) if line.strip()]
        for start in range(0, len(lines), BATCH):
            yield _of_lines(path.name.split(".")[0], lines[start : start + BATCH])


def _of_words(rows: list[AnnotatedRow]) -> list[StatedRow]:
    parses = [_parse(row) for row in rows]
    whole = [parse for parse in parses if parse is not None]
    if len(whole) == len(rows):
        triplets_by_row = [[stated.triplet for stated in stated_triplets(*parse)] for parse in whole]
    else:
        triplets_by_row = stated_in([" ".join(row["tokens"]) for row in rows])
    return [
        {
            "doc_id": row["doc_id"],
            "sentence_id": row["sentence_id"],
            "tokens": row["tokens"],
            "stated": [triplet._asdict() for triplet in stated],
        }
        for row, stated in zip(rows, triplets_by_row, strict=True)
    ]


def _parse(row: AnnotatedRow) -> tuple[list[str], list[str], list[int], list[str]] | None:
    """Lemmas, tags, heads and relations of a sentence; None where a word lacks one."""
    lemma, tag, head, dep = row.get("lemma"), row.get("tag"), row.get("head"), row.get("dep")
    if lemma is None or tag is None or head is None or dep is None:
        return None
    return None if any(None in column for column in (lemma, tag, head, dep)) else (lemma, tag, head, dep)


def _of_lines(document: str, lines: list[tuple[int, str]]) -> list[StatedRow]:
    rows: list[StatedRow] = []
    for (number, _), sentences in zip(lines, annotated([line for _, line in lines], "en", entities=False), strict=True):
        stated = [
            statement.triplet
            for sentence in sentences
            for statement in stated_triplets(*(sentence[name] for name in PARSED))
        ]
        rows.append(
            {
                "doc_id": document,
                "sentence_id": number - 1,
                "tokens": [token for sentence in sentences for token in sentence["tokens"]],
                "stated": [triplet._asdict() for triplet in dict.fromkeys(stated)],
            }
        )
    return rows

"""Scenes as a corpus: Parquet with a row for each sentence, complete or with a gap, and a card.

In addition the columns of an annotated corpus (`doc_id` is the scene, `coarse` the coarse tag of MD-TC):

    split       "" for the sentences of a scene; train-1, test-1, ... for those of the folds that come with the data
    reference   of each word, the items it may mean, joined by //; "" for none
    gap         places, from 0, of the words that are missing; none for complete sentences
    triplets    of the scene: argument, relation, predicate
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypedDict

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, card_or_files, write_card
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.corpora.scenes.recipes import SceneCorpus
from repline.corpora.scenes.scene import Scene, SceneSentence, Triplet, Word
from repline.corpora.scenes.scene_files import read_fold, read_scenes
from repline.corpora.scenes.scene_statistics import scene_statistics
from repline.errors import InputError, in_one_line
from repline.files import new_folder, write_json

TRIPLETS = pa.list_(pa.struct([(name, pa.string()) for name in Triplet._fields]))
SCHEMA = pa.schema(
    [
        *sentence_schema(("lemma", "tag", "head", "dep")),
        ("coarse", pa.list_(pa.string())),
        ("split", pa.string()),
        ("reference", pa.list_(pa.string())),
        ("gap", pa.list_(pa.int32())),
        ("triplets", TRIPLETS),
    ]
)
STATISTICS = "statistics.json"


class SceneRow(TypedDict):
    """A sentence as SCHEMA has it."""

    doc_id: str
    sentence_id: int
    tokens: list[str]
    lemma: list[str]
    tag: list[str]
    head: list[int]
    dep: list[str]
    coarse: list[str]
    split: str
    reference: list[str]
    gap: list[int]
    triplets: list[dict[str, str]]


def write_scene_corpus(folder: str | Path, corpus: SceneCorpus, data: str | Path = "data") -> Card:
    """Write `folder`: `part-*.parquet`, `statistics.json` and a card.

    Args:
        folder: replaces what was there; it appears whole or not at all.
        corpus: a folder of `data`, and how it is read.

    Returns:
        the card.

    Raises:
        InputError: the source cannot be read; the message names file and line.
    """
    source, cycles, folds = Path(data) / corpus.source, corpus.cycles, corpus.folds
    scenes = read_scenes(source, cycles=cycles)
    parts = [("", sentence) for scene in scenes for sentence in (*scene.sentences, *scene.gapped)]
    by_triplets = {scene.triplets: scene.name for scene in scenes}
    for number in range(1, folds + 1):
        for split, sentences in zip(("train", "test"), read_fold(source, number, cycles=cycles), strict=True):
            for sentence in sentences:
                name = by_triplets.get(sentence.triplets, sentence.scene)
                parts.append((f"{split}-{number}", SceneSentence(sentence.words, sentence.triplets, name)))
    statistics = scene_statistics(scenes)
    with new_folder(folder) as partial:
        write_parts(partial, parts)
        write_json(partial / STATISTICS, statistics)
        origin = card_or_files(source)
        broken = statistics["sentences_with_cycles"]
        return write_card(
            partial,
            name=f"{origin['name']}: scenes",
            description=f"{origin.get('description', origin['name'])}; sentences with trees, references and triplets",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters={"cycles": cycles, "folds": folds},
            counts={key: statistics[key] for key in ("scenes", "sentences", "gapped_sentences", "gaps")}
            | {"triplets": sum(len(scene.triplets) for scene in scenes), "folds": folds},
            notes=[f"the heads of {broken} sentences form a cycle"] if broken else [],
        )


def write_parts(folder: str | Path, parts: Sequence[tuple[str, SceneSentence]]) -> None:
    """Write `part-*.parquet` of pairs of a split and a sentence into an existing folder."""
    with PartWriter(folder, SCHEMA) as writer:
        writer.write(pa.Table.from_pylist(_rows(parts), SCHEMA))


def read_scene_corpus(folder: str | Path) -> dict[str, list[SceneSentence]]:
    """The sentences of a corpus of scenes by their split, in its order.

    Raises:
        InputError: there is no such corpus, or a part is damaged.
    """
    paths = sorted(Path(folder).glob("part-*.parquet"))
    if not paths:
        raise InputError(f"{folder}: expected a corpus of scenes, found no part-*.parquet")
    sentences_by_split: dict[str, list[SceneSentence]] = {}
    for path in paths:
        try:
            names = pq.read_schema(path).names
            if missing := [name for name in SCHEMA.names if name not in names]:
                raise InputError(f"{path}: this is no corpus of scenes, it has no column {', '.join(missing)}")
            rows = pq.read_table(path, columns=SCHEMA.names).to_pylist()
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(
                f"{path}: this is not a readable Parquet file ({in_one_line(error)}); make the corpus again"
            ) from None
        for row in rows:
            sentences_by_split.setdefault(row["split"], []).append(_sentence(row))
    return sentences_by_split


def scenes_of(sentences: Iterable[SceneSentence]) -> list[Scene]:
    """The scenes of sentences, in the order in which they come."""
    by_name: dict[str, list[SceneSentence]] = {}
    for sentence in sentences:
        by_name.setdefault(sentence.scene, []).append(sentence)
    return [
        Scene(
            name,
            scene_sentences[0].triplets,
            tuple(sentence for sentence in scene_sentences if not sentence.gaps),
            tuple(sentence for sentence in scene_sentences if sentence.gaps),
        )
        for name, scene_sentences in by_name.items()
    ]


def _rows(parts: Sequence[tuple[str, SceneSentence]]) -> list[SceneRow]:
    numbers: dict[tuple[str, str], int] = {}
    rows: list[SceneRow] = []
    for split, sentence in parts:
        key = (split, sentence.scene)
        numbers[key] = numbers.get(key, -1) + 1
        rows.append(
            {
                "doc_id": sentence.scene,
                "sentence_id": numbers[key],
                "tokens": [word.form for word in sentence.words],
                "lemma": [word.lemma for word in sentence.words],
                "tag": [word.tag for word in sentence.words],
                "head": [word.head - 1 for word in sentence.words],
                "dep": [word.dep for word in sentence.words],
                "coarse": [word.coarse for word in sentence.words],
                "split": split,
                "reference": ["//".join(word.references) for word in sentence.words],
                "gap": list(sentence.gaps),
                "triplets": [triplet._asdict() for triplet in sentence.triplets],
            }
        )
    return rows


def _sentence(row: SceneRow) -> SceneSentence:
    heads = [head + 1 for head in row["head"]]
    references = [tuple(item for item in joined.split("//") if item) for joined in row["reference"]]
    columns = (row["tokens"], row["lemma"], row["coarse"], row["tag"], heads, row["dep"], references)
    words = tuple(Word(*fields) for fields in zip(*columns, strict=True))
    return SceneSentence(words, tuple(Triplet(**triplet) for triplet in row["triplets"]), row["doc_id"])

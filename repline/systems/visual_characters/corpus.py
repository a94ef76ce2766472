"""The data of all tasks as one folder of Parquet files, and as tensors of character numbers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, card_or_files, write_card
from repline.errors import InputError
from repline.evaluation.word_vectors.benchmark_files import read_pairs as read_scored_pairs
from repline.files import new_folder
from repline.glyphs.bitmaps import Bitmaps
from repline.lexicons.hanzi.cc_cedict import read_cc_cedict
from repline.parameters import JsonObject
from repline.reading.settings import TableReading, recipe_values
from repline.reading.wrong_records import LeftOut
from repline.systems.visual_characters.glosses.dictionary_task import gloss_task
from repline.systems.visual_characters.settings import SentencePairs, Settings, TaggedCorpus, Words
from repline.systems.visual_characters.tagging.tagged_text import Sentence, read_tagged
from repline.systems.visual_characters.translation.translation_pairs import read_pairs, split_pairs


class WordRow(TypedDict):
    """A word with its glosses."""

    word: str
    glosses: list[str]
    split: str


class TaggedRow(TypedDict):
    """The words of a sentence, and the tag of each."""

    tokens: list[str]
    tag: list[str]
    split: str


class PairRow(TypedDict):
    """A Chinese sentence, and the words of its translation."""

    source: str
    target: list[str]
    split: str


class ScoredRow(TypedDict):
    """Two words, and how similar people found them."""

    test: str
    first: str
    second: str
    score: float


Rows = dict[str, list[Any]]  # of a table, by split: `WordRow` of words, `TaggedRow` of tagged, ...
STRING, STRINGS = pa.string(), pa.list_(pa.string())
COLUMNS = {
    "words": {"word": STRING, "glosses": STRINGS, "split": STRING},
    "glosses": {"gloss": STRING},
    "held_out": {"character": STRING},
    "tagged": {"tokens": STRINGS, "tag": STRINGS, "split": STRING},
    "pairs": {"source": STRING, "target": STRINGS, "split": STRING},
    "similarity": {"test": STRING, "first": STRING, "second": STRING, "score": pa.float64()},
}
SCHEMAS = {name: pa.schema(list(columns.items())) for name, columns in COLUMNS.items()}


def split_tagged(sentences: Sequence[Sentence], corpus: TaggedCorpus) -> dict[str, list[Sentence]]:
    """Split sentences in their order: the first are train, then dev, then test, as a text continues across sentences.

    Raises:
        InputError: too few sentences.
    """
    short = [sentence for sentence in sentences if 0 < sum(len(word) for word, _ in sentence) <= corpus.longest]
    if corpus.number is not None and corpus.number < len(short):
        short = [short[row] for row in np.linspace(0, len(short) - 1, corpus.number).astype(int)]
    dev, test = corpus.dev, corpus.test
    first = len(short) - dev - test
    if first < 2:
        raise InputError(f"{len(short)} sentences are too few for {dev} of dev, {test} of test and some to train on")
    return {"train": short[:first], "dev": short[first : first + dev], "test": short[first + dev :]}


def write_words(folder: str | Path, settings: Settings, data: str | Path = "data") -> Card:
    """Words with glosses, pairs of sentences, scored pairs of words: words, pairs, similarity.parquet, and a card.

    Args:
        folder: replaces what was there.
        settings: its `dictionary` is the text of CC-CEDICT, or a folder with it; its `pairs` a file, or a folder with
            one, as `translation_pairs.read_pairs` takes it; its `similarity` a folder of `*.txt` with two words and a
            score a line; one without them gives no test.
        data: the folder that they lie in.

    Returns:
        The card.

    Raises:
        InputError: what the readers say.
    """
    dictionary, pairs, similarity = (
        Path(data) / source for source in (settings.dictionary, settings.pairs, settings.similarity)
    )
    left_out = LeftOut(settings.on_error)
    reading = settings.arguments(left_out)
    scored = {path.stem: read_scored_pairs(path, **reading) for path in sorted(similarity.glob("*.txt"))}
    tables = {
        **gloss_tables(dictionary, settings.words, **reading),
        **pair_tables(pairs, settings.sentence_pairs, **(settings.arguments() if pairs == dictionary else reading)),
    }
    tables["similarity"] = [
        {"test": test, "first": first, "second": second, "score": score}
        for test, (word_pairs, scores) in scored.items()
        for (first, second), score in zip(word_pairs, scores, strict=True)
    ]
    parameters = settings.model_dump(include={"words", "sentence_pairs"}) | settings.reading()
    sources = list(dict.fromkeys([dictionary, pairs, similarity]))
    what = "Chinese words with glosses, pairs of sentences, scored pairs"
    return write_tables(folder, tables, sources, parameters, what, left_out)


def gloss_tables(
    dictionary: Path, words: Words, **reading: Unpack[TableReading]
) -> dict[str, list[WordRow] | list[dict[str, str]]]:
    """The tables words, glosses and held_out of the text of CC-CEDICT, or of a folder with it."""
    task = gloss_task(read_cc_cedict(only_file(dictionary), **reading), words)
    rows: list[WordRow] = [
        {"word": word, "glosses": [task.glosses[row] for row in glosses], "split": split}
        for split, part in task.splits.items()
        for word, glosses in zip(part.words, part.glosses, strict=True)
    ]
    return {
        "words": rows,
        "glosses": [{"gloss": gloss} for gloss in task.glosses],
        "held_out": [{"character": character} for character in task.held_out],
    }


def pair_tables(
    pairs: Path, sentence_pairs: SentencePairs, **reading: Unpack[TableReading]
) -> dict[str, list[PairRow]]:
    """The table pairs of a file, or of a folder with one, as `translation_pairs.read_pairs` takes it."""
    translations = split_pairs(read_pairs(only_file(pairs), **reading), sentence_pairs)
    return {
        "pairs": [
            {"source": pair.source, "target": pair.target, "split": split}
            for split, part in translations.items()
            for pair in part
        ]
    }


def write_tagged(
    folder: str | Path, corpus: TaggedCorpus, data: str | Path = "data", left_out: LeftOut | None = None
) -> Card:
    """Tagged sentences: tagged.parquet and a card.

    Args:
        folder: replaces what was there.
        corpus: its source is a file, or a folder with files, as `read_tagged` takes them; they are read in the order
            of their names.
        data: the folder that the source lies in.
        left_out: an account of wrong lines that the caller reads later.

    Returns:
        The card.

    Raises:
        InputError: there is no file, or what `read_tagged` and `split_tagged` say.
    """
    source = Path(data) / corpus.source
    files = [source] if source.is_file() else sorted(path for path in source.glob("*") if path.name != "card.json")
    if not files:
        raise InputError(f"{source}: expected a file with tagged sentences, or a folder of them")
    left_out = LeftOut.of(left_out or corpus.on_error)
    reading = corpus.arguments(left_out)
    sentences = [sentence for path in files for sentence in read_tagged(path, corpus.tag_letters, **reading)]
    rows = [
        {"tokens": [word for word, _ in sentence], "tag": [tag for _, tag in sentence], "split": name}
        for name, part in split_tagged(sentences, corpus).items()
        for sentence in part
    ]
    parameters = recipe_values(corpus, exclude={"source", "pku_tags"})
    what = "Chinese sentences, segmented and tagged by hand"
    return write_tables(folder, {"tagged": rows}, [source], parameters, what, left_out)


def only_file(path: Path) -> Path:
    """A file, or the one file of a folder apart from its card; InputError if there are none or several."""
    if path.is_file():
        return path
    files = sorted(inside for inside in path.glob("*") if inside.is_file() and inside.name != "card.json")
    if len(files) != 1:
        raise InputError(f"{path}: expected a file, or a folder with one, found {len(files)} files")
    return files[0]


def all_characters(folder: str | Path) -> list[str]:
    """Every character of every corpus in the folder, sorted by code point."""
    characters: set[str] = set()
    for path in Path(folder).rglob("*.parquet"):
        for row in pq.read_table(path).to_pylist():
            characters.update(text_of(path.stem, row))
    return sorted(characters)


def read_rows(folder: str | Path, name: str, bitmaps: Bitmaps | None = None) -> Rows:
    """The rows of a table by their split; with bitmaps, those alone whose characters were all drawn."""
    path = Path(folder) / f"{name}.parquet"
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; prepare the corpus first")
    rows: Rows = {}
    for row in pq.read_table(path).to_pylist():
        if bitmaps is None or bitmaps.rows.keys() >= set(text_of(name, row)):
            rows.setdefault(row.get("split", "all"), []).append(row)
    return rows


def text_of(name: str, row: Any) -> str:
    """The Chinese text of a row of a table."""
    match name:
        case "words":
            return row["word"]
        case "tagged":
            return "".join(row["tokens"])
        case "pairs":
            return row["source"]
        case "similarity":
            return row["first"] + row["second"]
        case _:
            return ""


def write_tables(
    folder: str | Path,
    tables: Mapping[str, list[Any]],
    sources: Sequence[Path],
    parameters: JsonObject,
    what: str,
    left_out: LeftOut,
) -> Card:
    """Write tables of `COLUMNS` by name and a card that says what was left out, all or nothing; returns the card."""
    cards = [card_or_files(source) for source in sources]
    with new_folder(folder) as partial:
        for name, rows in tables.items():
            pq.write_table(pa.Table.from_pylist(rows, SCHEMAS[name]), partial / f"{name}.parquet", compression="zstd")
        return write_card(
            partial,
            name=Path(folder).name,
            description=what,
            licence="; ".join(dict.fromkeys(card["licence"] for card in cards)),
            sources=[{"corpus": card} for card in cards],
            parameters=parameters,
            counts={name: len(rows) for name, rows in tables.items()} | left_out.counts(),
            notes=left_out.notes(),
            tools=["numpy", "pyarrow"],
        )

"""The data of all tasks as one folder of Parquet files, and as tensors of character numbers."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from torch import Tensor

from repline.cards import card_or_files, write_card
from repline.errors import InputError
from repline.evaluation.word_vectors.benchmark_files import read_pairs as read_scored_pairs
from repline.files import new_folder
from repline.glyphs.bitmaps import Bitmaps
from repline.lexicons import cc_cedict
from repline.parameters import Count
from repline.systems.visual_characters.gloss_model import padded
from repline.systems.visual_characters.glosses import gloss_task
from repline.systems.visual_characters.sentence_pairs import read_pairs, split_pairs
from repline.systems.visual_characters.tagged_text import Sentence, read_tagged

STRINGS = pa.list_(pa.string())


def split_tagged(
    sentences: Sequence[Sentence],
    *,
    longest: Count = 60,
    number: Count | None = None,
    dev: Count = 1000,
    test: Count = 1000,
) -> dict[str, list[Sentence]]:
    """The first sentences train, the last ones are dev and test: a text goes on from sentence to sentence.

    Args:
        longest: characters; longer sentences are left out.
        number: of sentences, those spread evenly over the text; None for all.

    Raises:
        InputError: too few sentences.
    """
    kept = [sentence for sentence in sentences if 0 < sum(len(word) for word, _ in sentence) <= longest]
    if number is not None and number < len(kept):
        kept = [kept[row] for row in np.linspace(0, len(kept) - 1, number).astype(int)]
    first = len(kept) - dev - test
    if first < 2:
        raise InputError(f"{len(kept)} sentences are too few for {dev} of dev, {test} of test and some to train on")
    return {"train": kept[:first], "dev": kept[first : first + dev], "test": kept[first + dev :]}


def build(
    folder: str | Path,
    *,
    dictionary: Path,
    tagged: Path,
    pairs: Path,
    similarity: Path | None,
    words: Mapping[str, Any],
    tagging: Mapping[str, Any],
    tag_letters: int | None,
    translation: Mapping[str, Any],
) -> dict[str, Any]:
    """Read and split the data of all tasks; write words, tagged, pairs and similarity.parquet, and a card.

    Args:
        dictionary: the text of CC-CEDICT.
        tagged, pairs: a file, or a folder with one, as `read_tagged` and `read_pairs` take it.
        similarity: a folder of `*.txt` with two words and a score a line; None for none.
        words, tagging, translation: arguments of `gloss_task`, `split_tagged` and `split_pairs`.
        tag_letters: of `read_tagged`.

    Returns:
        The card.

    Raises:
        InputError: what the readers say.
    """
    task = gloss_task(cc_cedict.entries(only_file(dictionary)), **words)
    sentences = split_tagged(read_tagged(only_file(tagged), tag_letters), **tagging)
    translations = split_pairs(read_pairs(only_file(pairs)), **translation)
    tests = sorted(similarity.glob("*.txt")) if similarity else []
    if similarity and not tests:
        raise InputError(f"{similarity}: expected *.txt with two words and a score a line")
    scored = {path.stem: read_scored_pairs(path) for path in tests}
    tables = {
        "words": [
            {"word": word, "glosses": [task.glosses[row] for row in glosses], "split": split}
            for split, part in task.splits.items()
            for word, glosses in zip(part.words, part.glosses, strict=True)
        ],
        "glosses": [{"gloss": gloss} for gloss in task.glosses],
        "held_out": [{"character": character} for character in task.held_out],
        "tagged": [
            {"tokens": [word for word, _ in sentence], "tag": [tag for _, tag in sentence], "split": split}
            for split, part in sentences.items()
            for sentence in part
        ],
        "pairs": [
            {"source": pair.source, "target": pair.target, "split": split}
            for split, part in translations.items()
            for pair in part
        ],
        "similarity": [
            {"test": test, "first": first, "second": second, "score": score}
            for test, (found, scores) in scored.items()
            for (first, second), score in zip(found, scores, strict=True)
        ],
    }
    places = [dictionary, tagged, pairs, *([similarity] if similarity else [])]
    with new_folder(folder) as partial:
        for name, rows in tables.items():
            pq.write_table(_table(name, rows), partial / f"{name}.parquet", compression="zstd")
        return write_card(
            partial,
            name=Path(folder).name,
            description="Chinese words with glosses, tagged sentences, pairs of sentences, and scored pairs of words",
            licence="; ".join(dict.fromkeys(card_or_files(place)["licence"] for place in places)),
            sources=[{"corpus": card_or_files(place)} for place in dict.fromkeys(places)],
            parameters={"words": dict(words), "tagging": dict(tagging), "translation": dict(translation)},
            counts={name: len(rows) for name, rows in tables.items()},
            tools=["numpy", "pyarrow"],
        )


def only_file(place: Path) -> Path:
    """A file, or the one file of a folder besides its card; InputError if there are none or several."""
    if place.is_file():
        return place
    found = sorted(path for path in place.glob("*") if path.is_file() and path.name != "card.json")
    if len(found) != 1:
        raise InputError(f"{place}: expected a file, or a folder with one, found {len(found)} files")
    return found[0]


def all_characters(folder: str | Path) -> list[str]:
    """Every character of every task, sorted by code point."""
    folder = Path(folder)
    found: set[str] = set()
    for name, columns in {"words": ["word"], "pairs": ["source"], "similarity": ["first", "second"]}.items():
        for column in pq.read_table(folder / f"{name}.parquet", columns=columns).columns:
            found.update(*column.to_pylist())
    for tokens in pq.read_table(folder / "tagged.parquet", columns=["tokens"])["tokens"].to_pylist():
        found.update(*tokens)
    return sorted(found)


def read_rows(folder: str | Path, name: str, bitmaps: Bitmaps | None = None) -> dict[str, list[dict[str, Any]]]:
    """The rows of a table by their split; with bitmaps, those alone whose characters were all drawn."""
    path = Path(folder) / f"{name}.parquet"
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; run `python -m stages.visual_characters.prepare`")
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in pq.read_table(path).to_pylist():
        if bitmaps is None or bitmaps.rows.keys() >= set(text_of(name, row)):
            rows.setdefault(row.get("split", "all"), []).append(row)
    return rows


def text_of(name: str, row: Mapping[str, Any]) -> str:
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


def character_ids(texts: Sequence[str], bitmaps: Bitmaps) -> Tensor:
    """Numbers of the characters, from 1 in the order of the bitmaps, 0 behind the end: [N, longest]."""
    return padded([[bitmaps.rows[character] + 1 for character in text] for text in texts], 0)


def character_counts(ids: Tensor, characters: int) -> Tensor:
    """How often each character occurs [n + 1]; row 0 is no character."""
    counts = torch.bincount(ids.flatten(), minlength=characters + 1)
    counts[0] = 0
    return counts


def _table(name: str, rows: list[dict[str, Any]]) -> pa.Table:
    string = pa.string()
    columns = {
        "words": {"word": string, "glosses": STRINGS, "split": string},
        "glosses": {"gloss": string},
        "held_out": {"character": string},
        "tagged": {"tokens": STRINGS, "tag": STRINGS, "split": string},
        "pairs": {"source": string, "target": STRINGS, "split": string},
        "similarity": {"test": string, "first": string, "second": string, "score": pa.float64()},
    }[name]
    return pa.Table.from_pylist(rows, pa.schema(list(columns.items())))

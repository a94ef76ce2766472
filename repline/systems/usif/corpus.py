"""The data that make and test sentence vectors, as one corpus folder: pairs, labelled sentences, word counts."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from repline.cards import Card, write_card
from repline.corpora.labelled.labelled_sentences import read_labelled
from repline.corpora.sentence_pairs.scored_pairs import FORMS, read_pairs, read_stories
from repline.errors import InputError
from repline.files import new_folder
from repline.lexicons.unigrams import read_unigrams
from repline.reading.settings import TableReading
from repline.reading.wrong_records import LeftOut, OnError
from repline.sources.card import raw_files, read_source_card

REFERENCE = pa.schema([("tokens", pa.list_(pa.string()))])


def prepare(
    folder: str | Path,
    words: Callable[[str], list[str]],
    *,
    pairs: str | Path,
    labelled: str | Path,
    unigrams: str | Path,
    on_error: OnError | LeftOut = "stop",
    encoding: str = "utf-8",
) -> Card:
    """Write pairs.parquet, labelled.parquet, unigrams.parquet, reference.parquet and card.json, all or nothing.

    `reference` is other text than the test sentences: the stories of Lee's set, or the sentences of the training part
    of the STS Benchmark; it is empty where there is neither.

    Args:
        folder: replaces what was there.
        words: splits a sentence.
        pairs: a raw folder, see `corpora.sentence_pairs.scored_pairs`; labelled: `labelled_sentences`; unigrams:
            `lexicons.unigrams`.
        on_error: at a wrong line of these; or an account of wrong ones, which the caller reads later.
        encoding: of files without a byte order mark.

    Returns:
        the card.

    Raises:
        InputError: a raw folder that is not there or has nothing of its kind, or a malformed line.
    """
    left_out = LeftOut.of(on_error)
    reading = TableReading(on_error=left_out, encoding=encoding)
    scored = read_pairs(raw_files(pairs), words, **reading)
    classes = read_labelled(raw_files(labelled), words, **reading)
    counts = read_unigrams(_only(raw_files(unigrams), unigrams), **reading)
    if not scored.num_rows:
        raise InputError(f"{pairs}: expected scored pairs, as {FORMS}, found {_names(pairs)}")
    if not classes.num_rows:
        raise InputError(
            f"{labelled}: expected sentences with a class, as "
            "NAME.train.tsv with NAME.dev.tsv and NAME.test.tsv, or another form of stages/usif/README.md; "
            f"found {_names(labelled)}"
        )
    stories = [path for path in raw_files(pairs) if path.name.endswith("_background.cor")]
    if stories:
        reference = [words(story) for path in stories for story in read_stories(path)]
    else:
        training = scored.filter((pc.field("test") == "stsb") & (pc.field("file") == "train"))
        reference = training["tokens_a"].to_pylist() + training["tokens_b"].to_pylist()
    tables = {
        "pairs": scored,
        "labelled": classes,
        "unigrams": counts,
        "reference": pa.table({"tokens": reference}, schema=REFERENCE),
    }
    with new_folder(folder) as partial:
        for name, table in tables.items():
            pq.write_table(table, partial / f"{name}.parquet", compression="zstd")
        sizes = Counter(f"pairs_{test}_{file}" for test, file in zip(*_columns(scored, "test", "file"), strict=True))
        sizes |= Counter(f"{task}_{split}" for task, split in zip(*_columns(classes, "task", "split"), strict=True))
        return write_card(
            partial,
            name=Path(folder).name,
            description="Pairs of sentences with human scores, sentences with a class, and word counts",
            licence="; ".join(dict.fromkeys(read_source_card(raw)["licence"] for raw in (pairs, labelled, unigrams))),
            sources=[
                {"name": file["name"], "sha256": file["sha256"]}
                for raw in (pairs, labelled, unigrams)
                for file in read_source_card(raw)["files"]
            ],
            parameters={"pairs": str(pairs), "labelled": str(labelled), "unigrams": str(unigrams)},
            counts=dict(sorted(sizes.items()))
            | {name: table.num_rows for name, table in tables.items()}
            | left_out.counts(),
            notes=left_out.notes(),
            tools=("pyarrow", "wordfreq"),
        )


def _names(folder: str | Path) -> str:
    return ", ".join(path.name for path in raw_files(folder)[:8]) or "no file"


def _only(files: list[Path], folder: str | Path) -> Path:
    if len(files) != 1:
        raise InputError(f"{folder}: expected one list of word counts, found {len(files)} files")
    return files[0]


def _columns(table: pa.Table, *names: str) -> list[list[str]]:
    return [table[name].to_pylist() for name in names]

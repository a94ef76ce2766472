"""Split the articles of a folder into annotated sentences."""

from collections.abc import Callable, Iterator
from functools import partial as bound
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from repline.cards import Card, read_card, write_card
from repline.corpora.annotation import annotations_of, sentence_rows, tools_of
from repline.corpora.ordered_map import ordered_map, pool
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.errors import InputError, in_one_line
from repline.files import new_folder

GROUP = 60_000  # characters of text that are annotated together, in whole articles: part of the result


def annotate(
    articles: str | Path,
    folder: str | Path,
    *,
    language: str = "en",
    entities: bool = True,
    processes: int = 1,
    executor: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Split and annotate the articles of a Wikipedia dump: `part-*.parquet` with a row per sentence, and a card.

    Args:
        articles: a folder that `repline.corpora.wikipedia.extraction.extract` wrote.
        folder: replaced if it exists; it appears whole or not at all.
        language: of the articles; it decides the columns, see `repline.corpora.annotation.annotated`.
        entities: whether names are recognised: the column `entity`.
        processes: how many share the work, this one included; it does not change the result.
        executor: a `concurrent.futures.Executor` or a Dask client to compute on instead of new processes.
        progress: called with the sentences and the words so far.

    Returns:
        The card.

    Raises:
        InputError: the folder of articles is not finished, is damaged, or gave no sentence.
    """
    source = read_card(articles)
    annotations = annotations_of(language, entities)
    sentences = words = 0
    with (
        new_folder(folder) as partial,
        PartWriter(partial, sentence_schema(annotations, section=True)) as writer,
        pool(processes, executor) as (computing, pending, share),
    ):
        task = bound(sentence_rows, language=language, entities=entities)
        for rows in ordered_map(task, _groups(Path(articles)), computing, pending, share):
            writer.write(rows)
            sentences += len(rows)
            words += len(rows.column("tokens").flatten())
            if progress:
                progress(sentences, words)
        writer.close()
        if not sentences:
            raise InputError(f"{articles}: the articles hold no sentence")
        return write_card(
            partial,
            name=source["name"].partition(":")[0],
            description="Sentences of Wikipedia articles" + (", annotated by spaCy" if annotations else ""),
            licence=source["licence"],
            sources=[{"corpus": source}],
            parameters={"language": language, "entities": "entity" in annotations},
            counts={"documents": source["counts"]["articles"], "sentences": sentences, "tokens": words},
            tools=["pyarrow", *tools_of(language)],
            templates=source.get("templates"),
            notes=source["notes"],
        )


def _groups(folder: Path) -> Iterator[list[tuple[str, list[tuple[str, list[str]]]]]]:
    group: list[tuple[str, list[tuple[str, list[str]]]]] = []
    size = 0
    paths = sorted(folder.glob("part-*.parquet"))
    if not paths:
        raise InputError(f"{folder}: no part-*.parquet in it; run the extract stage again")
    for path in paths:
        try:
            for batch in pq.ParquetFile(path).iter_batches(64, columns=["doc_id", "sections"]):
                for row in batch.to_pylist():
                    sections = [(section["path"], section["paragraphs"]) for section in row["sections"]]
                    group.append((row["doc_id"], sections))
                    size += sum(len(text) for _, texts in sections for text in texts)
                    if size >= GROUP:
                        yield group
                        group, size = [], 0
        except (OSError, ValueError) as error:
            raise InputError(
                f"{path}: this is no readable Parquet file ({in_one_line(error)}); run the extract stage again"
            ) from None
    if group:
        yield group

"""A corpus with the entities of a recogniser: any annotated corpus, a treebank, or raw documents in English."""

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import Card, NamedSource, card_or_files, write_card
from repline.corpora.annotation import annotated, annotations_of, tools_of
from repline.corpora.entities.entity_recognition import EntityRecogniser
from repline.corpora.entities.entity_types import LABELS, TYPES, types_of
from repline.corpora.entities.gazetteers import read
from repline.corpora.entities.recipes import Base, EntityCorpus, RuleSet
from repline.corpora.language_modeling.text_sources import read_sentences
from repline.corpora.ordered_map import ordered_map, pool
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.corpora.segmented_text import GROUP, Lines, groups_of_lines, text_files
from repline.errors import InputError, in_one_line, shown
from repline.files import new_folder
from repline.reading.file_names import files_with

BY_DEFAULT = EntityCorpus()
SENTENCES = 1024  # that are recognised together: part of the result, as annotation's BATCH is
_TAGS = pa.list_(pa.string())
_PARAGRAPH = re.compile(r"\n\s*\n")


def write_entities(
    source: str | Path,
    folder: str | Path,
    corpus: EntityCorpus = BY_DEFAULT,
    *,
    gazetteers: Sequence[str | Path] = (),
    processes: int = 1,
    executor: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Rewrite a corpus, `part-*.parquet`, with the named entities of its sentences in the column `entity`.

    Args:
        source: one of
            - a corpus of sentences, `part-*.parquet` with `doc_id`, `sentence_id`, `tokens`, or a treebank,
              `*.conllu`: its words stay as they are, and so do its other columns;
            - raw documents, `part-*.parquet` with `doc_id` and `text`, paragraphs between empty lines;
            - raw documents, a text file or a folder of `*.txt` and `*.txt.gz`: a document each, a paragraph a line.
            Raw documents are split into sentences and annotated by spaCy, with every column of an annotated corpus.
        folder: replaces what was there; it appears whole or not at all.
        corpus: how its entities are found.
        gazetteers: of `EntityRecogniser`.
        processes: how many share the work, this one included; it does not change the result.
        executor: a `concurrent.futures.Executor` or a Dask client to compute on instead of own processes.
        progress: called with the sentences and the entities so far.

    Returns:
        the card.

    Raises:
        InputError: a source or a gazetteer that cannot be read, a sentence whose entities are not as many as its words,
            or no sentence.
    """
    names = tuple(str(path) for path in gazetteers)
    rules, base, lemmas = tuple(corpus.rules), corpus.base, corpus.lemmas
    schema, items, task = _work(Path(source))
    if task is _of_sentences:
        if base == "given" and "entity" not in schema.names:
            raise InputError(f"{source}: there is no column `entity` for the rules to correct; set base to spacy")
        if lemmas and "lemma" not in schema.names:
            schema = schema.append(pa.field("lemma", _TAGS))
        if "entity" not in schema.names:
            schema = schema.append(pa.field("entity", _TAGS))
        how = (names, rules, base, lemmas)
    else:  # their annotation has spaCy's entities and the lemmas
        how = (names, rules, "given" if base == "spacy" else base, False)
    task = functools.partial(task, how=how, schema=schema)
    numbers: Counter[str] = Counter()  # sentences of each raw document so far
    counts: Counter[str] = Counter()
    for path in names:
        read(path)  # a mistake in it is reported before any work
    with (
        new_folder(folder) as partial,
        PartWriter(partial, schema) as writer,
        pool(processes, executor) as (computing, pending, share),
    ):
        for batch in ordered_map(task, items, computing, pending, share):
            writer.write(_numbered(batch, numbers) if task.func is _of_documents else batch)
            _count(batch, counts)
            if progress:
                progress(writer.rows, counts["entities"])
        writer.close()
        if not writer.rows:
            raise InputError(f"{source}: there is no sentence in it")
        origin = card_or_files(source)
        return write_card(
            partial,
            name=f"{origin['name']}: entities",
            description=f"{origin.get('description', origin['name'])}; with named entities",
            licence=origin["licence"],
            sources=[{"corpus": origin}, *(NamedSource(corpus=card_or_files(path)) for path in names)],
            parameters=corpus.model_dump(include=set(EntityCorpus.model_fields)),
            counts={"sentences": writer.rows}
            | {key: counts[key] for key in ("tokens", "entities", "names")}
            | {f"names_{kind}": counts[f"names_{kind}"] for kind in dict.fromkeys(TYPES.values())},
            tools=["pyarrow", *tools_of("en")],
        )


def _work(source: Path) -> tuple[pa.Schema, Iterator[Any], Callable[..., pa.RecordBatch]]:
    """What there is to do: the columns of the source, its parts in order, and the function of a part."""
    parts = sorted(source.glob("part-*.parquet"))
    raw = [_text_part(path) for path in parts]
    if parts and all(raw):
        return sentence_schema(annotations_of("en")), _groups_of_texts(parts), _of_documents
    if parts or (source.is_dir() and files_with(source, ".conllu")):
        sentences = read_sentences(source)
        schema = sentences.schema
        if "split" not in schema.names and not parts and len(files_with(source, ".conllu")) > 1:
            schema = schema.append(pa.field("split", pa.string()))
        return schema, _groups_of_sentences(source, schema), _of_sentences
    return sentence_schema(annotations_of("en")), groups_of_lines(text_files(source)), _of_documents


def _text_part(path: Path) -> bool:
    try:
        names = pq.read_schema(path).names
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(
            f"{path}: this is not a readable Parquet file ({in_one_line(error)}); make the corpus again"
        ) from None
    return "tokens" not in names and {"doc_id", "text"} <= set(names)


def _groups_of_sentences(source: Path, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    for split, batch in read_sentences(source).batches():
        if split is not None:
            batch = batch.append_column("split", pa.array([split] * len(batch), pa.string()))
        for start in range(0, len(batch), SENTENCES):
            yield batch.slice(start, SENTENCES)


def _groups_of_texts(parts: Sequence[Path]) -> Iterator[Lines]:
    group: Lines = []
    size = 0
    for path in parts:
        for batch in pq.ParquetFile(path).iter_batches(256, columns=["doc_id", "text"]):
            for row in batch.to_pylist():
                paragraphs = (" ".join(part.split()) for part in _PARAGRAPH.split(row["text"] or ""))
                group += [(row["doc_id"], paragraph) for paragraph in paragraphs if paragraph]
                size += len(row["text"] or "")
                if size >= GROUP:
                    yield group
                    group, size = [], 0
    if group:
        yield group


def _of_sentences(batch: pa.RecordBatch, *, how: tuple, schema: pa.Schema) -> pa.RecordBatch:
    """The batch with its columns `entity` and, where asked for, `lemma`."""
    words = [tokens or [] for tokens in batch["tokens"].to_pylist()]
    recogniser = _recogniser(*how)
    tags = _given(batch, words) if recogniser.base == "given" else None
    recognised = recogniser.tag(words, tags)
    columns = {name: batch[name] for name in batch.schema.names} | {"entity": pa.array(recognised.tags, _TAGS)}
    if recognised.lemmas is not None and "lemma" not in batch.schema.names:
        columns["lemma"] = pa.array(recognised.lemmas, _TAGS)
    return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)


def _of_documents(lines: Lines, *, how: tuple, schema: pa.Schema) -> pa.RecordBatch:
    """The sentences of paragraphs with every annotation; `sentence_id` is yet to be given."""
    sentences: list[dict[str, Any]] = []
    for (document, _), paragraph_sentences in zip(lines, annotated([text for _, text in lines], "en"), strict=True):
        sentences += [{"doc_id": document, "sentence_id": 0} | sentence for sentence in paragraph_sentences]
    tags = _recogniser(*how).tag([row["tokens"] for row in sentences], [row["entity"] for row in sentences]).tags
    rows = [row | {"entity": row_tags} for row, row_tags in zip(sentences, tags, strict=True)]
    return pa.RecordBatch.from_pylist(rows, schema)


def _numbered(batch: pa.RecordBatch, numbers: Counter[str]) -> pa.RecordBatch:
    sentence_ids = []
    for document in batch["doc_id"].to_pylist():
        sentence_ids.append(numbers[document])
        numbers[document] += 1
    return batch.set_column(1, batch.schema.field(1), pa.array(sentence_ids, pa.int32()))


def _given(batch: pa.RecordBatch, words: Sequence[Sequence[str]]) -> list[list[str]]:
    tags = batch["entity"].to_pylist()
    for row, (tokens, token_tags) in enumerate(zip(words, tags, strict=True)):
        where = f"document {batch['doc_id'][row]}, sentence {batch['sentence_id'][row]}"
        if token_tags is None or len(tokens) != len(token_tags):
            raise InputError(
                f"{where}: expected an entity tag for each of {len(tokens)} tokens, found {len(token_tags or [])}"
            )
        for tag in token_tags:
            part, _, label = (tag or "").partition("-")
            if tag != "O" and (part not in ("B", "I") or label not in LABELS):
                raise InputError(f"{where}: expected O, or B- or I- and one of {', '.join(LABELS)}, found {shown(tag)}")
    return tags


def _count(batch: pa.RecordBatch, counts: Counter[str]) -> None:
    for tags in batch["entity"].to_pylist():
        counts["tokens"] += len(tags)
        counts["entities"] += sum(tag.startswith("B") for tag in tags)
        for tag in types_of(tags):
            if tag.startswith("B"):
                counts["names"] += 1
                counts[f"names_{tag[2:]}"] += 1


@functools.cache
def _recogniser(gazetteers: tuple[str, ...], rules: tuple[RuleSet, ...], base: Base, lemmas: bool) -> EntityRecogniser:
    """Recogniser of entities, loaded once per process: spaCy and the names take seconds."""
    return EntityRecogniser(gazetteers, rules, base=base, lemmas=lemmas)

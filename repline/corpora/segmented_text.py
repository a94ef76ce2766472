"""Raw lines of any language as a corpus of sentences: normalised, cut into sentences, segmented into words."""

import functools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from repline.cards import Card, card_or_files, write_card
from repline.corpora.annotation import sentence_texts, tools_of
from repline.corpora.ordered_map import ordered_map, pool
from repline.corpora.parquet import PartWriter, sentence_schema
from repline.corpora.recipes import RawText
from repline.errors import InputError
from repline.files import new_folder
from repline.reading.file_names import files_with, unpacked_name
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import checked_lines
from repline.reading.wrong_records import LeftOut, OnError
from repline.segmentation import Segmenter
from repline.segmentation.characters import converter, normalise_widths
from repline.segmentation.languages import segmenter
from repline.segmentation.recipes import Sentences

ENDING = ".txt"
GROUP = 200_000  # characters that are segmented together
Lines = list[tuple[str, str]]  # (document, line)


def segment(
    source: str | Path,
    folder: str | Path,
    text: RawText,
    *,
    processes: int = 1,
    executor: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Card:
    """Segment the lines of text files: `part-*.parquet` with a row per sentence, and a card.

    Args:
        source: a text file, or a folder of `*.txt`, plain or compressed: a paragraph or a sentence a line. A file is a
            document; empty lines do not count.
        folder: replaced if it exists; it appears whole or not at all.
        text: its language, what is a sentence of it, how it is normalised and segmented.
        processes: how many share the work, this one included; it does not change the result.
        executor: a `concurrent.futures.Executor` or a Dask client to compute on instead of own processes.
        progress: called with the sentences and the words so far.

    Returns:
        The card.

    Raises:
        InputError: no text, a broken file (naming the line), or a knob that the segmenter does not have.
    """
    files = text_files(Path(source))
    knobs = json.dumps(text.segmentation)
    try:
        columns = [name for name in _segmenter(text.language, knobs)("") if name != "tokens"]
    except TypeError as error:
        raise InputError(f"segmentation of {text.language}: {error}") from None
    if text.conversion:
        converter(text.conversion)
    schema = sentence_schema(columns)
    task = functools.partial(
        _rows,
        language=text.language,
        sentences=text.sentences,
        widths=text.widths,
        conversion=text.conversion,
        knobs=knobs,
    )
    left_out = LeftOut(text.on_error)
    groups = (
        [(document, clean_text(line, left_out.invisible)) for document, line in lines]
        for lines in groups_of_lines(files, on_error=left_out, encoding=text.encoding)
    )
    words = characters = 0
    numbers: Counter[str] = Counter()  # sentences of each document so far
    with (
        new_folder(folder) as partial,
        PartWriter(partial, schema) as writer,
        pool(processes, executor) as (computing, pending, share),
    ):
        for rows in ordered_map(task, groups, computing, pending, share):
            sentence_ids = []
            for document in rows["doc_id"].to_pylist():
                sentence_ids.append(numbers[document])
                numbers[document] += 1
            writer.write(rows.add_column(1, schema.field("sentence_id"), pa.array(sentence_ids, pa.int32())))
            tokens = rows["tokens"].flatten()
            words += len(tokens)
            characters += pc.sum(pc.utf8_length(tokens)).as_py() or 0
            if progress:
                progress(writer.rows, words)
        writer.close()
        if not writer.rows:
            raise InputError(f"{source}: there is no text in it")
        origin = card_or_files(source)
        parameters = text.model_dump(include=set(RawText.model_fields) - {"on_error", "encoding"})
        parameters |= text.model_dump(include={"on_error", "encoding"}, exclude_defaults=True)
        counts = {"documents": len(numbers), "sentences": writer.rows, "tokens": words, "characters": characters}
        return write_card(
            partial,
            name=Path(folder).name,
            description=f"Sentences of {origin['name']}, segmented into words",
            licence=origin["licence"],
            sources=[{"corpus": origin}],
            parameters=parameters | {"segmentation": {key: str(value) for key, value in text.segmentation.items()}},
            counts=counts | left_out.counts(),
            notes=left_out.notes(),
            tools=["pyarrow", *tools_of(text.language), *(["opencc"] if text.conversion else [])],
        )


def text_files(source: Path) -> list[Path]:
    """A text file, or the `*.txt` of a folder, plain or compressed; InputError where there is none."""
    files = files_with(source, ENDING)
    if not files:
        raise InputError(f"{source}: expected a text file, or a folder with *.txt or *.txt.gz")
    return files


def groups_of_lines(
    files: Sequence[Path], *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Iterator[Lines]:
    """The lines of all files with their documents, in groups of about `GROUP` characters.

    Args:
        on_error: at a line outside the encoding; or an account of them, which the caller reads later.
        encoding: of files without a byte order mark.
    """
    left_out = LeftOut.of(on_error)
    group: Lines = []
    size = 0
    for path in files:
        document = unpacked_name(path).removesuffix(".txt")
        for _, line in checked_lines(path, encoding, left_out.add):
            if not line.strip():
                continue
            group.append((document, line))
            size += len(line)
            if size >= GROUP:
                yield group
                group, size = [], 0
    if group:
        yield group


def _rows(
    lines: Lines, *, language: str, sentences: Sentences, widths: bool, conversion: str | None, knobs: str
) -> pa.RecordBatch:
    """The sentences of a group of lines, without `sentence_id`: Arrow, which travels between processes as it is."""
    segment_words = _segmenter(language, knobs)
    convert = converter(conversion) if conversion else None
    documents: list[str] = []
    texts: list[str] = []
    for document, line in lines:
        text = normalise_widths(line) if widths else line
        text = convert(text) if convert else text
        line_sentences = sentence_texts(text, language) if sentences == "full_stops" else [text]
        texts.extend(line_sentences)
        documents.extend([document] * (len(texts) - len(documents)))
    counts, columns = getattr(segment_words, "together", functools.partial(_one_by_one, segment_words))(texts)
    schema = sentence_schema([name for name in columns if name != "tokens"])
    schema = schema.remove(schema.get_field_index("sentence_id"))
    some = counts > 0
    offsets = pa.array(np.concatenate([[0], np.cumsum(counts[some])]), pa.int32())
    lists = [pa.ListArray.from_arrays(offsets, columns[name]) for name in schema.names[1:]]
    return pa.RecordBatch.from_arrays([pa.array(documents, pa.string()).filter(pa.array(some)), *lists], schema=schema)


def _one_by_one(segment_words: Segmenter, texts: Sequence[str]) -> tuple[NDArray[np.int64], dict[str, pa.Array]]:
    """How many words each text has, and the columns of all words."""
    columns: dict[str, list[str]] = {name: [] for name in segment_words("")}
    counts = []
    for text in texts:
        segmented = segment_words(text)
        counts.append(len(segmented["tokens"]))
        for name, values in segmented.items():
            columns[name].extend(values)
    return np.array(counts, dtype=np.int64), {name: pa.array(values, pa.string()) for name, values in columns.items()}


@functools.cache
def _segmenter(language: str, knobs: str) -> Segmenter:
    """Segmenter of a language, loaded once per process: dictionaries take seconds."""
    return segmenter(language, **json.loads(knobs))

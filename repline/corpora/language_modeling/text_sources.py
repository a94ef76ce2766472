"""Sources of a corpus for language modelling: sentences in Parquet, treebanks, and text in Mikolov's form."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from repline.cards import card_of_source, splitter_of
from repline.errors import InputError, in_one_line, shown
from repline.reading import conllu
from repline.reading.file_names import files_with, unpacked_name
from repline.reading.settings import PART_NAMES
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import checked_lines
from repline.reading.wrong_records import LeftOut, OnError
from repline.segmentation.recipes import BLANKS

SPLITS = ("train", "validation", "test")
BATCH = 8192  # sentences
_SPLIT_NAMES = {name: "validation" if part == "dev" else part for name, part in PART_NAMES.items()}
_PLAIN = pa.schema([("doc_id", pa.string()), ("sentence_id", pa.int32()), ("tokens", pa.list_(pa.string()))])


@dataclass(frozen=True)
class Sentences:
    """The sentences of a source, in its order.

    Args:
        batches: a function that begins to read them, and gives pairs of a split (None: to be decided by document, or
            by the column `split`) and a batch of rows with `schema`.
        schema: `doc_id, sentence_id, tokens`, and whatever annotation there is.
        ready: whether the text is in Mikolov's form already: lower case, `N` for numbers, `<unk>` for rare words, no
            punctuation.
        counts: of what the last reading of raw text left out.
    """

    batches: Callable[[], Iterator[tuple[str | None, pa.RecordBatch]]]
    schema: pa.Schema
    ready: bool = False
    counts: Counter[str] = field(default_factory=Counter)


def read_sentences(source: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> Sentences:
    """Open a folder of sentences.

    Args:
        source: one of
            - an annotated corpus, `part-*.parquet`; with a column `split` (train, validation, test) its split is kept;
            - a treebank, `*.conllu`: files named train, dev and test are its split;
            - text with a sentence a line and words between spaces, `*train.txt`, `*valid.txt` and `*test.txt`, as
              Mikolov et al. prepared the Penn Treebank. A file is one document.
        on_error: at a wrong sentence; or an account of those of the last reading, which the caller reads later.
        encoding: of files without a byte order mark.

    Raises:
        InputError: the folder is none of these, or a file is damaged, lacks columns, or lacks a part of its split.
    """
    source, left_out = Path(source), LeftOut.of(on_error)
    if parts := sorted(source.glob("part-*.parquet")):
        opened = [_opened(path) for path in parts]
        return Sentences(lambda: _parquet_batches(opened), opened[0].schema_arrow)
    if treebank := _files(source, ".conllu"):
        treebank_parts: dict[str | None, list[Path]] = _given(treebank) if len(treebank) > 1 else {None: treebank}
        return Sentences(lambda: _treebank_batches(treebank_parts, left_out, encoding), conllu.SCHEMA)
    if texts := _files(source, ".txt"):
        split, counts = _given(texts), Counter[str]()
        if missing := [name for name in SPLITS if name not in split]:
            raise InputError(f"{source}: expected text for train, valid and test, found none for {missing[0]}")
        return Sentences(lambda: _text_batches(split, counts, left_out, encoding), _PLAIN, ready=True, counts=counts)
    names_there = ", ".join(sorted(path.name for path in source.glob("*"))[:8]) or "nothing"
    raise InputError(
        f"{source}: expected an annotated corpus (part-*.parquet), a treebank (*.conllu), or *train.txt, *valid.txt "
        f"and *test.txt, found {names_there}"
    )


def splitter_of_source(source: str | Path, sentences: Sentences) -> str:
    """What split the words of the sentences that `read_sentences` opened: a name of `segmentation.word_splitters`.

    Text with words between spaces is `blanks`. Of other sources the card says it; where it does not, as of treebanks,
    they are taken for split after the Penn Treebank.
    """
    return BLANKS if sentences.ready else splitter_of(card_of_source(source))


def _opened(path: Path) -> pq.ParquetFile:
    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(
            f"{path}: this is not a readable Parquet file ({in_one_line(error)}); make the corpus again"
        ) from None
    missing = [name for name in _PLAIN.names if name not in file.schema_arrow.names]
    if missing:
        raise InputError(f"{path}: a corpus of sentences needs the column {', '.join(missing)}, which is not there")
    return file


def _parquet_batches(opened: Sequence[pq.ParquetFile]) -> Iterator[tuple[None, pa.RecordBatch]]:
    for file in opened:
        for batch in file.iter_batches(BATCH):
            yield None, batch.replace_schema_metadata(None).cast(opened[0].schema_arrow)


def _treebank_batches(
    split: dict[str | None, list[Path]], left_out: LeftOut, encoding: str
) -> Iterator[tuple[str | None, pa.RecordBatch]]:
    left_out.clear()  # what an earlier reading left out
    for name, paths in split.items():
        for batch in conllu.record_batches(paths, BATCH, on_error=left_out, encoding=encoding):
            yield name, batch


def _text_batches(
    split: dict[str | None, list[Path]], counts: Counter[str], left_out: LeftOut, encoding: str
) -> Iterator[tuple[str | None, pa.RecordBatch]]:
    counts.clear()  # of an earlier reading
    left_out.clear()
    for name, paths in split.items():
        for path in paths:
            rows: list[list[str]] = []
            first = 0
            for _, line in checked_lines(path, encoding, left_out.add):
                if words := clean_text(line, counts).split():
                    rows.append(words)
                if len(rows) == BATCH:
                    yield name, _plain(path, first, rows)
                    first, rows = first + len(rows), []
            if rows:
                yield name, _plain(path, first, rows)


def _plain(path: Path, first: int, rows: list[list[str]]) -> pa.RecordBatch:
    name = unpacked_name(path).removesuffix(".txt")
    numbers = range(first, first + len(rows))
    return pa.RecordBatch.from_pydict({"doc_id": [name] * len(rows), "sentence_id": numbers, "tokens": rows}, _PLAIN)


def _files(source: Path, suffix: str) -> list[Path]:
    return files_with(source, suffix)


def named_parts(path: Path) -> set[str]:
    """The parts (train, validation, test) that words of a file's name say: `ptb.train.txt` is train, `latest.txt` none.

    Words are what stands between full stops, hyphens and underscores.
    """
    words = path.name.lower().replace("-", ".").replace("_", ".").split(".")
    return {_SPLIT_NAMES[word] for word in words if word in _SPLIT_NAMES}


def _given(files: Sequence[Path]) -> dict[str | None, list[Path]]:
    """The files of each part (train, valid, test), told by their names."""
    split: dict[str | None, list[Path]] = {}
    for path in files:
        parts = named_parts(path)
        if len(parts) != 1:
            raise InputError(f"{path}: expected a file name with one of train, valid (or dev) and test in it")
        split.setdefault(parts.pop(), []).append(path)
    return {name: split[name] for name in SPLITS if name in split}


def split_column(batch: pa.RecordBatch) -> list[str] | None:
    """The values of a column `split`, if the batch has one.

    Raises:
        InputError: a value that is none of train, validation and test.
    """
    if "split" not in batch.schema.names:
        return None
    values = batch["split"].to_pylist()
    if unknown := set(values) - set(SPLITS):
        raise InputError(
            f"the column split should be train, validation or test, found {shown(sorted(map(str, unknown))[0])}"
        )
    return values


def token_counts(batch: pa.RecordBatch) -> list[int]:
    """How many tokens each sentence of a batch has."""
    return pc.fill_null(pc.list_value_length(batch["tokens"]), 0).to_pylist()

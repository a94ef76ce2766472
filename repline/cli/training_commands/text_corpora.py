"""A user's text as a corpus for language modelling, and as a folder of files with a card."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import typer

from repline.cards import card_or_files
from repline.cli.training_commands.training_options import counts_of, print_notes
from repline.croissant import CARD
from repline.errors import InputError, readable
from repline.files import write_json
from repline.reading.wrong_records import LeftOut

if TYPE_CHECKING:
    from repline.corpora.language_modeling.corpus import LanguageModelingCorpus

TREEBANK, TEXT = ".conllu", ".txt"
FEWEST = 10  # sentences: with fewer, nothing is left to validate on
HELD_OUT = 10  # one part in ten of every file is its validation, another one its test
BATCH = 8192  # sentences in memory at a time
OF_TEXT = (TREEBANK, TEXT, ".parquet", ".cor", ".zip")  # files that some reader takes for text


def with_card(data: Path, folder: Path) -> Path:
    """A folder of links to a file, or to the files of a folder, with a card; `data` itself where it has one.

    Raises:
        InputError: there is nothing at `data`.
    """
    if not data.exists():
        raise InputError(f"{data}: there is no such file or folder")
    if (data / CARD).exists():
        return data
    folder.mkdir(parents=True)
    for path in [data] if data.is_file() else sorted(path for path in data.iterdir() if path.is_file()):
        (folder / path.name).symlink_to(path.absolute())
    write_json(folder / CARD, card_or_files(data))
    return folder


def write_word_stream(data: Path, folder: Path, left_out: LeftOut, *, chunks: bool = False) -> Path:
    """Write a corpus for language modelling of text, a treebank or an annotated corpus; returns its folder.

    Files named train, valid (or dev) and test are the three parts; such text has words between blanks already. The name
    of a part is a word of its own, as in `ptb.train.txt`. Without them the last tenth of each file is test, and the
    tenth before it validation. Where there are treebanks, texts beside them are left out, which is printed.

    Args:
        data: text (.txt, a sentence or a paragraph a line), CoNLL-U (.conllu), or `part-*.parquet`; a file or a folder.
        folder: for the corpus and what it is made of.
        left_out: what a wrong sentence or line does.
        chunks: whether the corpus has a column of chunks: that of the data, else by rules from its parse, else from a
            parse by spaCy.

    Raises:
        InputError: nothing of these is there, or there are fewer than `FEWEST` sentences.
    """
    from repline.corpora.language_modeling.corpus import build
    from repline.corpora.language_modeling.recipes import StreamCorpus

    source = _with_parts(data, folder / "source", left_out)
    source = _with_chunks(source, folder / "chunks") if chunks else source
    counts_of(build(source, folder / "corpus", StreamCorpus(on_error=left_out.on_error)))
    return folder / "corpus"


def write_sentences(data: Path, folder: Path, left_out: LeftOut, *, apart: bool = False) -> Path:
    """Write the sentences of texts or treebanks as Parquet; other files are linked as they are. Returns their folder.

    Args:
        data: text (.txt, a sentence or a paragraph a line) or CoNLL-U (.conllu), a file or a folder; or other files.
        left_out: what a wrong sentence or line does.
        apart: whether each sentence is a document, so that any of them may be held out; else a file of text is one.

    Raises:
        InputError: there is nothing at `data`, or nothing in it.
    """
    files = _files(data, TREEBANK) or _files(data, TEXT)
    if not files:
        return with_card(data, folder)
    print_passed_over(data, files)
    _write(folder, data, ((batch, None) for path in files for batch in _batches(path, left_out)), apart=apart)
    return folder


def most_frequent_words(folder: Path, vocabulary: int) -> "LanguageModelingCorpus":
    """A corpus with its most frequent words, fewer where it has fewer."""
    from repline.corpora.language_modeling.corpus import LanguageModelingCorpus

    words = len(LanguageModelingCorpus.load(folder))
    return LanguageModelingCorpus.load(folder, min(max(vocabulary, 3), words))


def print_perplexity(out: Path, folder: Path, corpus: "LanguageModelingCorpus") -> None:
    """Print the perplexity on the validation part after the last epoch."""
    import json
    import math

    history = json.loads((folder / "training.json").read_text(encoding="utf-8"))["history"]
    perplexity = math.exp(min(history[-1]["validation_loss"], 700))
    typer.echo(
        f"{out}: {len(corpus):,} words of {len(corpus.ids('train')):,} in train, validation perplexity {perplexity:.1f}"
    )


def print_passed_over(data: Path, read: Sequence[Path]) -> None:
    """Print the names of the files of text in a folder that are left out, as others are read alone."""
    from repline.reading.file_names import files_with, unpacked_name

    others = [path.name for path in files_with(data, *OF_TEXT) if path not in read] if data.is_dir() else []
    if others:
        kind = Path(unpacked_name(read[0])).suffix
        print_notes([f"left out: {readable(', '.join(others))}; where a folder has files {kind}, those alone are read"])


def _with_parts(data: Path, folder: Path, left_out: LeftOut) -> Path:
    from repline.corpora.language_modeling.text_sources import SPLITS, named_parts

    if data.is_dir() and (parts := sorted(data.glob("part-*.parquet"))):
        print_passed_over(data, parts)
        return with_card(data, folder)
    files = _files(data, TREEBANK) or _files(data, TEXT)
    if not files:
        raise InputError(f"{data}: expected a text (.txt), a treebank (.conllu), or a folder of them")
    print_passed_over(data, files)
    parts_of_files = [named_parts(path) for path in files]
    if all({name} in parts_of_files for name in SPLITS):
        return with_card(data, folder)
    if len(files) > 1:
        unnamed = f"the names of the {len(files):,} files do not say train, valid and test"
        print_notes([f"{unnamed}: of each the last tenth is test, and the tenth before it validation"])
    sizes = {path: sum(map(len, _batches(path, left_out))) for path in files}
    left_out.clear()
    if sum(sizes.values()) < FEWEST:
        raise InputError(f"{data}: expected {FEWEST} sentences at least, found {sum(sizes.values())}")
    _write(folder, data, _parts(sizes, left_out))
    return folder


def _with_chunks(source: Path, folder: Path) -> Path:
    from repline.corpora.chunks.chunk_corpus import PARSE, write_chunks
    from repline.corpora.language_modeling.text_sources import read_sentences

    columns = read_sentences(source).schema.names
    if "chunk" in columns:
        return source
    write_chunks(source, folder, parse=not set(PARSE) <= set(columns))
    return folder


def _parts(sizes: Mapping[Path, int], left_out: LeftOut) -> Iterator[tuple[pa.RecordBatch, list[str]]]:
    """Batches of sentences, and the part of each sentence; a file that is too short is train."""
    for path, size in sizes.items():
        held_out = max(size // HELD_OUT, 1) if size >= FEWEST else 0
        number = 0
        for batch in _batches(path, left_out):
            left = [size - number - row for row in range(len(batch))]  # sentences from this one on
            yield (
                batch,
                ["test" if rest <= held_out else "validation" if rest <= 2 * held_out else "train" for rest in left],
            )
            number += len(batch)


def _write(
    folder: Path, data: Path, batches: Iterator[tuple[pa.RecordBatch, list[str] | None]], *, apart: bool = False
) -> None:
    """Write sentences with their parts, if any; `apart` makes each a document."""
    folder.mkdir(parents=True)
    writer: pq.ParquetWriter | None = None
    number = 0
    for batch, parts in batches:
        table = pa.table(batch)
        if apart:
            documents = pa.array([str(number + row) for row in range(len(batch))], pa.string())
            table = table.set_column(0, "doc_id", documents)
        if parts is not None:
            table = table.append_column("split", pa.array(parts, pa.string()))
        number += len(batch)
        writer = writer or pq.ParquetWriter(folder / "part-0.parquet", table.schema, compression="zstd")
        writer.write_table(table)
    if writer is None:
        raise InputError(f"{data}: there is no sentence in it")
    writer.close()
    write_json(folder / CARD, card_or_files(data))


def _files(data: Path, suffix: str) -> list[Path]:
    from repline.reading.file_names import files_with, unpacked_name

    return [path for path in files_with(data, suffix) if unpacked_name(path).endswith(suffix)]


def _batches(path: Path, left_out: LeftOut) -> Iterator[pa.RecordBatch]:
    """The sentences of one treebank or text, in batches."""
    from repline.corpora.parquet import sentence_schema
    from repline.reading import conllu
    from repline.reading.file_names import unpacked_name
    from repline.segmentation import treebank

    if unpacked_name(path).endswith(TREEBANK):
        yield from conllu.record_batches([path], BATCH, on_error=left_out)
        return
    name = unpacked_name(path).removesuffix(TEXT)
    number = 0
    sentences = (words for sentence in _sentences(path, left_out) if (words := treebank.words(sentence)))
    while rows := list(islice(sentences, BATCH)):
        columns = {
            "doc_id": [name] * len(rows),
            "sentence_id": list(range(number, number + len(rows))),
            "tokens": rows,
        }
        yield pa.RecordBatch.from_pydict(columns, sentence_schema())
        number += len(rows)


def _sentences(path: Path, left_out: LeftOut) -> Iterator[str]:
    from repline.reading.text_files import visible_lines
    from repline.use.corpus_spelling import sentences_of

    for _, line in visible_lines(path, "utf-8", left_out):
        yield from sentences_of(line)

"""The extrinsic tasks whose data can be had: chunks and parts of speech, sentiment, classes of questions.

    chunking, pos_tagging   conll2000.zip (CoNLL-2000): a tag for every word
    sentiment               stsa.binary.train, .test (Stanford Sentiment Treebank): a class for every sentence
    questions               TREC.train, TREC.test: one of six classes, the part of the label before its colon

Words are spelt as in the text that the vectors were learnt from: lower case, `N` for numbers, no punctuation.

Source: section 4.3. The paper names the tool (veceval) and six tasks; the other two, named entities and inference, need
data that are on no registry.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from repline.corpora.chunks.chunked_sentences import Chunked, as_running_text, read_chunked
from repline.corpora.labelled.labelled_sentences import read_labelled
from repline.corpora.language_modeling.word_streams import Spelling, column_of_words
from repline.errors import InputError, shown
from repline.reading.text_files import numbered_lines
from repline.systems.hrrlm.settings import TaskName

PAPER_TASKS = 6
SPELLING = Spelling(True, True, True)


class Sentences(NamedTuple):
    """Words of sentences, and their labels: a list of one for each word, or of a single one for the sentence."""

    words: list[list[str]]
    labels: list[list[str]]


def read_task(task: TaskName, source: str | Path) -> tuple[Sentences, Sentences]:
    """The sentences of a task to learn from, and those to test on.

    Raises:
        InputError: the files of the task are not in `source`, or are not as described.
    """
    source = Path(source)
    if not source.is_dir():
        raise InputError(f"{source}: the extrinsic task {task} needs its data here; add the source to acquire.sources")
    return _READERS[task](source)


def _chunks(source: Path) -> tuple[Sentences, Sentences]:
    train, test = (as_running_text(part) for part in read_chunked(source))
    return Sentences(train.tokens, train.chunks), Sentences(test.tokens, test.chunks)


def _tags(source: Path) -> tuple[Sentences, Sentences]:
    parts: list[Chunked] = [as_running_text(part) for part in read_chunked(source)]
    train, test = (Sentences(part.tokens, part.tags) for part in parts)
    return train, test


def _sentiment(source: Path) -> tuple[Sentences, Sentences]:
    table = read_labelled(sorted(source.iterdir()), str.split)
    if not len(table):
        raise InputError(f"{source}: expected stsa.binary.train, .dev and .test, found none of them")
    rows = table.to_pylist()
    parts = [[(row["label"], row["tokens"]) for row in rows if row["split"] == split] for split in ("train", "test")]
    train, test = (_labelled(part) for part in parts)
    return train, test


def _questions(source: Path) -> tuple[Sentences, Sentences]:
    train, test = (_labelled(_question_lines(source / f"TREC.{split}")) for split in ("train", "test"))
    return train, test


def _question_lines(path: Path) -> list[tuple[str, list[str]]]:
    examples = []
    for number, line in numbered_lines(path):
        label, _, question = line.strip().partition(" ")
        kind, colon, _ = label.partition(":")
        if not (kind and colon and question):
            raise InputError(f"{path}, line {number}: expected CLASS:fine and a question, found {shown(line.strip())}")
        examples.append((kind, question.split()))
    return examples


def _labelled(examples: Sequence[tuple[str, list[str]]]) -> Sentences:
    words = [column_of_words(SPELLING, tokens)[0] for _, tokens in examples]
    return Sentences(words, [[label] for label, _ in examples])


_READERS: dict[TaskName, Callable[[Path], tuple[Sentences, Sentences]]] = {
    "chunking": _chunks,
    "pos_tagging": _tags,
    "sentiment": _sentiment,
    "questions": _questions,
}

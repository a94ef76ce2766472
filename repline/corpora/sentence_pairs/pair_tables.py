"""Tables of sentence pairs, a pair a line: SICK, STS Benchmark, MRPC, counterfactual NLI, and your own.

    SICK                with a head: pair_ID, sentence_A, sentence_B, relatedness_score (1 to 5), entailment_judgment
    STS Benchmark       genre, file, year, id, score (0 to 5), sentence, sentence; up to two more fields
    MRPC                with a head: Quality (1 is a paraphrase), #1 ID, #2 ID, #1 String, #2 String
    counterfactual NLI  with a head: sentence1, sentence2, gold_label
    your own            with a head that names sentence1, sentence2 and at least one of label and score, in any order

Fields are parted by tabs. A quotation mark is a character like another, but in counterfactual NLI, where a field may
stand in quotation marks that are doubled within.

Source: Marelli et al. 2014 (SICK); Cer et al. 2017 (STS Benchmark); Dolan, Quirk & Brockett 2004 (MRPC);
Kaushik, Hovy & Lipton 2020 (counterfactual NLI).
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Unpack

from repline.errors import InputError, shown
from repline.reading.settings import TableReading
from repline.reading.table_fields import finite_number, unquoted, unquoted_text
from repline.reading.table_heads import below_head
from repline.reading.text_cleaning import clean_text
from repline.reading.text_files import numbered_lines, visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

ENTAILMENT = ("ENTAILMENT", "NEUTRAL", "CONTRADICTION")  # as SICK writes them
INFERENCE = tuple(label.lower() for label in ENTAILMENT)
PARAPHRASE = ("different", "paraphrase")
STS_FIELDS = 9  # of the STS Benchmark, two of which say where a sentence is from
OWN_COLUMNS = ("sentence1", "sentence2", "label", "score")
GENRES = {  # of the STS Benchmark, which spells one of them in two ways
    "main-captions": "captions",
    "main-forum": "forums",
    "main-forums": "forums",
    "main-news": "news",
}


class SentencePair(NamedTuple):
    """Two sentences and what is known of them.

    Attributes:
        id: distinct within a file.
        first: the premise, where the pair is one of inference.
        second: the hypothesis.
        label: in lower case for inference ("entailment", "neutral", "contradiction"); None where there is none.
        score: how much the two mean the same; None where there is no rating.
        group: of pairs that belong together, such as the answers to one question, or a genre; else "".
    """

    id: str
    first: str
    second: str
    label: str | None = None
    score: float | None = None
    group: str = ""


def read_sick(path: str | Path, **reading: Unpack[TableReading]) -> Iterator[SentencePair]:
    """The pairs of a file of SICK, each with its label and its score.

    Raises:
        InputError: a line with more or fewer fields, an empty sentence, another label, or no score, with its line.
    """

    def pair(number: int, line: str) -> SentencePair:
        name, first, second, score, label = fields(path, number, line, 5)
        label = one_of(path, number, label.strip(), ENTAILMENT).lower()
        return _pair(path, number, SentencePair(name, first, second, label, score_of(path, number, score)))

    return _read(path, pair, "pair_id", **reading)


def read_sts_benchmark(path: str | Path, **reading: Unpack[TableReading]) -> Iterator[SentencePair]:
    """The pairs of a file of the STS Benchmark, each with its score; the group is the genre (captions, forums, news).

    Raises:
        InputError: as `read_sick`.
    """

    def pair(number: int, line: str) -> SentencePair:
        genre, _, _, _, score, first, second = fields(path, number, line, 7, STS_FIELDS)[:7]
        genre = GENRES.get(genre.strip(), genre.strip())
        return _pair(path, number, SentencePair(str(number), first, second, None, score_of(path, number, score), genre))

    return _read(path, pair, "genre", **reading)


def read_mrpc(path: str | Path, **reading: Unpack[TableReading]) -> Iterator[SentencePair]:
    """The pairs of a file of MRPC, with the label "paraphrase" or "different".

    Raises:
        InputError: as `read_sick`.
    """

    def pair(number: int, line: str) -> SentencePair:
        quality, first_id, second_id, first, second = fields(path, number, line, 5)
        label = PARAPHRASE[int(one_of(path, number, quality.strip(), ("0", "1")))]
        return _pair(path, number, SentencePair(f"{first_id}-{second_id}", first, second, label))

    return _read(path, pair, "quality", **reading)


def read_counterfactual(path: str | Path, **reading: Unpack[TableReading]) -> Iterator[SentencePair]:
    """The pairs of a file of counterfactual NLI, each with its label.

    Raises:
        InputError: as `read_sick`.
    """

    def pair(number: int, line: str) -> SentencePair:
        first, second, label = map(unquoted, fields(path, number, line, 3))
        label = one_of(path, number, label.strip(), INFERENCE)
        return _pair(path, number, SentencePair(str(number), first, second, label))

    return _read(path, pair, "sentence1", **reading)


def read_own(path: str | Path, **reading: Unpack[TableReading]) -> Iterator[SentencePair]:
    """The pairs of a table of your own.

    Raises:
        InputError: the head lacks a column or has one twice; or a line as in `read_sick`.
    """
    _, head = next(numbered_lines(path, reading.get("encoding", "utf-8")), (1, ""))
    names = [name.strip() for name in clean_text(head).split("\t")]
    columns = [name for name in names if name in OWN_COLUMNS]
    if not {"sentence1", "sentence2"} <= set(columns) or len(columns) < 3 or len(set(columns)) < len(columns):
        raise InputError(
            f"{path}, line 1: expected a head that names sentence1, sentence2 and label or score, each once and parted "
            f"by tabs, found {shown(head)}"
        )

    def pair(number: int, line: str) -> SentencePair:
        row = dict(zip(names, fields(path, number, line, len(names)), strict=True))
        label = unquoted(row["label"].strip()) if "label" in row else None
        if label == "":
            raise WrongRecord(path, f"line {number}", "the label is empty")
        score = score_of(path, number, row["score"]) if "score" in row else None
        first, second = (unquoted_text(row[name].strip()) for name in ("sentence1", "sentence2"))
        return _pair(path, number, SentencePair(str(number), first, second, label, score))

    return _read(path, pair, names[0].lower(), **reading)


def fields(path: str | Path, number: int, line: str, least: int, largest: int | None = None) -> list[str]:
    """The fields of a line; WrongRecord where it has fewer than `least` or more than `largest` (as many if None)."""
    cells = line.split("\t")
    if not least <= len(cells) <= (largest or least):
        problem = f"expected {least} fields separated by tabs, found {len(cells)}: {shown(line)}"
        raise WrongRecord(path, f"line {number}", problem, f"{len(cells)} fields instead of {least}")
    return cells


def score_of(path: str | Path, number: int, text: str) -> float:
    """A finite number; InputError for anything else."""
    try:
        return finite_number(text)
    except ValueError:
        raise WrongRecord(path, f"line {number}", f"expected a score, found {shown(text)}", "no score") from None


def one_of(path: str | Path, number: int, label: str, labels: Sequence[str]) -> str:
    """A label of a table; WrongRecord where it is none of `labels`."""
    if label not in labels:
        problem = f"expected one of {', '.join(labels)} as the label, found {shown(label)}"
        raise WrongRecord(path, f"line {number}", problem, "another label")
    return label


def _read(
    path: str | Path,
    pair: Callable[[int, str], SentencePair],
    first_column: str,
    *,
    on_error: OnError | LeftOut = "stop",
    encoding: str = "utf-8",
) -> Iterator[SentencePair]:
    """The pairs of the filled lines; the first line is a head where its first field is the name of that column."""
    left_out = LeftOut.of(on_error)
    lines = visible_lines(path, encoding, left_out)

    def is_head(line: str) -> bool:
        return line.split("\t")[0].strip().lower() == first_column

    for number, line in below_head(path, lines, left_out, is_head):
        with left_out:
            yield pair(number, line)


def _pair(path: str | Path, number: int, pair: SentencePair) -> SentencePair:
    pair = pair._replace(first=pair.first.strip(), second=pair.second.strip())
    for side, sentence in (("first", pair.first), ("second", pair.second)):
        if not sentence:
            raise WrongRecord(path, f"line {number}", f"the {side} sentence is empty")
    return pair

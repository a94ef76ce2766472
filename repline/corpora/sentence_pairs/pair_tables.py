"""Tables of sentence pairs, a pair a line: SICK, STS Benchmark, MRPC, counterfactual NLI, and your own.

    SICK                with a head: pair_ID, sentence_A, sentence_B, relatedness_score (1 to 5), entailment_judgment
    STS Benchmark       genre, file, year, id, score (0 to 5), sentence, sentence; more fields are passed over
    MRPC                with a head: Quality (1 is a paraphrase), #1 ID, #2 ID, #1 String, #2 String
    counterfactual NLI  with a head: sentence1, sentence2, gold_label
    your own            with a head that names sentence1, sentence2 and at least one of label and score, in any order

Fields are parted by tabs. A quotation mark is a character like another, but in counterfactual NLI, where a field may
stand in quotation marks that are doubled within.

Source: Marelli et al. 2014 (SICK); Cer et al. 2017 (STS Benchmark); Dolan, Quirk & Brockett 2004 (MRPC);
Kaushik, Hovy & Lipton 2020 (counterfactual NLI).
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from repline.errors import InputError
from repline.text_files import numbered_lines

ENTAILMENT = ("ENTAILMENT", "NEUTRAL", "CONTRADICTION")  # as SICK writes them
INFERENCE = tuple(label.lower() for label in ENTAILMENT)
PARAPHRASE = ("different", "paraphrase")
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
        score: how much the two mean the same; None where nobody rated them.
        group: of pairs that belong together, such as the answers to one question, or a genre; else "".
    """

    id: str
    first: str
    second: str
    label: str | None = None
    score: float | None = None
    group: str = ""


def read_sick(path: str | Path) -> Iterator[SentencePair]:
    """The pairs of a file of SICK, each with its label and its score.

    Raises:
        InputError: a line with too few fields, an empty sentence, another label, or no score, naming file and line.
    """
    for number, line in _body(path):
        name, first, second, score, label = fields(path, number, line, 5)[:5]
        label = one_of(path, number, label.strip(), ENTAILMENT).lower()
        yield _pair(path, number, SentencePair(name, first, second, label, score_of(path, number, score)))


def read_sts_benchmark(path: str | Path) -> Iterator[SentencePair]:
    """The pairs of a file of the STS Benchmark, each with its score; the group is the genre (captions, forums, news).

    Raises:
        InputError: as `read_sick`.
    """
    for number, line in numbered_lines(path):
        genre, _, _, _, score, first, second = fields(path, number, line, 7)[:7]
        genre = GENRES.get(genre.strip(), genre.strip())
        yield _pair(path, number, SentencePair(str(number), first, second, None, score_of(path, number, score), genre))


def read_mrpc(path: str | Path) -> Iterator[SentencePair]:
    """The pairs of a file of MRPC, with the label "paraphrase" or "different".

    Raises:
        InputError: as `read_sick`.
    """
    for number, line in _body(path):
        quality, first_id, second_id, first, second = fields(path, number, line, 5)[:5]
        label = PARAPHRASE[int(one_of(path, number, quality.strip(), ("0", "1")))]
        yield _pair(path, number, SentencePair(f"{first_id}-{second_id}", first, second, label))


def read_counterfactual(path: str | Path) -> Iterator[SentencePair]:
    """The pairs of a file of counterfactual NLI, each with its label.

    Raises:
        InputError: as `read_sick`.
    """
    for number, line in _body(path):
        first, second, label = map(_unquoted, fields(path, number, line, 3)[:3])
        label = one_of(path, number, label.strip(), INFERENCE)
        yield _pair(path, number, SentencePair(str(number), first, second, label))


def read_own(path: str | Path) -> Iterator[SentencePair]:
    """The pairs of a table of your own.

    Raises:
        InputError: the head lacks a column or has one twice; or a line as in `read_sick`.
    """
    lines = numbered_lines(path)
    _, head = next(lines, (1, ""))
    names = [name.strip() for name in head.split("\t")]
    columns = [name for name in names if name in OWN_COLUMNS]
    if not {"sentence1", "sentence2"} <= set(columns) or len(columns) < 3 or len(set(columns)) < len(columns):
        raise InputError(
            f"{path}, line 1: expected a head that names sentence1, sentence2 and label or score, each once and parted "
            f"by tabs, found {head[:80]!r}"
        )
    for number, line in lines:
        if not line.strip():
            continue
        row = dict(zip(names, fields(path, number, line, len(names)), strict=False))
        label = row["label"].strip() if "label" in row else None
        if label == "":
            raise InputError(f"{path}, line {number}: the label is empty")
        score = score_of(path, number, row["score"]) if "score" in row else None
        yield _pair(path, number, SentencePair(str(number), row["sentence1"], row["sentence2"], label, score))


def fields(path: str | Path, number: int, line: str, least: int) -> list[str]:
    """The fields of a line; InputError where it has fewer than `least`."""
    cells = line.split("\t")
    if len(cells) < least:
        raise InputError(f"{path}, line {number}: expected {least} fields separated by tabs, found {line[:80]!r}")
    return cells


def score_of(path: str | Path, number: int, text: str) -> float:
    """A finite number; InputError for anything else."""
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise InputError(f"{path}, line {number}: expected a score, found {text!r}")
    return score


def one_of(path: str | Path, number: int, label: str, labels: Sequence[str]) -> str:
    """The label; InputError where it is not one of those known."""
    if label not in labels:
        raise InputError(f"{path}, line {number}: the label should be one of {', '.join(labels)}, is {label!r}")
    return label


def _body(path: str | Path) -> Iterator[tuple[int, str]]:
    """The filled lines after the head."""
    return ((number, line) for number, line in numbered_lines(path) if number > 1 and line.strip())


def _pair(path: str | Path, number: int, pair: SentencePair) -> SentencePair:
    pair = pair._replace(first=pair.first.strip(), second=pair.second.strip())
    for side, sentence in (("first", pair.first), ("second", pair.second)):
        if not sentence:
            raise InputError(f"{path}, line {number}: the {side} sentence is empty")
    return pair


def _unquoted(field: str) -> str:
    if len(field) > 1 and field.startswith('"') and field.endswith('"'):
        return field[1:-1].replace('""', '"')
    return field

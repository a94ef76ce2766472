"""PPDB, the Paraphrase Database, in its own format: rules with features, and in PPDB 2.0 an entailment relation.

`LHS ||| PHRASE ||| PARAPHRASE ||| FEATURE=VALUE ... ||| ALIGNMENT [||| ENTAILMENT]`, one rule a line. (The lists of
neighbours made of it for retrofitting are read by `repline.lexicons.neighbour_lists`.)
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from repline.corpora.text_files import numbered_lines
from repline.errors import InputError
from repline.lexicons.constraints import Pair, unordered

ENTAILMENTS = ("Equivalence", "ForwardEntailment", "ReverseEntailment", "Exclusion", "OtherRelated", "Independent")


class Paraphrase(NamedTuple):
    """One rule: `category` like "[JJ]", features by name (PPDB2.0Score, ...), `entailment` "" before PPDB 2.0."""

    category: str
    phrase: str
    paraphrase: str
    features: dict[str, float]
    entailment: str


def read_ppdb(path: str | Path) -> Iterator[Paraphrase]:
    """The rules of a PPDB file, plain or `.gz`, one after another.

    Raises:
        InputError: no such file, or a line out of form, naming it.

    Source: Ganitkevitch et al. 2013 (PPDB), Pavlick et al. 2015 (PPDB 2.0).
    """
    for number, line in numbered_lines(path):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split("|||")]
        if len(fields) not in (5, 6) or not all(fields[:3]):
            raise InputError(f"{path}, line {number}: expected 5 or 6 fields between |||, found {line[:60]!r}")
        if len(fields) == 6 and fields[5] not in ENTAILMENTS:
            raise InputError(f"{path}, line {number}: expected one of {', '.join(ENTAILMENTS)}, found {fields[5]!r}")
        features = {}
        for feature in fields[3].split():
            name, _, value = feature.partition("=")
            try:
                features[name] = float(value)
            except ValueError:
                raise InputError(f"{path}, line {number}: expected name=number, found {feature!r}") from None
        yield Paraphrase(fields[0], fields[1], fields[2], features, fields[5] if len(fields) == 6 else "")


def ppdb_pairs(
    path: str | Path,
    entailments: Sequence[str] | None = None,
    *,
    score: str | None = None,
    least: float = 0.0,
) -> list[Pair]:
    """The single-word paraphrases of a PPDB file as unordered pairs, lower-cased.

    Args:
        entailments: which relations count ("Equivalence" for synonyms, "Exclusion" for antonyms); None for any.
        score: name of the feature that `least` bounds from below ("PPDB2.0Score"); None for no bound.

    Raises:
        InputError: a line out of form, a rule without the feature, or no pair left.

    Source: Mrkšić et al. 2016, section 2 (synonyms and antonyms from PPDB).
    """
    for name in entailments or ():
        if name not in ENTAILMENTS:
            raise InputError(f"there is no entailment relation {name!r} in PPDB; it has {', '.join(ENTAILMENTS)}")
    pairs = []
    for rule in read_ppdb(path):
        if " " in rule.phrase or " " in rule.paraphrase or (entailments and rule.entailment not in entailments):
            continue
        if score is not None and score not in rule.features:
            raise InputError(f"{path}: the rule for {rule.phrase!r} has no feature {score}")
        if score is None or rule.features[score] >= least:
            pairs.append((rule.phrase.lower(), rule.paraphrase.lower()))
    if not pairs:
        raise InputError(f"{path}: found no pair of single words of the wanted kind")
    return unordered(pairs)

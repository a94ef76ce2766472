"""Texts with one label each in three parts, and how they are made of documents and kept.

documents.parquet   `doc_id`, `part` (train, dev, test), `label`, `sentences`: lists of words
labels.json         the labels, sorted
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import read_card
from repline.corpora.labelled.collections.labelled_tsv import PARTS
from repline.corpora.labelled.recipes import PartSizes, Size
from repline.corpora.labelled.stratified_split import stratified
from repline.croissant import CARD
from repline.errors import InputError, in_one_line, shown
from repline.files import write_json
from repline.segmentation.recipes import Splitting

Sentences = Sequence[Sequence[str]]
TENTHS = PartSizes()  # dev and test have a tenth of the texts each
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("doc_id", "part", "label")),
        ("sentences", pa.list_(pa.list_(pa.string()))),
    ]
)


class Text(NamedTuple):
    """A document with one label; `part` is empty where the corpus is not split."""

    id: str
    label: str
    sentences: Sentences
    part: str = ""


@dataclass(frozen=True)
class Texts:
    """What the classifiers are trained and tested on.

    Attributes:
        labels: names of the C labels.
        ids, sentences: by part, of each document.
        gold: by part, int64 [N]: the label's place in `labels`.
        splitting: how raw texts became sentences, see `repline.segmentation.document_sentences`; None if not known.
    """

    labels: list[str]
    ids: Mapping[str, list[str]]
    sentences: Mapping[str, list[Sentences]]
    gold: Mapping[str, NDArray[np.int64]]
    splitting: Splitting | None = None

    def words(self, least: int) -> list[str]:
        """The words that occur at least so often in training, most frequent first."""
        counts = Counter(word for text in self.sentences["train"] for sentence in text for word in sentence)
        return sorted(
            (word for word, count in counts.items() if count >= least), key=lambda word: (-counts[word], word)
        )

    def flat(self, part: str) -> list[list[str]]:
        """The words of each document of a part, without sentences."""
        return [[word for sentence in text for word in sentence] for text in self.sentences[part]]


def split_texts(texts: Iterable[Text], split: PartSizes = TENTHS) -> tuple[list[Text], dict[str, int]]:
    """The texts that stay, each with its part, and how many were left out and why.

    No text is in two parts: of several with the same words one stays, that of test before dev before train; where
    their labels differ, none. Parts that a corpus has are kept; `dev` (of train) and `test` are drawn where it lacks
    them, every label with the same share.

    Raises:
        InputError: fewer than two labels are left, or too few documents for the parts.
    """
    by_words: dict[tuple[tuple[str, ...], ...], list[Text]] = defaultdict(list)
    left_out = Counter(empty=0, same_words=0, other_label=0, rare_label=0)
    for text in texts:
        if text.sentences:
            by_words[tuple(map(tuple, text.sentences))].append(text)
        else:
            left_out["empty"] += 1
    texts_once = []
    for same in by_words.values():
        one_label = len({text.label for text in same}) == 1
        left_out["same_words" if one_label else "other_label"] += len(same) - one_label
        if one_label:
            texts_once.append(max(same, key=lambda text: (*PARTS, "").index(text.part) if text.part else -1))
    counts = Counter(text.label for text in texts_once)
    frequent_enough = [text for text in texts_once if counts[text.label] >= split.least]
    left_out["rare_label"] = len(texts_once) - len(frequent_enough)
    if len({text.label for text in frequent_enough}) < 2:
        again = left_out["same_words"] + left_out["other_label"]
        reasons = [f"{again} of equal words"] * bool(again)
        reasons += [f"{left_out['empty']} without a word"] * bool(left_out["empty"])
        after = f" after {' and '.join(reasons)} were left out" if reasons else ""
        raise InputError(
            f"expected two labels or more with at least {split.least} documents each, found "
            f"{shown(dict(counts))}{after}"
        )
    if split.number is not None:
        frequent_enough = _drawn(frequent_enough, split.number, split.seed)
    return _parted(frequent_enough, split.dev, split.test, split.seed), dict(left_out)


def as_texts(texts: Sequence[Text]) -> Texts:
    """Texts that have parts, by part; InputError where a label or a part would have no training document."""
    by_part = {part: [text for text in texts if text.part == part] for part in PARTS}
    labels = sorted({text.label for text in texts})
    if missing := [part for part in PARTS if not by_part[part]]:
        raise InputError(f"expected documents in {', '.join(PARTS)}, found none in {missing[0]}")
    if unseen := set(labels) - {text.label for text in by_part["train"]}:
        raise InputError(f"expected documents of each label in the part train, found none of {shown(min(unseen))}")
    number_of = {label: number for number, label in enumerate(labels)}
    return Texts(
        labels,
        {part: [text.id for text in inside] for part, inside in by_part.items()},
        {part: [text.sentences for text in inside] for part, inside in by_part.items()},
        {
            part: np.array([number_of[text.label] for text in inside], dtype=np.int64)
            for part, inside in by_part.items()
        },
    )


def write_texts(folder: Path, texts: Sequence[Text]) -> Texts:
    """Write both files into a folder that is there."""
    written = as_texts(texts)
    rows = [{"doc_id": text.id, "part": text.part, "label": text.label, "sentences": text.sentences} for text in texts]
    pq.write_table(pa.Table.from_pylist(rows, schema=_SCHEMA), folder / "documents.parquet", compression="zstd")
    write_json(folder / "labels.json", written.labels)
    return written


def read_texts(folder: str | Path) -> Texts:
    """Read them; InputError where they are not there or damaged."""
    folder = Path(folder)
    try:
        labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
        table = pq.read_table(folder / "documents.parquet", columns=_SCHEMA.names)
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: the texts cannot be read ({in_one_line(error)}); make them again") from None
    texts = as_texts([Text(row["doc_id"], row["label"], row["sentences"], row["part"]) for row in table.to_pylist()])
    if texts.labels != labels:
        raise InputError(f"{folder}: labels.json and documents.parquet do not agree; make them again")
    card = read_card(folder) if (folder / CARD).exists() else {"parameters": {}}
    return replace(texts, splitting=card["parameters"].get("splitting"))


def _drawn(texts: list[Text], number: int, seed: int) -> list[Text]:
    """At most `number` of each label, in their order."""
    order = np.random.default_rng([seed, 1]).permutation(len(texts))
    counts: Counter[str] = Counter()
    drawn = set()
    for row in order.tolist():
        counts[texts[row].label] += 1
        if counts[texts[row].label] <= number:
            drawn.add(row)
    return [text for row, text in enumerate(texts) if row in drawn]


def _parted(texts: list[Text], dev: Size, test: Size, seed: int) -> list[Text]:
    there = {text.part for text in texts if text.part}
    sizes = {part: size for part, size in (("test", test), ("dev", dev)) if part not in there}
    free = [row for row, text in enumerate(texts) if text.part in ("", "train")]
    if sizes:
        parts = stratified([texts[row].label for row in free], sizes, "train", seed)
        for row, part in zip(free, parts, strict=True):
            texts[row] = texts[row]._replace(part=part)
    return texts

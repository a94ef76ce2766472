"""What a sentence encoder is judged by: tasks of four kinds, all read into one form.

    classification        a class of a sentence: `repline.corpora.labelled.collections.benchmarks`
    pair_classification   a class of a pair, from [|a - b| ; a * b]: MRPC, SICK-E, pairs with a label
    relatedness           a score of a pair, learnt from [|a - b| ; a * b]: SICK-R, pairs with a score and a split
    similarity            a score of a pair, from the cosine alone: STS 12-16, STS-B, Lee's stories, pairs with a score

A task has parts: `all` alone, or train, (dev,) test; a task of similarity has its files as parts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from repline.evaluation.replication.units import pair_units

Kind = Literal["classification", "pair_classification", "relatedness", "similarity"]


@dataclass(frozen=True)
class Part:
    """Sentences or pairs of sentences, and what is known of them.

    Attributes:
        first: n sentences.
        second: n more where the task is one of pairs, else empty.
        labels: n classes, else empty.
        scores: n numbers, else empty.
        origins: where each sentence or pair stands, for messages: file and line.
    """

    first: Sequence[str]
    second: Sequence[str] = ()
    labels: Sequence[str] = ()
    scores: Sequence[float] = ()
    origins: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.first)

    def units(self) -> NDArray[np.int64]:
        """The independent units of the sentences or pairs, as of `pair_units`; equal sentences are one: [n, 2]."""
        return pair_units(self.first, self.second or self.first)

    def sentences(self) -> dict[str, str]:
        """The distinct sentences, each with the origin of its first occurrence."""
        where_by_sentence: dict[str, str] = {}
        for side in (self.first, self.second):
            for sentence, where in zip(side, self.origins, strict=bool(side)):
                where_by_sentence.setdefault(sentence, where)
        return where_by_sentence


@dataclass(frozen=True)
class Task:
    """One row of the protocol.

    Attributes:
        scale: of the scores of relatedness, whole numbers: (1, 5) for SICK.
        positive: the label that F1 counts, None for accuracy alone.
    """

    name: str
    kind: Kind
    parts: Mapping[str, Part]
    scale: tuple[float, float] = (0.0, 5.0)
    positive: str | None = None

    @property
    def classes(self) -> list[str]:
        """The labels that occur, sorted."""
        return sorted({label for part in self.parts.values() for label in part.labels})

    @property
    def tested(self) -> list[Part]:
        """The parts that are tested: all files of a task of similarity; else one."""
        if self.kind == "similarity":
            return list(self.parts.values())
        return [self.parts["all" if "all" in self.parts else "test"]]

    @property
    def items(self) -> int:
        """How many sentences or pairs are tested."""
        return sum(map(len, self.tested))

    def sentences(self) -> dict[str, str]:
        """The distinct sentences of all parts, each with the origin of its first occurrence."""
        return distinct_sentences(self.parts.values())


def distinct_sentences(of: Iterable[Part | Task]) -> dict[str, str]:
    """The distinct sentences of several tasks or parts in their order, each with the origin of its first occurrence."""
    where_by_sentence: dict[str, str] = {}
    for task in of:
        for sentence, where in task.sentences().items():
            where_by_sentence.setdefault(sentence, where)
    return where_by_sentence

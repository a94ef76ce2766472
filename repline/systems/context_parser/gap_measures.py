"""The six measures of the paper, counted sentence by sentence.

All are percentages over sentences or over words, not means of folds. The measures are those of the paper's Table 3 as
the authors' shipped outputs show them: the coarse part of speech counts, a sentence with two gaps has its first one
filled, the tree is measured without the gap and without punctuation, and a word next to the gap that has alternative
references never counts as right.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from repline.corpora.scenes.scene import SceneSentence, Word, items_of, name_of
from repline.evaluation.evaluations import Metrics

COUNTS = (
    *("sentences", "pos", "fine_pos", "word", "efi", "complete"),
    *("referring", "referring_right", "heads", "heads_right"),
)
MEASURES: Mapping[str, tuple[str, str]] = {  # name: what is counted, among what
    "pos": ("pos", "sentences"),
    "fine_pos": ("fine_pos", "sentences"),
    "word": ("word", "sentences"),
    "efi": ("efi", "sentences"),
    "non_gap": ("referring_right", "referring"),
    "complete": ("complete", "sentences"),
    "uas": ("heads_right", "heads"),
}


@dataclass(frozen=True)
class Prediction:
    """The output of a parser for a sentence: the tag of the gap; references ("" for none) and heads of all words."""

    tag: str
    references: tuple[str, ...]
    heads: tuple[int, ...]


def counts(sentence: SceneSentence, predicted: Prediction) -> NDArray[np.int64]:
    """The COUNTS of one sentence with a gap; of several gaps, the first is the one that was filled."""
    gap = sentence.gaps[0]
    gold = sentence.words[gap]
    filler = predicted.references[gap].lower()
    total = dict.fromkeys(COUNTS, 0)
    total["sentences"] = 1
    total["pos"] = predicted.tag.startswith(gold.coarse)
    total["fine_pos"] = predicted.tag == gold.tag
    total["efi"] = any(filler == reference.lower() for reference in gold.references)
    total["word"] = any(name_of(filler) == name_of(reference.lower()) for reference in gold.references)
    for position, word in enumerate(sentence.words):
        if position != gap and word.references:
            total["referring"] += 1
            total["referring_right"] += refers_right(word, predicted.references[position])
        if position not in sentence.gaps and not is_punctuation(word.form):
            total["heads"] += 1
            total["heads_right"] += predicted.heads[position] == word.head
    total["complete"] = total["efi"] and total["referring_right"] == total["referring"]
    return np.array([int(total[name]) for name in COUNTS])


def refers_right(word: Word, reference: str) -> bool:
    """Whether `reference` is what a word refers to. Next to a gap, no one of several alternatives counts as right."""
    return len(word.references) == 1 and reference == word.references[0]


def gap_measures_in_percent(counted: NDArray[np.int64]) -> dict[str, float]:
    """The measures in percent.

    Args:
        counted: [N, len(COUNTS)], a row for each sentence; of none, all are 0.
    """
    total = dict(zip(COUNTS, counted.sum(axis=0).tolist(), strict=True))
    return {
        name: 100.0 * total[correct] / total[among] if total[among] else 0.0
        for name, (correct, among) in MEASURES.items()
    }


def is_punctuation(form: str) -> bool:
    """Whether a form is punctuation alone."""
    return all(unicodedata.category(letter).startswith("P") for letter in form)


@dataclass(frozen=True)
class Measured:
    """The counts of a corpus, scene by scene, so that scenes can be drawn.

    Attributes:
        counted: by setting, [S, len(COUNTS)].
        gaps: [S].
        right_by_chance: [S], the sums over gaps of the chance that an item of the scene fills them.
    """

    counted: Mapping[str, NDArray[np.int64]]
    gaps: NDArray[np.int64]
    right_by_chance: NDArray[np.float64]

    def of(self, scenes: NDArray[np.int64]) -> Metrics:
        """The measures of every setting, and `chance`, over these scenes, repeated ones among them."""
        scores: Metrics = {name: gap_measures_in_percent(rows[scenes]) for name, rows in self.counted.items()}
        return scores | {"chance": 100.0 * float(self.right_by_chance[scenes].sum() / self.gaps[scenes].sum())}


def measured(sentences: Sequence[SceneSentence], predicted: Mapping[str, Sequence[Prediction | None]]) -> Measured:
    """Count every sentence in every setting, and add up by scene, in the order in which the scenes come.

    Args:
        sentences: with a gap each.
        predicted: by setting, what was predicted of each of them; those without a prediction do not count.
    """
    scenes = list(dict.fromkeys(sentence.scene for sentence in sentences))
    number = {scene: row for row, scene in enumerate(scenes)}
    counted = {name: np.zeros((len(scenes), len(COUNTS)), np.int64) for name in predicted}
    chance = np.zeros(len(scenes))
    gaps = np.zeros(len(scenes), np.int64)
    for position, sentence in enumerate(sentences):
        row = number[sentence.scene]
        gaps[row] += 1
        chance[row] += len(sentence.words[sentence.gaps[0]].references) / len(items_of(sentence.triplets))
        for name, predictions in predicted.items():
            if (prediction := predictions[position]) is not None:
                counted[name][row] += counts(sentence, prediction)
    return Measured(counted, gaps, chance)

"""The predictions that the authors ship next to MD-TC: one file for each fold and setting.

Columns between tabs: id, form, lemma, coarse tag, predicted tag, feats, predicted head, label, gold reference,
predicted reference. The sentences are those of the fold's test file, in its order.

Source: https://github.com/rekaby/MD-TC.V1.0, dataset/txt_compl11/concatenated10Folds and ...NoContext.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from repline.corpora.scenes.scene import SceneSentence
from repline.corpora.scenes.scene_files import SceneFolder
from repline.errors import InputError, shown
from repline.systems.context_parser.gap_measures import Prediction

SETTINGS: Mapping[str, tuple[str, str]] = {  # name: folder, what the name of the file says
    "uni": ("concatenated10FoldsNoContext", ""),
    "context_1": ("concatenated10Folds", "1"),
    "context_5": ("concatenated10Folds", "5"),
    "context_10": ("concatenated10Folds", "10"),
    "context_25": ("concatenated10Folds", "25"),
    "original_5_inferred_1": ("concatenated10Folds", "5-1"),
}
_FIELDS = 10


def read_outputs(
    source: str | Path, setting: str, fold: int, sentences: Sequence[SceneSentence]
) -> list[Prediction] | None:
    """The predictions of one of SETTINGS for the test sentences of a fold; None where the shipped file is empty.

    Raises:
        InputError: there is no such file, or it does not fit the sentences, naming the line.
    """
    folder, mark = SETTINGS[setting]
    path, lines = SceneFolder(source).lines(f"Out{fold}BasicUnique{mark}NoFilterFull.txt", folder)
    rows = [(number, line.split("\t")) for number, line in enumerate(lines, start=1) if line.strip()]
    if not rows:
        return None
    expected_words = sum(len(sentence.words) for sentence in sentences)
    if len(rows) != expected_words:
        raise InputError(f"{path}: expected the {expected_words} words of the sentences of the fold, found {len(rows)}")
    predictions, start = [], 0
    for sentence in sentences:
        words = rows[start : start + len(sentence.words)]
        start += len(words)
        for number, fields in words:
            if len(fields) < _FIELDS or not fields[6].isdecimal():
                raise InputError(
                    f"{path}, line {number}: expected {_FIELDS} fields between tabs with a head as the 7th, found "
                    f"{shown(fields)}"
                )
        gap = sentence.gaps[0]
        references = tuple(fields[9].strip() for _, fields in words)
        heads = tuple(int(fields[6]) for _, fields in words)
        predictions.append(Prediction(words[gap][1][4], references, heads))
    return predictions

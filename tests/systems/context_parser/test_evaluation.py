import os
from pathlib import Path

import numpy as np
import pytest

from repline.corpora.scenes.scene import SceneSentence, Triplet, Word
from repline.corpora.scenes.scene_files import read_fold
from repline.errors import InputError
from repline.systems.context_parser.author_outputs import SETTINGS, read_outputs
from repline.systems.context_parser.evaluation import error_counts, error_shares, scene_contents
from repline.systems.context_parser.gap_measures import (
    COUNTS,
    Prediction,
    counts,
    gap_measures_in_percent,
    is_punctuation,
    measured,
)

MIRROR = Path(os.environ.get("REPLINE_MIRROR", "")) / "visual_context"
SHIPPED = {  # of the authors' predictions: coarse and fine tag, word, exact filler, non-gap, complete, attachment
    "uni": (97.58, 94.39, 13.49, 7.75, 62.06, 2.21, 95.10),
    "context_1": (98.34, 95.09, 83.53, 83.11, 97.35, 82.21, 95.61),
    "context_5": (98.82, 95.64, 95.29, 95.16, 99.14, 94.46, 95.12),
    "context_10": (98.48, 95.36, 95.57, 95.50, 99.24, 94.81, 94.80),
    "context_25": (98.20, 95.09, 95.57, 95.50, 99.36, 94.81, 94.52),
    "original_5_inferred_1": (99.00, 96.54, 92.70, 92.62, 98.96, 92.01, 95.17),
}
TRIPLETS = (Triplet("mug_1", "Location", "table_1"), Triplet("mug_2", "NextTo", "table_1"))
SENTENCE = SceneSentence(
    (
        Word("??", "mug", "NN", "NN", 2, "nsubj", ("mug_1", "mug_3")),
        Word("lies", "lie", "VB", "VBZ", 0, "ROOT"),
        Word("tables", "table", "NN", "NNS", 2, "nmod", ("table_1",)),
        Word("keys", "key", "NN", "NNS", 2, "nmod", ("key_1", "key_2")),
        Word(",", ",", ",", ",", 2, "punct"),
    ),
    TRIPLETS,
    "kitchen",
)


def predicted(tag="NN", filler="mug_1", table="table_1", heads=(2, 0, 2, 1, 1)):
    return Prediction(tag, (filler, "lie_11", table, "key_1", ""), heads)


@pytest.mark.parametrize(
    ("prediction", "changed"),
    [
        (predicted(), {}),
        (predicted(tag="NNS"), {"fine_pos": 0}),
        (predicted(tag="VB"), {"fine_pos": 0, "pos": 0}),
        (predicted(filler="MUG_3"), {}),
        (predicted(filler="mug_2"), {"efi": 0}),
        (predicted(filler="table_1"), {"efi": 0, "word": 0}),
        (predicted(table="table_2"), {"referring_right": 0}),
        (predicted(heads=(5, 0, 1, 1, 5)), {"heads_right": 1}),
    ],
)
def test_a_sentence_is_counted(prediction, changed):
    counted = dict(zip(COUNTS, counts(SENTENCE, prediction).tolist(), strict=True))
    expected = {"sentences": 1, "pos": 1, "fine_pos": 1, "word": 1, "efi": 1, "complete": 0}
    # of two words with references one has alternatives, which never count as right; gap and comma have no head to find
    expected |= {"referring": 2, "referring_right": 1, "heads": 3, "heads_right": 2}
    assert counted == expected | changed


def test_a_sentence_is_complete_with_every_reference():
    words = (*SENTENCE.words[:3], SENTENCE.words[4])
    sentence = SceneSentence(words, TRIPLETS, "kitchen")
    complete = Prediction("NN", ("mug_1", "", "table_1", ""), (2, 0, 2, 2))
    column = COUNTS.index("complete")
    assert counts(sentence, complete)[column] == 1
    for references in (("mug_2", "", "table_1", ""), ("mug_1", "", "table_2", "")):
        assert counts(sentence, Prediction("NN", references, complete.heads))[column] == 0


def test_measures_are_shares_of_sums_over_scenes():
    other_scene = SceneSentence(SENTENCE.words, TRIPLETS, "attic")
    measured_scenes = measured(
        [SENTENCE, other_scene, other_scene], {"a": [predicted(), None, predicted(filler="mug_2")]}
    )
    assert measured_scenes.gaps.tolist() == [1, 2]
    all_of_them = measured_scenes.of(np.arange(2))
    assert all_of_them["a"]["efi"] == 50 and all_of_them["a"]["word"] == 100
    assert measured_scenes.of(np.array([1, 1]))["a"]["efi"] == 0
    assert all_of_them["chance"] == pytest.approx(100 * 2 / 3)  # two right ones among mug_1, table_1, mug_2
    assert gap_measures_in_percent(np.zeros((0, len(COUNTS)), int)) == dict.fromkeys(all_of_them["a"], 0.0)


def test_errors_have_classes():
    next_to = SceneSentence(
        (
            Word("??", "mug", "NN", "NN", 2, "nsubj", ("mug_2",)),
            Word("next", "next", "JJ", "JJ", 0, "ROOT"),
            Word("table", "table", "NN", "NN", 2, "nmod", ("table_1",)),
        ),
        TRIPLETS,
        "kitchen",
    )
    correct = Prediction("NN", ("mug_2", "", "table_1"), (2, 0, 2))
    wrong = Prediction("VB", ("mug_1", "", "table_1"), (2, 0, 2))
    attic = SceneSentence(next_to.words, TRIPLETS, "attic")
    by_scene = error_counts([next_to, next_to, next_to, attic], [correct, wrong, None, correct])
    assert by_scene.tolist() == [[1, 1, 1, 1], [0, 0, 0, 0]]
    assert error_shares(by_scene) == {
        "errors": 1.0, "location_for_next_to": 100.0, "verb_for_noun": 100.0, "same_name": 100.0
    }  # fmt: skip
    assert error_shares(by_scene[1:])["verb_for_noun"] is None


def test_punctuation():
    assert is_punctuation(",") and is_punctuation('"') and not is_punctuation("??a") and not is_punctuation("cat's")


def outputs(folder, rows):
    (folder / "Out1BasicUnique5NoFilterFull.txt").write_text("\n".join("\t".join(row) for row in rows))
    return folder


ROWS = [
    ["1", "??", "mug", "NN", "NNS", "O", "2", "_", "mug_1", "mug_2", ""],
    ["2", "lies", "lie", "VB", "VBZ", "O", "0", "_", "", "lie_11", ""],
]


def test_shipped_predictions_are_read(tmp_path):
    sentence = SceneSentence(SENTENCE.words[:2], TRIPLETS, "kitchen")
    (tmp_path / "concatenated10Folds").mkdir()
    (folder := tmp_path / "zip").mkdir()
    import zipfile

    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        text = "\n".join("\t".join(row) for row in ROWS)
        archive.writestr("x/concatenated10Folds/Out1BasicUnique5NoFilterFull.txt", text)
        archive.writestr("x/concatenated10Folds/Out1BasicUnique5-1NoFilterFull.txt", "")
        archive.writestr("x/concatenated10Folds/Out2BasicUnique5NoFilterFull.txt", text.replace("\t0\t", "\t-\t"))
    assert read_outputs(folder, "context_5", 1, [sentence]) == [Prediction("NNS", ("mug_2", "lie_11"), (2, 0))]
    assert read_outputs(folder, "original_5_inferred_1", 1, [sentence]) is None
    with pytest.raises(InputError, match="expected the 5 words of the sentences of the fold, found 2"):
        read_outputs(folder, "context_5", 1, [SENTENCE])
    with pytest.raises(InputError, match="line 2: expected 10 fields between tabs with a head as the 7th"):
        read_outputs(folder, "context_5", 2, [sentence])


@pytest.mark.skipif(not MIRROR.is_absolute() or not MIRROR.is_dir(), reason="needs the mirror")
def test_the_shipped_predictions_of_md_tc_score_to_the_digit():
    tests = {number: read_fold(MIRROR, number, cycles=True)[1] for number in range(1, 11)}
    for setting in SETTINGS:
        rows = {}
        for number, sentences in tests.items():
            outputs_of_fold = read_outputs(MIRROR, setting, number, sentences)
            assert (outputs_of_fold is None) == ((setting, number) == ("original_5_inferred_1", 1))
            if outputs_of_fold is not None:
                rows[number] = np.array([counts(*pair) for pair in zip(sentences, outputs_of_fold, strict=True)])
        total = gap_measures_in_percent(np.concatenate(list(rows.values())))
        assert tuple(f"{value:.2f}" for value in total.values()) == tuple(f"{value:.2f}" for value in SHIPPED[setting])
        assert total["complete"] <= total["efi"] <= total["word"]
        if setting == "context_5":
            tenth = dict(zip(COUNTS, rows[10].sum(axis=0).tolist(), strict=True))
            assert (tenth["word"], tenth["efi"], tenth["sentences"]) == (126, 126, 130)
            assert (tenth["heads_right"], tenth["heads"]) == (1349, 1445)


def test_a_scene_is_counted_once_however_many_sentences_are_about_it():
    other = (
        Triplet("cat_1", "Agent", "sit_2"),
        Triplet("cat_1", "Location", "mat_3"),
        Triplet("red", "Property", "mat_3"),
    )
    about_another = SceneSentence(SENTENCE.words, other, "yard")
    contents = scene_contents([SENTENCE, SENTENCE, about_another])
    assert contents["scenes"] == 2
    assert contents["relations"] == {"least": 2, "mean": 2.5, "most": 3}
    assert contents["items"] == {"least": 3, "mean": 3.5, "most": 4}
    assert contents["classes"] == {"least": 2, "mean": 3.0, "most": 4}  # two mugs are of one class
    assert contents["shares"] == {"Agent": 20, "Theme": 0, "Own": 0, "Location": 40, "NextTo": 20, "Property": 20}

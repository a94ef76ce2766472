"""Which sentences the common components of uSIF come from: those of a file, of the training part, or of other text."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from repline.corpora.labelled.labelled_sentences import LABELLED
from repline.corpora.sentence_pairs.scored_pairs import PAIRS
from repline.evaluation.sentence_similarity import cosines, pair_files
from repline.systems.usif.evaluation import evaluate_similarity
from repline.systems.usif.model import CommonComponents
from repline.systems.usif.probe_tasks import Task, embedded, read_tasks

RANDOM = np.random.default_rng(0)
TABLE = RANDOM.normal(size=(90, 6)) + np.array([2, 1, 0, 0, 0, 0])
VARIANTS = {"sif_wr": "first", "up": "piecewise", "average": "none"}
M = 2


class Words:
    """Words that are numbers, in sentences of one word: their vectors are rows of the table, whatever the variant."""

    def averages(self, variant, sentences, length=1):
        return TABLE[[int(word) for (word,) in sentences]]


def sentences(first, last):
    return [[str(number)] for number in range(first, last)]


def a_task(**columns):
    return Task("t", ("a", "b"), columns, {}, {}, length=1)


PARTS = {
    "train": [sentences(0, 12), sentences(12, 24)],
    "dev": [sentences(24, 30), sentences(20, 26)],
    "test": [sentences(30, 40), sentences(40, 50)],
}


@pytest.mark.parametrize(("variant", "removal"), VARIANTS.items())
def test_the_components_and_the_scale_of_a_probe_are_those_of_the_training_part(variant, removal):
    vectors_by_part = embedded(a_task(**PARTS), Words(), variant, M)
    components = CommonComponents.of(TABLE[:24], M)
    scale = np.sqrt(np.mean(components.remove(TABLE[:24], removal) ** 2))
    for part, columns in PARTS.items():
        for column, vectors in zip(columns, vectors_by_part[part], strict=True):
            expected = components.remove(Words().averages(variant, column), removal) / scale
            torch.testing.assert_close(vectors, torch.from_numpy(expected).float())


def test_no_sentence_of_the_test_part_changes_the_vectors_of_another_part():
    vectors_by_part = embedded(a_task(**PARTS), Words(), "up", M)
    changed = {"dev": [sentences(50, 70)] * 2, "test": [sentences(60, 90)] * 2}
    with_other_sentences = embedded(a_task(**PARTS | changed), Words(), "up", M)
    assert all(torch.equal(*both) for both in zip(vectors_by_part["train"], with_other_sentences["train"], strict=True))
    fewer = embedded(a_task(**PARTS | {"test": [sentences(30, 31)] * 2}), Words(), "up", M)
    torch.testing.assert_close(fewer["test"][0], vectors_by_part["test"][0][:1])


def test_the_sentence_length_of_a_task_is_that_of_its_training_part(tmp_path):
    sizes = {"train": 2, "dev": 9, "test": 30}
    rows = [("t", split, ["0"] * size, label) for split, size in sizes.items() for label in "xy"]
    columns = dict(zip(LABELLED.names, map(list, zip(*rows, strict=True)), strict=True))
    pq.write_table(pa.table(columns, schema=LABELLED), tmp_path / "labelled.parquet")
    sick = [
        ("sick", file, 0, ["0"] * (size - 1), ["0"] * (size + 1), 2.5, "NEUTRAL")
        for file, size in (("train", 4), ("trial", 20), ("test", 30))
    ]
    columns = dict(zip(PAIRS.names, map(list, zip(*sick, strict=True)), strict=True))
    pq.write_table(pa.table(columns, schema=PAIRS), tmp_path / "pairs.parquet")
    tasks = read_tasks(tmp_path)
    assert {task.name: task.length for task in tasks} == {"t": 2, "sick_e": 4, "sick_r": 4}
    assert [len(column[0]) for column in tasks[1].sentences["dev"]] == [19, 21]  # the file called trial
    assert {task.length for task in read_tasks(tmp_path, length=7)} == {7}


@pytest.fixture
def similarity():
    """Two files of 10 pairs each, a part for training that is not scored, 20 sentences of other text."""
    rows = []
    for number, (test, file) in enumerate((("mine", "a"), ("mine", "b"), ("sick", "train"))):
        for pair in range(10):
            first, second = ([str(20 * number + 10 * side + pair)] for side in (0, 1))
            rows.append((test, file, pair, first, second, float(pair * 7 % 10), None))
    columns = dict(zip(PAIRS.names, map(list, zip(*rows, strict=True)), strict=True))
    files = pair_files(pa.table(columns, schema=PAIRS))
    return evaluate_similarity(files, sentences(60, 80), Words(), 2, M).metrics


@pytest.mark.parametrize(("variant", "removal"), VARIANTS.items())
def test_both_sides_of_a_file_share_its_components_and_no_other_file_has_a_part_in_them(similarity, variant, removal):
    for number, file in enumerate("ab"):
        vectors = TABLE[20 * number : 20 * number + 20]
        expected = correlation(vectors, vectors, removal)
        assert similarity["files"][variant]["mine"][file] == pytest.approx(expected)
    assert set(similarity["files"][variant]) == {"mine"}


@pytest.mark.parametrize("variant", ["sif_wr", "up"])
def test_components_of_other_text_are_those_of_the_reference_alone(similarity, variant):
    by_file = [correlation(TABLE[20 * number : 20 * number + 20], TABLE[60:80], VARIANTS[variant]) for number in (0, 1)]
    assert similarity["elsewhere"][variant]["mine"] == pytest.approx(np.mean(by_file))


def correlation(vectors, text, removal):
    """r x 100 of the cosines of the first ten vectors with the second ten, without the components of a text."""
    left = CommonComponents.of(text, M).remove(vectors, removal)
    scores = [pair * 7 % 10 for pair in range(10)]
    return 100 * np.corrcoef(cosines(left[:10], left[10:]), scores)[0, 1]

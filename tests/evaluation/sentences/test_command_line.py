"""`python -m repline.evaluation.sentences` with a user's own encoder, tasks and word vectors."""

import json

import numpy as np
import pytest

from repline.vectors import store
from tests.commands import run_command

MODULE = "repline.evaluation.sentences"
WORDS = ["good", "bad", "film", "the", "is", "a", "dog", "runs", "fast", "slow", "cat", "sleeps"]
PROGRAM = """
def encode(sentences):
    return [["good" in one, "fast" in one, len(one)] for one in sentences]

def broken(sentences):
    return [[float("nan") if "slow" in one else 1.0] for one in sentences]
"""


@pytest.fixture
def folder(tmp_path):
    random = np.random.default_rng(0)
    (tmp_path / "my_module.py").write_text(PROGRAM)
    store.save(tmp_path / "words", WORDS, random.normal(size=(len(WORDS), 8)).astype(np.float32))
    (tmp_path / "tasks").mkdir()

    def sentence(word):
        return " ".join(["the", word, *random.choice(WORDS[2:], 4)])

    rows = [f"{label}\t{sentence(word)}" for label, word in (("+", "good"), ("-", "bad")) for _ in range(20)]
    (tmp_path / "tasks/mine.tsv").write_text("\n".join(rows) + "\n")
    pairs = [f"{sentence('good')}\t{sentence('bad')}\t{number / 5}" for number in range(20)]
    (tmp_path / "tasks/near.pairs.tsv").write_text("\n".join(pairs) + "\n")
    return tmp_path


def run(folder, *arguments):
    return run_command(folder, MODULE, *arguments, without=("REPLINE_MIRROR",))


def test_prints_the_encoder_beside_the_rows_that_are_always_there(folder):
    arguments = ("--tasks", "tasks", "--vectors", "words", "--dimensions", "16", "--folds", "4", "--json", "out.json")
    process = run(folder, "my_module:encode", *arguments)
    assert process.returncode == 0, process.stderr
    head, mine, near, ranked = process.stdout.splitlines()[:4]
    rows = ["average", "random_projection", "random_lstm", "random_echo_state", "usif", "tf_idf"]
    assert head.split() == ["task", "measure", "items", "my_module:encode", *rows]
    assert mine.split()[:4] == ["mine", "accuracy", "40", "100.0"]
    assert near.split()[:3] == ["near", "Pearson", "20"]
    assert ranked.split()[0] == "Spearman"
    assert len(ranked.split()) == 8
    scores = json.loads((folder / "out.json").read_text())
    right = scores["my_module:encode"]["tasks"]["mine"]
    assert [right["low"], right["high"]] == pytest.approx([0.912, 1.0], abs=1e-3)  # Wilson's, of 40 texts
    assert mine.split()[4] == "±4.4"
    assert [scores[name]["untrained"] for name in ["my_module:encode", *rows]] == [False, *[True] * 4, False, False]
    assert process.stdout.count(" sentences a second\n") == 7
    assert all(result["sentences_per_second"] > 0 for result in scores.values())
    assert scores["usif"]["dimensions"] == 8 and scores["random_lstm"]["dimensions"] == 16


def test_the_star_of_the_table_is_in_the_file(folder):
    arguments = ("--tasks", "tasks", "--vectors", "words", "--dimensions", "16", "--folds", "4", "--json", "out.json")
    process = run(folder, "my_module:encode", *arguments)
    scores = json.loads((folder / "out.json").read_text())
    lines = {line.split()[0]: line for line in process.stdout.splitlines()[1:3]}
    mine, usif, average = ({} for _ in range(3))
    for name, marks in (("my_module:encode", mine), ("usif", usif), ("average", average)):
        marks |= {task: result["above_untrained"] for task, result in scores[name]["tasks"].items()}
    assert set(mine) == set(lines) == {"mine", "near"} and set(average.values()) == {None}
    for task, line in lines.items():
        stars = sum(score["tasks"].get(task, {}).get("above_untrained") is True for score in scores.values())
        assert line.count("*") == stars
    assert "* above the best untrained encoder" in process.stdout
    process = run(folder, "my_module:encode", "--tasks", "tasks", "--folds", "4", "--alone", "--json", "out.json")
    assert "*" not in process.stdout
    alone = json.loads((folder / "out.json").read_text())["my_module:encode"]["tasks"]
    assert {result["above_untrained"] for result in alone.values()} == {None}


def test_word_vectors_that_say_too_little_leave_cells_empty(folder):
    """uSIF removes five components, which vectors of three dimensions do not have; the other rows stay."""
    random = np.random.default_rng(0)
    store.save(folder / "short", WORDS, random.normal(size=(len(WORDS), 3)).astype(np.float32))
    store.save(folder / "few", ["good", "bad"], random.normal(size=(2, 8)).astype(np.float32))
    near = [f"the dog runs\tthe {word} is fast\t{number}" for number, word in enumerate(["cat", "film", "dog", "sea"])]
    (folder / "tasks/near.pairs.tsv").write_text("\n".join(near) + "\n")
    arguments = ("--tasks", "tasks", "--dimensions", "16", "--folds", "4", "--json", "out.json", "--vectors")
    process = run(folder, "my_module:encode", *arguments, "short")
    assert process.returncode == 0, process.stderr
    assert "\nusif is left out of mine: the number of common components should be 0 to 3, found 5\n" in process.stdout
    scores = json.loads((folder / "out.json").read_text())
    assert set(scores["random_lstm"]["tasks"]) == {"mine", "near"} and "usif" not in scores
    process = run(folder, "my_module:encode", *arguments, "few")
    assert process.returncode == 0, process.stderr
    assert "\naverage is left out of near: tasks/near.pairs.tsv, line 1: average gives" in process.stdout
    scores = json.loads((folder / "out.json").read_text())
    assert set(scores["average"]["tasks"]) == {"mine"} and set(scores["tf_idf"]["tasks"]) == {"near"}


@pytest.mark.parametrize(
    "lines", [["the dog\tthe cat\t1"], ["the dog\tthe cat\t2", "the cat\tthe film\t2", "the sea\tthe cat\t2"]]
)
def test_a_correlation_that_is_undefined_may_be_any(folder, lines):
    (folder / "tasks/near.pairs.tsv").write_text("\n".join(lines) + "\n")
    process = run(folder, "my_module:encode", "--alone", "--tasks", "tasks/near.pairs.tsv", "--json", "out.json")
    assert process.returncode == 0, process.stderr
    result = json.loads((folder / "out.json").read_text())["my_module:encode"]["tasks"]["near"]
    assert (result["value"], result["low"], result["high"]) == (0, -1, 1)
    assert "0.0 ±100.0" in process.stdout and "my_module:encode: near: no correlation: " in process.stderr


def test_rows_that_are_all_left_out_are_an_error(folder):
    store.save(folder / "strange", ["x", "y"], np.eye(2, dtype=np.float32))
    process = run(folder, "--tasks", "tasks", "--only", "mine", "--dimensions", "16", "--vectors", "strange")
    assert process.returncode == 1 and "average is left out of mine: " in process.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--only", "near", "--folds", "4"),
            "--folds is of tasks with classes and without a dev part, and here is none",
        ),
        (("--only", "split", "--folds", "4"), "here is none (split)"),
        (("--folds", "39"), "mine: expected at least 41 sentences to learn from for 39 folds, found 40"),
        (("--dimensions", "15"), "--dimensions: expected an even number of at least 2, found 15"),
        (("--tasks", "tasks", "more.csv"), "expected files of a task, found none in more.csv"),
        (("--vectors", "damaged"), "damaged/vocabulary.parquet: there is no such file"),
        (("--vectors", "nowhere.txt"), "nowhere.txt: there is no such file"),
        (("given",), "given/sentences.txt: "),
        (("my_module:short",), "my_module:short: expected a vector for each of 8 sentences"),
        (("--compare", "given"), "given/sentences.txt: "),
    ],
)
def test_mistakes_are_found_before_an_encoder_is_judged(folder, arguments, message):
    (folder / "my_module.py").write_text(PROGRAM + "\ndef short(sentences):\n    return [[1.0, 2.0]]\n")
    for part in ("train", "dev", "test"):
        (folder / f"tasks/split.{part}.tsv").write_text("+\tgood\n-\tslow film\n" * 20)
    store.save(folder / "damaged", WORDS, np.ones((len(WORDS), 8), dtype=np.float32))
    (folder / "damaged/vocabulary.parquet").unlink()
    (folder / "more.csv").write_text("+,good\n-,bad\n" * 20)
    (folder / "given").mkdir()
    (folder / "given/sentences.txt").write_text("good\n")
    np.save(folder / "given/vectors.npy", np.ones((1, 3)))
    tasks = () if "--tasks" in arguments else ("--tasks", "tasks")
    process = run(folder, "my_module:encode", *arguments, *tasks)
    assert process.returncode == 1 and len(process.stderr.splitlines()) == 1, process.stderr
    assert message in process.stderr


def test_given_vectors_that_lack_a_sentence_of_the_last_task_are_refused_at_once(folder):
    process = run(folder, "--tasks", "tasks", "--only", "mine", "--sentences", "given/sentences.txt")
    number = len((folder / "given/sentences.txt").read_text().splitlines())
    np.save(folder / "given/vectors.npy", np.ones((number, 3)))
    process = run(folder, "given", "--tasks", "tasks", "--alone")
    assert process.returncode == 1 and len(process.stderr.splitlines()) == 1, process.stderr
    assert "sentences of the tasks are not there" in process.stderr


def test_writes_the_sentences_and_takes_their_vectors_back(folder):
    process = run(folder, "--tasks", "tasks", "--only", "mine", "--sentences", "given/sentences.txt")
    assert process.returncode == 0, process.stderr
    sentences = (folder / "given/sentences.txt").read_text().splitlines()
    assert f"{len(sentences)} sentences" in process.stdout
    np.save(
        folder / "given/vectors.npy",
        np.array([["good" in sentence, "bad" in sentence] for sentence in sentences], dtype=float),
    )
    process = run(folder, "given", "--tasks", "tasks", "--only", "mine", "--alone", "--folds", "4")
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines()[1].split()[:4] == ["mine", "accuracy", "40", "100.0"]


@pytest.mark.parametrize(
    ("file", "message"),
    [("tasks", "this is a folder"), ("tasks/mine.tsv/sentences.txt", "is a file, in which nothing")],
)
def test_a_place_where_no_sentences_can_be_written_is_named(folder, file, message):
    process = run(folder, "--tasks", "tasks", "--sentences", file)
    assert process.returncode == 1 and message in process.stderr and len(process.stderr.splitlines()) == 1


@pytest.mark.parametrize("others", [["my_module:encode"], ["--folds", "4"], ["--alone"], ["--json", "out.json"]])
def test_sentences_are_written_without_an_evaluation(folder, others):
    process = run(folder, *others, "--tasks", "tasks", "--sentences", "sentences.txt")
    assert process.returncode == 1 and "evaluates nothing; leave all but the tasks out" in process.stderr
    assert not (folder / "sentences.txt").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("my_module:broken",), "my_module:broken gives the sentence"),
        (("my_module:nothing",), "my_module has no nothing"),
        ((), "--alone leaves nothing to evaluate"),
        (("my_module:encode", "--only", "other"), "there is no task other; there are mine, near"),
        (("my_module:encode", "--folds", "1"), "--folds: expected at least 2"),
    ],
)
def test_mistakes_are_one_sentence_and_nothing_is_written(folder, arguments, message):
    (folder / "tasks/mine.tsv").write_text("+\tgood\n-\tslow film\n" * 20)
    before = sorted(folder.rglob("*.json"))
    process = run(folder, *arguments, "--tasks", "tasks", "--alone", "--json", "out.json")
    assert process.returncode == 1
    assert message in process.stderr.splitlines()[-1]
    assert process.stderr.splitlines()[-1].startswith("repline.evaluation.sentences: ")
    assert "Traceback" not in process.stderr
    assert sorted(folder.rglob("*.json")) == before
    if "broken" in str(arguments):
        assert "tasks/mine.tsv, line 2" in process.stderr

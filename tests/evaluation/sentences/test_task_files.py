import pytest

from repline.corpora.sentence_pairs.scored_pairs import read_pairs
from repline.errors import InputError
from repline.evaluation.sentences.sentence_tasks import distinct_sentences
from repline.evaluation.sentences.task_files import read_tasks

HEAD = "sentence1\tsentence2\tlabel\tscore\n"


def write(folder, **files):
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return folder


def test_tasks_of_one_s_own_come_from_their_tables(tmp_path):
    write(
        tmp_path,
        mine__tsv="a\tone\nb\ttwo\n",
        both__train__pairs__tsv=HEAD + "x\ty\tyes\t4.5\ny\tz\tno\t0\n",
        both__test__pairs__tsv=HEAD + "z\tx\tno\t1\n",
        plain__pairs__tsv="x\ty\t3\nz\tone\t2\n",
        **{"with-hyphen__pairs__tsv": "x\ty\t3\n"},
    )
    own_pairs = read_pairs(sorted(tmp_path.iterdir()), str.split)
    assert set(zip(own_pairs["test"].to_pylist(), own_pairs["file"].to_pylist(), strict=True)) == {
        ("both", "train"),
        ("both", "test"),
        ("plain", "pairs"),
        ("with-hyphen", "pairs"),
    }
    (tmp_path / "with-hyphen.pairs.tsv").unlink()
    tasks = {task.name: task for task in read_tasks([tmp_path])}
    assert {name: task.kind for name, task in tasks.items()} == {
        "both": "pair_classification",
        "both-cosine": "similarity",
        "both-scores": "relatedness",
        "mine": "classification",
        "plain": "similarity",
    }
    assert tasks["both-scores"].scale == (0, 5) and tasks["both"].classes == ["no", "yes"]
    assert tasks["both"].items == 1 and tasks["mine"].items == 2
    assert tasks["both"].parts["train"].origins[1] == f"{tmp_path}/both.train.pairs.tsv, line 3"
    assert tasks["plain"].parts["test"].scores == [3, 2]
    assert list(distinct_sentences([tasks["mine"], tasks["plain"]])) == ["one", "two", "x", "z", "y"]


def test_published_tasks_come_first_in_their_order(tmp_path):
    sick = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n1\tx\ty\t4.5\tNEUTRAL\n"
    write(
        tmp_path,
        **{f"sick__{part}__txt": sick + "2\ty\tz\t1\tENTAILMENT\n" for part in ("train", "trial", "test")},
        **{f"stsb__{part}__csv": "news\tf\t2012\t1\t5.0\tx\ty\n" for part in ("train", "dev", "test")},
        sts12__news__input__txt="x\ty\ny\tz\n",
        sts12__news__gs__txt="3\n\n",
        mrpc__train__txt="Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t1\t2\tx\ty\n0\t3\t4\tx\tz\n",
        mrpc__test__txt="Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n1\t1\t2\tx\ty\n",
        custrev__neg="bad\n",
        custrev__pos="good\n",
        aaa__tsv="a\tone\nb\ttwo\n",
    )
    tasks = read_tasks([tmp_path])
    names = ["CR", "MRPC", "SICK-E", "SICK-R", "STS12", "STS-B", "STS-B-dev", "STS-B-learnt", "aaa"]
    assert [task.name for task in tasks] == names
    task_by_name = dict(zip(names, tasks, strict=True))
    assert task_by_name["MRPC"].positive == "paraphrase" and "dev" not in task_by_name["MRPC"].parts
    assert task_by_name["SICK-R"].scale == (1, 5) and task_by_name["STS-B-learnt"].scale == (0, 5)
    assert task_by_name["STS12"].items == 1  # nobody rated the second pair
    assert [task.name for task in read_tasks([tmp_path], ["STS-B", "CR"])] == ["CR", "STS-B"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a__pairs__tsv": "x\ty\t1\nx\t \t2\n"}, r"a\.pairs\.tsv, line 2: a sentence is empty"),
        ({"a__pairs__tsv": "x\ty\t1\nx\tz\n"}, r"a\.pairs\.tsv, line 2: expected 3 fields"),
        ({"a__pairs__tsv": "x\ty\t1\nx\tz\tmany\n"}, r"line 2: expected a score, found 'many'"),
        ({"a__pairs__tsv": HEAD + "x\ty\tno\t\n"}, r"a\.pairs\.tsv, line 2: expected a score, found ''"),
        ({"a__pairs__tsv": "sentence1\tsentence2\nx\ty\n"}, r"a\.pairs\.tsv, line 1: expected a head"),
        ({"a__pairs__tsv": HEAD}, "expected pairs of sentences, found none"),
        ({"a__train__pairs__tsv": "x\ty\t1\n"}, r"there is no a\.test\.pairs\.tsv next to a\.train"),
        (
            {"a__train__pairs__tsv": HEAD + "x\ty\tp\t1\nx\tz\tq\t1\n", "a__test__pairs__tsv": HEAD + "x\ty\tr\t1\n"},
            r"a\.test\.pairs\.tsv, line 2: the label 'r' does not occur in train",
        ),
        ({"sick__train__txt": "head\n"}, r"sick\.trial\.txt is not next to"),
        ({"sts12__x__input__txt": "x\ty\n"}, r"expected its scores sts12\.x\.gs\.txt in the same folder"),
        ({"sts12__x__input__txt": " \ty\n", "sts12__x__gs__txt": "1\n"}, r"sts12\.x, pair 1: a sentence is empty"),
        ({"other__csv": "1"}, "expected files of a task, found none in"),
    ],
)
def test_mistakes_are_named(tmp_path, files, message):
    with pytest.raises(InputError, match=message):
        read_tasks([write(tmp_path, **files)])


def test_two_tasks_of_one_name_and_names_that_are_not_there(tmp_path):
    for name in ("one", "two"):
        write(tmp_path, **{f"{name}__tsv": "a\tx\nb\ty\n"})
    (tmp_path / "more").mkdir()
    write(tmp_path / "more", one__tsv="a\tx\nb\ty\n")
    assert [task.name for task in read_tasks([tmp_path / "two.tsv"])] == ["two"]
    with pytest.raises(InputError, match=r"more: there is another task named one"):
        read_tasks([tmp_path, tmp_path / "more"])
    with pytest.raises(InputError, match="there is no task three; there are one, two"):
        read_tasks([tmp_path], ["three"])
    with pytest.raises(InputError, match="no such file or folder of tasks"):
        read_tasks([tmp_path / "nowhere"])


@pytest.mark.parametrize(
    ("scores", "message"),
    [((3, 3), "own: expected scores that differ, found 3 alone"), ((0, 3000), "own: .*0 to 3000; divide them")],
)
def test_scores_that_no_distribution_is_learnt_over_are_refused(tmp_path, scores, message):
    for part in ("train", "test"):
        lines = [f"sentence {number}\tanother {number}\t{scores[number % 2]}\n" for number in range(4)]
        (tmp_path / f"own.{part}.pairs.tsv").write_text("sentence1\tsentence2\tscore\n" + "".join(lines), "utf-8")
    with pytest.raises(InputError, match=message):
        read_tasks([tmp_path])

"""Tests of a person's own are told by their header or their first lines; a malformed file is one sentence."""

import json
import weakref

import numpy as np
import pytest

from repline.errors import InputError
from repline.evaluation.__main__ import _read, main
from repline.evaluation.word_vectors.own_tests import read_own


@pytest.mark.parametrize(
    ("name", "text", "task", "items"),
    [
        ("a.csv", "word1,word2,similarity\nold,new,1.5\n", "similarity", ([("old", "new")], [1.5])),
        ("a.csv", "id,Word1,word2,Score\n1,old,new,2\n", "similarity", ([("old", "new")], [2.0])),
        ("a.csv", "left,right,mean\nold,new,3\n", "similarity", ([("old", "new")], [3.0])),
        ("a.csv", "old,new,3\nold,older,4\n", "similarity", ([("old", "new"), ("old", "older")], [3.0, 4.0])),
        ("a.txt", "# mine\nold new 3\n", "similarity", ([("old", "new")], [3.0])),
        ("a.tsv", "old hat\tnew\t3\n", "similarity", ([("old hat", "new")], [3.0])),
        ("a.txt", ": kin\nman woman king queen\n", "analogy", ([("man", "woman", "king", "queen")], ["kin"])),
        ("a.txt", "man woman king queen\n", "analogy", ([("man", "woman", "king", "queen")], ["all"])),
        (
            "a.csv",
            "type,word1,word2,word3,target\nkin,man,woman,king,queen\n",
            "analogy",
            ([("man", "woman", "king", "queen")], ["kin"]),
        ),
        ("a.tsv", '"word1"\t"word2"\t"score"\n"old"\t"new"\t3\n', "similarity", ([("old", "new")], [3.0])),
        ("a.txt", '"old" "new" 3\n', "similarity", ([("old", "new")], [3.0])),
        ("a.txt", '"old" "new" 3\n" old 4\n', "similarity", ([('"old"', '"new"'), ('"', "old")], [3.0, 4.0])),
        ("a.csv", "word,category\ncat,animal\n", "categorization", (["cat"], ["animal"])),
    ],
)
def test_what_a_file_is(tmp_path, name, text, task, items):
    (tmp_path / name).write_text(text)
    test, items_read = read_own(tmp_path / name)
    assert (test.name, test.task, items_read) == ("a", task, items)


def test_comments_are_counted_and_words_in_marks_are_none(tmp_path, capsys):
    (tmp_path / "v.txt").write_text("#tag 1 0\nold 1 1\nnew 0 1\n")
    lines = ["word1,word2,score", "# of mine", "#tag,old,1", '"#tag",old,2', "new,old,3", "new,new,4"]
    (tmp_path / "a.csv").write_text("\n".join(lines))
    main([str(tmp_path / "v.txt"), "--tests", str(tmp_path / "a.csv")])
    printed = capsys.readouterr().out
    assert "passed over: 2 lines that begin with #, as comments do" in printed
    assert printed.splitlines()[1].split()[:3] == ["a", "Spearman", "3"]


def test_what_a_person_says_it_is(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("animal cat\nanimal dog\n")
    assert read_own(path, "categorization")[1] == (["cat", "dog"], ["animal", "animal"])


@pytest.mark.parametrize(
    ("name", "text", "task", "sentence"),
    [
        ("a.csv", "", None, "found an empty file"),
        ("a.csv", "word1,word2,score\n", None, "at least one line of two words and a number, found none"),
        ("a.csv", "word1,word2,score\nold,new\n", None, "line 2: expected 3 fields as in the header, found 2"),
        ("a.csv", "word1,word2,score\nold,new,high\n", None, "line 2: expected a number as the score, found 'high'"),
        ("a.csv", "king,queen,9\nman,woman\n", None, "a.csv, line 2: expected two words and a number, four words, or"),
        ("a.csv", "king,queen,9\nman,woman\n", None, "found 'man woman'; say what it is by --task similarity"),
        ("a.txt", "old new 3\nold new\n", None, "--task similarity|analogy|categorization"),
        ("a.txt", "old new 3\nold new 4\nold 4\n", None, "line 3: expected two words and a number, found 'old 4'"),
        ("a.txt", "man woman king\n", "analogy", "line 1: expected four words, found 'man woman king'"),
        ("a.csv", "word,category\ncat,\n", None, "line 2: expected a category and a word, found an empty field"),
    ],
)
def test_a_malformed_file_is_one_sentence(tmp_path, name, text, task, sentence):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        read_own(tmp_path / name, task)
    assert sentence in str(caught.value)
    assert str(caught.value).count("\n") == 0


def test_own_tests_at_the_command_line(tmp_path, capsys):
    vectors, pairs, kinds = (tmp_path / name for name in ("mine.txt", "my-pairs.csv", "my-kinds.csv"))
    random = np.random.default_rng(0)
    rows = {word: random.normal(size=3) for word in ("a", "b", "c", "d")}
    vectors.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in rows.items()))
    pairs.write_text("word1,word2,score\na,b,1\na,c,2\nb,d,3\nc,zebra,4\n")
    kinds.write_text("category,word\nx,a\nx,b\ny,c\ny,d\n")
    main([str(vectors), "--tests", str(pairs), str(kinds), "--json", str(tmp_path / "scores.json")])
    shown = capsys.readouterr().out
    assert "my-pairs  Spearman" in shown
    assert "75.0%" in shown
    tests = json.loads((tmp_path / "scores.json").read_text())["mine.txt"]["tests"]
    assert set(tests) == {"my-pairs", "my-kinds"}  # and no other
    assert (tests["my-pairs"]["kept"], tests["my-kinds"]["categories"]) == (3, 2)
    vectors.write_text(vectors.read_text() + "a 1 2 3\nzebra 1 2\n")
    with pytest.raises(InputError, match="line 6"):
        main([str(vectors), "--tests", str(pairs)])
    main([str(vectors), "--tests", str(pairs), "--on-error", "salvage", "--duplicates", "first"])
    captured = capsys.readouterr()
    assert "75.0%" in captured.out and "word 'zebra' has 2 values, expected 3" in captured.out
    with pytest.raises(InputError, match="there is another test named 'my-pairs'"):
        main([str(vectors), "--tests", str(pairs), "--tests", str(pairs)])
    with pytest.raises(InputError, match="no such file of tests"):
        main([str(vectors), "--tests", str(tmp_path / "none.csv")])
    with pytest.raises(InputError, match="--task says what"):
        main([str(vectors), "--task", "analogy"])


def test_outliers_are_groups_and_what_does_not_belong_to_them(tmp_path):
    path = tmp_path / "animals.txt"
    path.write_text("cat\ndog\n\ncar\n\nred\nblue\n\nsix\n", encoding="utf-8")
    test, items = read_own(path, "outliers")
    assert (test.name, test.task) == ("animals", "outliers")
    assert items == ([(["cat", "dog"], ["car"]), (["red", "blue"], ["six"])],)
    path.write_text("cat\ndog\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"animals\.txt, line 1: expected words that belong together, an empty line"):
        read_own(path, "outliers")


def test_vectors_are_gone_before_the_next_ones_are_read(tmp_path, monkeypatch):
    """Vectors of millions of words fill the memory once, not twice."""
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.txt").write_text("car 1 0\nbus 0.9 0.1\nsky 0 1\n")
    (tmp_path / "pairs.csv").write_text("word1,word2,score\ncar,bus,7\ncar,sky,1\nbus,sky,2\n")
    embeddings, alive = [], []

    def read(*arguments):
        alive.append(sum(reference() is not None for reference in embeddings))
        embedding = _read(*arguments)
        embeddings.append(weakref.ref(embedding))
        return embedding

    monkeypatch.setattr("repline.evaluation.__main__._read", read)
    main([*(str(tmp_path / f"{name}.txt") for name in ("one", "two", "three")), "--tests", str(tmp_path / "pairs.csv")])
    assert alive == [0, 0, 0]


def test_a_table_between_semicolons_says_so(tmp_path):
    """A spreadsheet writes these where a number has a decimal comma."""
    (tmp_path / "pairs.csv").write_text("Word1;Word2;Score\ncar;bus;7,5\ncar;sky;1,2\n", encoding="utf-8-sig")
    with pytest.raises(InputError, match=r"pairs\.csv: fields stand between semicolons; save the table with commas"):
        read_own(tmp_path / "pairs.csv")


def test_turkish_letters_at_the_command_line(tmp_path, capsys):
    """İ is the capital of i, and I that of ı, where the vectors are said to be Turkish."""
    vectors, pairs = tmp_path / "mine.txt", tmp_path / "cities.csv"
    vectors.write_text("istanbul 1 0\nısparta 0.9 0.5\nizmir 0.5 0.9\n")
    pairs.write_text("word1,word2,score\nİstanbul,ISPARTA,3\nİSTANBUL,I\u0307zmir,1\nIsparta,İZMİR,2\n")
    kept = {}
    for options in ("en", "tr", "tr --keep-case"):
        arguments = ["--tests", str(pairs), "--json", str(tmp_path / "scores.json"), "--language", *options.split()]
        main([str(vectors), *arguments])
        kept[options] = json.loads((tmp_path / "scores.json").read_text())["mine.txt"]["tests"]["cities"]["kept"]
    assert kept == {"en": 0, "tr": 3, "tr --keep-case": 0}

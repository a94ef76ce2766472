"""`repline train` on translations of one's own, in a folder that is no checkout."""

import re

import pytest

from repline.errors import InputError
from tests.cli.train_command import notes_of, train, trained

SENTENCES = [
    ("我们学习中文", "私たちは中国語を学習する", "we learn Chinese"),
    ("他的文件很大", "彼の文書は大きいです", "his file is large"),
    ("世界和平", "世界の平和", "peace of the world"),
    ("学生读书", "学生は本を読む", "the student reads a book"),
    ("老师写文字", "先生は文字を書く", "the teacher writes letters"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working directory, with translations in three languages."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bitext").mkdir()
    pairs = [(first, second) for first in SENTENCES for second in SENTENCES]
    for column, language in enumerate(("zh", "ja", "en")):
        mark = " and " if language == "en" else "，"
        lines = [f"{first[column]}{mark}{second[column]}\n" for first, second in pairs]
        (tmp_path / "bitext" / f"mine.{language}.txt").write_text("".join(lines), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("method", ["glove", "cbow"])
def test_cjc_puts_chinese_and_japanese_in_one_space(folder, method):
    options = ["--method", method, "--dimensions", "8", "--passes", "10"]
    model = trained(folder, "cjc", "--data", "bitext", *options)
    assert model.languages == ("zh", "ja")
    assert model.vector("zh:世界").shape == (8,) and len(model.translate("学生", n=3)) == 3


def test_cjc_names_no_parameters_of_the_stages(folder):
    with pytest.raises(InputError, match=r"^no zh word occurs 9999 times; lower the minimum count"):
        train("cjc", "--data", "bitext", "--minimum-count", "9999")
    for language in ("zh", "ja"):
        (folder / "bitext" / f"mine.{language}.txt").write_text("世界\n学生读书\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"^expected 2 pairs .* of 2 to 10000 words to hold out, found 1; take more text"
    ):
        train("cjc", "--data", "bitext")


def test_multilingual_seq2seq_encodes_and_translates(folder):
    sizes = ["--languages", "en,ja,zh", "--dimensions", "8", "--units", "8", "--batch", "8", "--epochs", "2"]
    model = trained(folder, "multilingual_seq2seq", "--data", "bitext", *sizes)
    vectors = model.encode(["the student reads a book", "学生读书"])
    assert vectors.shape[0] == 2 and vectors.any(1).all()
    assert isinstance(model.translate("the student", "zh"), str)


def test_multilingual_seq2seq_counts_the_texts_that_are_too_long(folder):
    sizes = ["--languages", "en,ja", "--dimensions", "4", "--units", "4", "--epochs", "1", "--longest", "12"]
    assert re.search(
        r"left out: \d+ texts of more than 12 words, ", notes_of("multilingual_seq2seq", "--data", "bitext", *sizes)
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cjc", "--data", "nothing"], "nothing: there is no such folder"),
        (["cjc", "--data", "empty"], "empty: "),
        (["cjc", "--data", "a.zh.txt"], "a.zh.txt: this is a file; name the folder that it lies in, with translations"),
        (["multilingual_seq2seq", "--data", "bitext", "--languages", "en"], "--languages: expected two codes or more"),
        (["multilingual_seq2seq", "--data", "bitext", "--languages", "en,de"], "bitext"),
    ],
)
def test_a_mistake_is_a_sentence_and_leaves_nothing(folder, arguments, message):
    (folder / "empty").mkdir()
    (folder / "a.zh.txt").touch()
    before = {path.name for path in folder.iterdir()}
    with pytest.raises(InputError, match=message):
        train(*arguments)
    assert {path.name for path in folder.iterdir()} == before

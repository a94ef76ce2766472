"""Splits and tables: shares of labels, no text in two parts, hand-written files."""

import pytest

from repline.corpora.labelled.classified_texts import Text, as_texts, read_texts, split_texts, write_texts
from repline.corpora.labelled.collections.labelled_tsv import read_table
from repline.corpora.labelled.recipes import PartSizes
from repline.corpora.labelled.stratified_split import stratified
from repline.errors import InputError


def texts(number=60, labels="aab"):
    return [Text(str(row), labels[row % len(labels)], [[f"w{row}", "x"]]) for row in range(number)]


def test_each_part_has_the_same_share_of_every_label():
    labels = list("aaab" * 25)
    parts = stratified(labels, {"test": 20, "dev": 0.1}, "train", seed=1)
    for part, size in (("test", 20), ("dev", 10), ("train", 70)):
        labels_of_part = [label for label, part_of_text in zip(labels, parts, strict=True) if part_of_text == part]
        assert len(labels_of_part) == size
        assert abs(labels_of_part.count("b") - size / 4) < 1
    assert parts == stratified(labels, {"test": 20, "dev": 0.1}, "train", seed=1)
    assert parts != stratified(labels, {"test": 20, "dev": 0.1}, "train", seed=2)
    with pytest.raises(InputError, match="10 documents cannot give 5 for test and 5 for dev and leave some for train"):
        stratified(list("ab" * 5), {"test": 5, "dev": 5}, "train", seed=0)


def test_no_text_is_in_two_parts():
    same = [Text("1", "a", [["x"]], "train"), Text("2", "a", [["x"]], "test"), Text("3", "a", [["x"]], "dev")]
    both = [Text("4", "a", [["y"]], "train"), Text("5", "b", [["y"]], "train")]
    other_texts = [
        Text(f"{label}{row}", label, [[f"{label}{row}"]], part)
        for label in "ab"
        for row, part in enumerate(["train"] * 3 + ["dev", "test"])
    ]
    split_texts_kept, left_out = split_texts([*same, *both, *other_texts, Text("6", "c", []), Text("7", "c", [["z"]])])
    assert {text.id: text.part for text in split_texts_kept if text.id in "1234567"} == {"2": "test"}
    assert left_out == {"empty": 1, "same_words": 2, "other_label": 2, "rare_label": 1}


def test_parts_of_the_corpus_are_kept_and_dev_is_drawn_from_train():
    texts_with_parts = [text._replace(part="test" if int(text.id) % 3 == 0 else "train") for text in texts(60, "ab")]
    parted, _ = split_texts(texts_with_parts, PartSizes(dev=5))
    parts = {text.id: text.part for text in parted}
    assert all((parts[text.id] == "test") == (text.part == "test") for text in texts_with_parts)
    assert list(parts.values()).count("dev") == 5


def test_so_many_of_each_label_are_drawn():
    parted, _ = split_texts(texts(60), PartSizes(number=10))
    assert sorted(text.label for text in parted) == ["a"] * 10 + ["b"] * 10


def test_texts_that_are_too_few():
    with pytest.raises(InputError, match="expected two labels or more with at least 3 documents each"):
        split_texts(texts(4))
    silent = [Text(str(row), "ab"[row % 2], [], "") for row in range(9)]
    with pytest.raises(InputError, match=r"found \{\} after 2 of equal words and 9 without a word were left out"):
        split_texts([*silent, Text("x", "a", [["x"]], ""), Text("y", "b", [["x"]], "")])
    with pytest.raises(InputError, match="expected documents in train, dev, test, found none in dev"):
        as_texts([Text("1", "a", [["x"]], "train")])
    parts = [Text("1", "a", [["x"]], "train"), Text("2", "b", [["y"]], "dev"), Text("3", "a", [["z"]], "test")]
    with pytest.raises(InputError, match="documents of each label in the part train, found none of 'b'"):
        as_texts(parts)


def test_texts_are_written_and_read(tmp_path):
    parted, _ = split_texts(texts())
    card = write_texts(tmp_path, parted)
    again = read_texts(tmp_path)
    assert (again.labels, again.ids, again.sentences) == (card.labels, card.ids, card.sentences)
    assert again.words(2) == ["x"]
    (tmp_path / "documents.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match="the texts cannot be read"):
        read_texts(tmp_path)


def test_tables_with_and_without_a_head(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("spam\tbuy this\n\nham\thello there\n")
    assert [(row.label, row.text, row.part) for row in read_table(path)] == [
        ("spam", "buy this", ""),
        ("ham", "hello there", ""),
    ]
    path.write_text("text\tid\tpart\tlabel\nhello\t7\ttest\tham\n")
    assert [(row.label, row.text, row.part) for row in read_table(path)] == [("ham", "hello", "test")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("spam buy this\n", "line 1: expected label and text with tabs between them"),
        ("spam\t\n", "line 1: the text is empty"),
        ("\tbuy\n", "line 1: the label is empty"),
        ("part\tlabel\ttext\nvalid\tham\thello\n", "line 2: a part is train, dev or test, found 'valid'"),
        ("", "expected rows of label, tab, text, found none"),
    ],
)
def test_mistakes_in_tables(tmp_path, content, message):
    path = tmp_path / "mine.tsv"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        list(read_table(path))

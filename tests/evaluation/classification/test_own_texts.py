"""Labels and raw texts in memory become texts in three parts, as those of a table do."""

import pytest

from repline.errors import InputError
from repline.evaluation.classification.own_texts import read_own_texts, texts_from_rows

ROWS = [(label, f"{label} number {number}. It isn't long") for number in range(20) for label in ("good", "bad")]


def test_rows_are_as_those_of_a_table(tmp_path):
    table = tmp_path / "mine.tsv"
    table.write_text("".join(f"{label}\t{text}\n" for label, text in ROWS))
    texts, of_table = texts_from_rows(ROWS), read_own_texts(table)
    assert (texts.labels, texts.splitting) == (["bad", "good"], "marks") == (of_table.labels, of_table.splitting)
    assert {part: len(ids) for part, ids in texts.ids.items()} == {"train": 28, "dev": 4, "test": 8}
    assert texts.sentences == of_table.sentences and list(texts.gold["test"]) == list(of_table.gold["test"])
    for number, sentences, gold in zip(texts.ids["test"], texts.sentences["test"], texts.gold["test"], strict=True):
        label, text = ROWS[int(number)]
        assert texts.labels[gold] == label
        assert sentences == [[*text.split(".")[0].split(), "."], ["it", "isnt", "long"]]


def test_parts_of_rows_are_kept():
    parts = ["train", "dev", "test", "train"]
    rows = [(label, text, part) for (label, text), part in zip(ROWS, parts * 10, strict=True)]
    texts = texts_from_rows(rows, splitting="whole")
    for part, ids in texts.ids.items():
        assert {rows[int(number)][2] for number in ids} == {part} and len(ids) == parts.count(part) * 10
    assert texts.splitting == "whole"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a text", "row 40: expected .label, text. or .label, text, part., found 'a text'"),
        (("good", 3), "row 40: expected"),
        (("good", "a text", "valid"), "row 40: expected a part of train, dev, test, found 'valid'"),
    ],
)
def test_rows_that_are_something_else(row, message):
    with pytest.raises(InputError, match=message):
        texts_from_rows([*ROWS, row])
    with pytest.raises(InputError, match="two labels or more"):
        texts_from_rows(ROWS[::2])

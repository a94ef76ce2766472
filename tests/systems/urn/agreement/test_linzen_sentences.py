from collections import Counter

import pyarrow as pa
import pytest

from repline.errors import InputError
from repline.systems.urn.agreement import corpus as agreement
from repline.systems.urn.agreement.marked_sentences import read_linzen
from tests.systems.urn.agreement.small_corpora import RULES, card, read, vocabulary


def linzen(folder, rows):
    card(folder)
    sentences, gold = zip(*rows, strict=True)
    (folder / "made.text").write_text("".join(f"{sentence} <eos>\n" for sentence in sentences))
    (folder / "made.gold").write_text("".join("\t".join(map(str, row)) + "\n" for row in gold))
    return folder


LINZEN = [
    ("the two versions of the game have sound .", (6, "have", "has", 1)),
    ("the release contains a picture .", (2, "contains", "contain", 0)),
    ("the dog carries bones", (2, "carries", "carry", 0)),
    ("the dogs carry bones", (2, "carry", "carries", 0)),
    ("the men lie there", (2, "lie", "lie", 0)),
    ("the key is here", (2, "is", "are", 0)),
    ("the keys are here", (2, "are", "is", 0)),
    ("the bus does stop", (2, "does", "do", 0)),
    ("we are the fallen", (1, "Are", "Is", 2)),
]


def test_sentences_of_linzen_are_labelled_by_the_form(tmp_path):
    source = linzen(tmp_path / "source", LINZEN)
    dropped = Counter()
    tables = read_linzen(source / "made.text", source / "made.gold", maximum_tokens=50, dropped=dropped)
    rows = pa.concat_tables(tables).to_pylist()
    assert dropped == {"verb_not_at_index": 1}
    assert [row["singular"] for row in rows] == [False, True, True, False, False, True, False, True]
    assert [row["doc_id"] for row in rows] == [str(line) for line in range(1, 9)]
    assert {row["sentence_id"] for row in rows} == {0}
    assert rows[0]["tokens"] == ["the", "two", "versions", "of", "the", "game"]
    assert (rows[0]["verb"], rows[0]["attractors"], rows[0]["distance"], rows[0]["tags"]) == ("have", 1, None, None)


def test_the_end_mark_is_not_a_token_of_the_sentence(tmp_path):
    source = linzen(tmp_path / "source", LINZEN[:2])
    dropped = Counter()
    files = source / "made.text", source / "made.gold"
    assert sum(table.num_rows for table in read_linzen(*files, maximum_tokens=9, dropped=dropped)) == 2
    assert sum(table.num_rows for table in read_linzen(*files, maximum_tokens=8, dropped=dropped)) == 1
    assert dropped == {"long_sentence": 1}


def test_without_tags_rare_words_are_split_by_form(tmp_path):
    prefix = "the 4th ending of tired dogs near xylo"
    rows = [(f"the dog number{number} is", (3, "is", "are", 0)) for number in range(30)]
    rows += [("the dogs are", (2, "are", "is", 0))] * 30 + [(f"{prefix} is", (8, "is", "are", 0))]
    source = linzen(tmp_path / "source", rows)
    for seed in range(9):  # until the one sentence is in train, and all its words but `the` and `dogs` are rare
        agreement.extract(source, tmp_path / "out", RULES.model_copy(update={"seed": seed}))
        if any(len(row["tokens"]) == 8 for row in read(tmp_path / "out", "train")):
            break
    (row,) = [row for row in read(tmp_path / "out", "train") if len(row["tokens"]) == 8]
    assert row["tokens"] == ["the", "<unk-digit>", "<unk-ing>", "<unk>", "<unk-ed>", "dogs", "<unk>", "<unk>"]
    assert list(vocabulary(tmp_path / "out"))[:6] == [
        "<pad>",
        "<unk>",
        "<unk-digit>",
        "<unk-ed>",
        "<unk-ing>",
        "<unk-s>",
    ]
    assert vocabulary(tmp_path / "out")["<unk-digit>"]["count"] > 20
    assert vocabulary(tmp_path / "out")["<unk-s>"] == {"id": 5, "word": "<unk-s>", "count": 0, "noun_number": None}


@pytest.mark.parametrize(
    ("word", "tag", "expected"),
    [
        ("gnu", "NN", "<NN>"),
        ("1990s", None, "<unk-digit>"),
        ("gnus", None, "<unk-s>"),
        ("grazing", None, "<unk-ing>"),
        ("grazed", None, "<unk-ed>"),
        ("gnu", None, "<unk>"),
    ],
)
def test_what_stands_for_a_rare_word(word, tag, expected):
    assert agreement.unknown_word(word, tag) == expected


@pytest.mark.parametrize(
    "row", ["2\tis\tare", "x\tis\tare\t0", "2\tis\tare\tmany", "2\t\tare\t0", "", "2\tis\tare\t0\t1"]
)
def test_a_bad_gold_row_is_named(tmp_path, row):
    source = linzen(tmp_path / "source", LINZEN[:2])
    gold = source / "made.gold"
    gold.write_text(gold.read_text().splitlines()[0] + "\n" + row + "\n")
    with pytest.raises(InputError, match=r"made\.gold, line 2: expected index, right form, wrong form"):
        agreement.extract(source, tmp_path / "out", RULES)
    assert not (tmp_path / "out").exists()


def test_text_and_gold_of_different_length_are_named(tmp_path):
    source = linzen(tmp_path / "source", LINZEN)
    gold = source / "made.gold"
    gold.write_text("".join(gold.read_text().splitlines(keepends=True)[:3]))
    with pytest.raises(InputError, match=r"made\.gold: ends before line 4, but .*made\.text goes on"):
        agreement.extract(source, tmp_path / "out", RULES)

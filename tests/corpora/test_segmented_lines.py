import pyarrow.parquet as pq
import pytest

from repline.cards import read_card
from repline.corpora.recipes import SegmentedLines
from repline.corpora.segmented_lines import write_corpus
from repline.errors import InputError


def rows(folder):
    return [row for path in sorted(folder.glob("part-*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_words_and_tags_by_hand(tmp_path):
    source = tmp_path / "texts"
    source.mkdir()
    (source / "b.txt").write_text("迈向/v  充满/v  希望/n\n\n1/2/m 。/w \n", encoding="utf-8")
    (source / "a.txt").write_text("\ufeff新年/t\n", encoding="utf-8")
    card = write_corpus(source, tmp_path / "out", SegmentedLines(language="zh"))
    assert rows(tmp_path / "out") == [
        {"doc_id": "a", "sentence_id": 0, "tokens": ["新年"], "tag": ["t"]},
        {"doc_id": "b", "sentence_id": 0, "tokens": ["迈向", "充满", "希望"], "tag": ["v", "v", "n"]},
        {"doc_id": "b", "sentence_id": 1, "tokens": ["1/2", "。"], "tag": ["m", "w"]},
    ]
    assert card["counts"] == {"documents": 2, "sentences": 3, "tokens": 6}
    assert read_card(tmp_path / "out")["parameters"]["language"] == "zh"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[中央/n 电台/n]nt 。/w", "中央/n 电台/n 。/w"),
        ("[中国/ns 工程院/n]/nt", "中国/ns 工程院/n"),
        ("[[中央/n 台/n]nt 记者/n]nz [新华社/nt]nt", "中央/n 台/n 记者/n 新华社/nt"),
        ("[/w 1/m ]/w [1]/m a]/n", "[/w 1/m ]/w [1]/m a]/n"),
        ("[[/w 中央/n ]/w]nt", "[/w 中央/n ]/w"),
        ("中央/n]nt [台/n", "中央/n]nt [台/n"),
    ],
)
def test_brackets_around_compounds_are_no_part_of_words_or_tags(tmp_path, line, words):
    (tmp_path / "text.txt").write_text(line, encoding="utf-8")
    write_corpus(tmp_path / "text.txt", tmp_path / "out", SegmentedLines(language="zh"))
    (row,) = rows(tmp_path / "out")
    assert [f"{word}/{tag}" for word, tag in zip(row["tokens"], row["tag"], strict=True)] == words.split()


def test_words_without_tags(tmp_path):
    (tmp_path / "text.txt").write_text("and/or a b\n", encoding="utf-8")
    write_corpus(tmp_path / "text.txt", tmp_path / "out", SegmentedLines(language="en", tags=False))
    assert rows(tmp_path / "out") == [{"doc_id": "text", "sentence_id": 0, "tokens": ["and/or", "a", "b"]}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("希望/n\n充满\n", "text.txt, line 2: expected WORD/TAG, found '充满'"),
        ("/n\n", "line 1: expected WORD/TAG, found '/n'"),
        ("希望/\n", "line 1: expected WORD/TAG"),
        ("\n \n", "there is no word in it"),
    ],
)
def test_a_broken_line_is_named_and_nothing_is_written(tmp_path, text, message):
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        write_corpus(tmp_path / "text.txt", tmp_path / "out", SegmentedLines(language="zh"))
    with pytest.raises(InputError, match="expected a text file"):
        write_corpus(tmp_path / "absent", tmp_path / "out", SegmentedLines(language="zh"))
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]

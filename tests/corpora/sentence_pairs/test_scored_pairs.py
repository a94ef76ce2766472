"""Files of scored pairs: their sentences as every other reader gives them."""

from repline.corpora.sentence_pairs.scored_pairs import read_pairs
from repline.reading.text_cleaning import INVISIBLE
from repline.reading.wrong_records import LeftOut


def read(folder, **reading):
    table = read_pairs(sorted(folder.iterdir()), lambda sentence: [sentence], **reading).to_pylist()
    return [(row["tokens_a"][0], row["tokens_b"][0], row["score"]) for row in table]


def test_sentences_of_semeval_are_cleaned(tmp_path):
    (tmp_path / "STS2012.input.a.txt").write_text("It\x92s a cafe\u0301.\tA \u200bcafé.\n", encoding="utf-8")
    (tmp_path / "STS2012.gs.a.txt").write_text("\u200b4.5\n", encoding="utf-8")
    left_out = LeftOut()
    assert read(tmp_path, on_error=left_out) == [("It’s a café.", "A café.", 4.5)]
    assert left_out.counts() == {INVISIBLE: 2}


def test_quotation_marks_around_a_field_go_with_a_head_and_without(tmp_path):
    rows = '"He said ""hi"""\t"a" and "b"\t1\n'
    (tmp_path / "a.pairs.tsv").write_text(rows, encoding="utf-8")
    (tmp_path / "b.pairs.tsv").write_text(f"sentence1\tsentence2\tscore\n{rows}", encoding="utf-8")
    assert read(tmp_path) == [('He said "hi"', '"a" and "b"', 1)] * 2

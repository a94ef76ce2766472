"""Rows of tables that a user brings: more or fewer fields, heads, quotation marks."""

import pyarrow.parquet as pq
import pytest

from repline.corpora.captions.caption_table import read_table as read_captions
from repline.corpora.dialogue.turns import read_own
from repline.corpora.entities.gold_entities import read_gold
from repline.corpora.labelled.collections.reviews import read_cad_sentiment
from repline.corpora.labelled.labelled_corpus import write_labelled
from repline.corpora.labelled.recipes import LabelledCorpus
from repline.corpora.recipes import RawText
from repline.corpora.segmented_text import segment
from repline.corpora.sentence_pairs.pair_corpus import read_pair_corpus, write_pairs
from repline.corpora.sentence_pairs.recipes import PairCorpus
from repline.errors import InputError
from repline.graphs.graph_files import read_graph
from repline.lexicons.bilingual_dictionary import read_dictionary
from repline.lexicons.constraints import read_pairs
from repline.lexicons.definitions import read_definitions
from repline.reading.wrong_records import LeftOut

PAIR_FILES = {  # form -> (file, head, a right row)
    "own": ("train.tsv", "sentence1\tsentence2\tlabel", "a b\tc d\tyes"),
    "sick": (
        "sick.train.txt",
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment",
        "1\ta b\tc d\t4.5\tNEUTRAL",
    ),
    "mrpc": ("mrpc.train.txt", "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String", "1\t1\t2\ta b\tc d"),
    "counterfactual": ("counterfactual.train.tsv", "sentence1\tsentence2\tgold_label", '"a b"\tc d\tneutral'),
}


@pytest.mark.parametrize("form", PAIR_FILES)
@pytest.mark.parametrize("change", ["more", "fewer"])
def test_a_pair_with_more_or_fewer_fields_is_wrong(tmp_path, form, change):
    name, head, row = PAIR_FILES[form]
    source = tmp_path / "source"
    source.mkdir()
    wrong = f"{row}\tmore" if change == "more" else row.rpartition("\t")[0]
    (source / name).write_text("\n".join([head, row, wrong, row]), encoding="utf-8-sig")
    with pytest.raises(InputError, match=rf"{name}, line 3: expected \d fields separated by tabs, found \d"):
        write_pairs(source, tmp_path / "pairs", PairCorpus(form=form))
    card = write_pairs(source, tmp_path / "pairs", PairCorpus(form=form, on_error="salvage"))
    assert card["counts"]["train"] == 2 and card["counts"]["wrong_records"] == 1
    assert [note.partition(":")[0] for note in card["notes"]] == ["salvaged", "left out"]
    assert read_pair_corpus(tmp_path / "pairs")["text_a"].to_pylist() == ["a b", "a b"]


@pytest.mark.parametrize("form", ["sick", "mrpc", "counterfactual"])
def test_a_table_of_pairs_without_its_head_loses_no_pair(tmp_path, form):
    name, _, row = PAIR_FILES[form]
    (tmp_path / name).write_text(f"{row}\n{row}\n\n", encoding="utf-8")
    assert write_pairs(tmp_path, tmp_path / "pairs", PairCorpus(form=form))["counts"]["train"] == 2


def test_a_question_in_quotation_marks_keeps_its_line_end(tmp_path):
    head = "id,question1_id,question2_id,question1,question2,relevance\n"
    (tmp_path / "cqa.train.csv").write_text(f'{head}1,Q1,Q2,"Oh\nwhere?",Here?,1\n', encoding="utf-8")
    write_pairs(tmp_path, tmp_path / "pairs", PairCorpus(form="cqa"))
    assert read_pair_corpus(tmp_path / "pairs")["text_a"].to_pylist() == ["Oh\nwhere?"]
    (tmp_path / "cqa.train.csv").write_text(f'{head}1,Q1,Q2,"Oh,Here?,1\n2,Q1,Q3,a,b,1\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"cqa\.train\.csv, line \d: a field in quotation marks does not end"):
        write_pairs(tmp_path, tmp_path / "pairs", PairCorpus(form="cqa"))


def labelled(path, tmp_path, **knobs):
    card = write_labelled(path, tmp_path / "out", LabelledCorpus(form="tsv", **knobs))
    return card, [
        (row["label"], row["text"]) for row in pq.read_table(tmp_path / "out" / "part-00000.parquet").to_pylist()
    ]


@pytest.mark.parametrize(
    ("text", "knobs", "rows"),
    [
        ("Text\tLabel\nOh good.\tpos\nbad\tneg\n", {}, [(["pos"], "Oh good."), (["neg"], "bad")]),
        ("LABEL\tid\ttext\npos\t7\tgood\n", {}, [(["pos"], "good")]),
        ("label\ttext\n", {"head": "no"}, [(["label"], "text")]),
        ("pos\tgood\n\nneg\tbad\n\n", {}, [(["pos"], "good"), (["neg"], "bad")]),
        (
            "label\ttext\npos\tGood.\nneg\npos\tFine.\n",
            {"on_error": "salvage"},
            [(["pos"], "Good."), (["pos"], "Fine.")],
        ),
    ],
)
def test_labelled_rows_by_their_head(tmp_path, text, knobs, rows):
    (tmp_path / "a.tsv").write_text(text, encoding="utf-8-sig")
    assert labelled(tmp_path / "a.tsv", tmp_path, **knobs)[1] == rows


@pytest.mark.parametrize(
    ("text", "knobs", "message"),
    [
        ("pos\tOh\tgood.\nneg\tbad\n", {}, "line 1: expected label and text"),
        ("label\ttext\npos\ta\tb\n", {}, "line 2: expected label and text"),
        ("pos\tgood\n", {"head": "yes"}, "line 1: expected a head with label and text"),
        ("pos\tcaf\xe9\n", {}, "line 1: .*0xe9 as byte 8"),
    ],
)
def test_wrong_labelled_rows_are_named(tmp_path, text, knobs, message):
    (tmp_path / "a.tsv").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=message):
        labelled(tmp_path / "a.tsv", tmp_path, **knobs)


def test_labelled_rows_left_out_are_counted_on_the_card(tmp_path):
    (tmp_path / "a.tsv").write_text("pos\tgood\nneg\nneg\tbad\tmore\npos\t\n", encoding="utf-8")
    card, rows = labelled(tmp_path / "a.tsv", tmp_path, on_error="salvage")
    assert rows == [(["pos"], "good")] and card["counts"]["wrong_records"] == 3
    assert card["notes"][1].startswith("left out: a.tsv, line 2: ")


def test_a_quotation_mark_that_nothing_closes_swallows_no_review(tmp_path):
    for part in ("train", "dev", "test"):
        rows = 'Positive\t"Oh good.\nNegative\tBad one.\nPositive\tFine" he said.\nNegative\t"So ""bad""."\n'
        (tmp_path / f"orig_{part}.tsv").write_text(f"Sentiment\tText\n{rows}", encoding="utf-8")
    texts = [review.text for review in read_cad_sentiment(tmp_path) if review.part == "train"]
    assert texts == ['"Oh good.', "Bad one.", 'Fine" he said.', 'So "bad".']


def test_a_graph_has_no_head_as_a_triple(tmp_path):
    (tmp_path / "triples.tsv").write_text("Subject\tpredicate\tobject\na\tr\tb\nb\tr\ta\n", encoding="utf-8-sig")
    assert read_graph(tmp_path).entities == ["a", "b"]
    assert len(read_graph(tmp_path, head="no").triples) == 3
    assert len(read_graph(tmp_path, head="yes").triples) == 2


def test_a_line_of_a_graph_outside_the_encoding_is_left_out(tmp_path):
    (tmp_path / "triples.tsv").write_bytes(b"a\tr\tb\ncaf\xe9\tr\tb\nb\tr\ta\n")
    with pytest.raises(InputError, match=r"triples\.tsv, line 2: .*0xe9 as byte 4"):
        read_graph(tmp_path)
    graph = read_graph(tmp_path, on_error="salvage")
    assert graph.entities == ["a", "b"]
    assert graph.notes[0] == "salvaged: 1 wrong record left out: 1 (no UTF-8 text)"
    assert read_graph(tmp_path, encoding="latin-1").entities == ["a", "b", "café"]


@pytest.mark.parametrize(
    ("read", "text", "expected"),
    [
        (read_pairs, "word1 word2\nhappy glad\n", [("happy", "glad")]),
        (read_dictionary, "Source\tTarget\nHaus\thouse, home\n", [("haus", "house"), ("haus", "home")]),
        (
            lambda path: read_definitions(path, str.split),
            "Word\tDefinition\ndog\tan animal\n",
            {"dog": ["an", "animal"]},
        ),
    ],
)
def test_heads_of_lexicons_are_no_entries(tmp_path, read, text, expected):
    (tmp_path / "a.tsv").write_text(text, encoding="utf-8-sig")
    assert read(tmp_path / "a.tsv") == expected


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_dictionary, "Haus\thouse, home\tnoun\n"),
        (lambda path: read_definitions(path, str.split), "dog\tan animal\tmore\n"),
        (read_pairs, "happy glad more\n"),
    ],
)
def test_a_field_more_in_a_lexicon_is_refused(tmp_path, read, text):
    (tmp_path / "a.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.tsv, line 1: expected"):
        read(tmp_path / "a.tsv")


def test_a_caption_has_one_field(tmp_path):
    (tmp_path / "captions.tsv").write_text("1.jpg\tA dog.\tmore\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"captions\.tsv, line 1: expected the name of a picture, a tab and a caption"):
        list(read_captions(tmp_path, (0.1, 0.1), 0))


def test_wrong_sentences_with_gold_entities_are_left_out(tmp_path):
    path = tmp_path / "a.iob2"
    path.write_text("# a\n1\tBob\tB-PER\n\n1\tZürich\tB-CITY\n\n1\tBern\tB-LOC\n2\tis\tO\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.iob2, line 4: expected word number 1"):
        read_gold(path)
    left_out = LeftOut("salvage")
    assert read_gold(path, on_error=left_out).tokens == [["Bob"], ["Bern", "is"]]
    assert left_out.reasons.total() == 1


def test_wrong_conversations_are_left_out(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"turns": ["a", "b"]}\nnothing\n{"turns": ["a", ""]}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r'a\.jsonl, line 2: expected \{"turns"'):
        list(read_own(tmp_path))
    left_out = LeftOut("salvage")
    assert len(list(read_own(tmp_path, on_error=left_out))) == 1
    assert left_out.reasons.total() == 2


def test_raw_lines_outside_the_encoding_are_left_out_or_said(tmp_path):
    (tmp_path / "a.txt").write_bytes("One.\nCafé.\nTwo.\n".encode("latin-1"))
    out = tmp_path / "out"
    with pytest.raises(InputError, match=r"a\.txt, line 2: .*encoding: latin-1"):
        segment(tmp_path / "a.txt", out, RawText(language="en"))
    card = segment(tmp_path / "a.txt", out, RawText(language="en", on_error="salvage"))
    assert card["counts"]["sentences"] == 2 and card["counts"]["wrong_records"] == 1
    card = segment(tmp_path / "a.txt", out, RawText(language="en", encoding="latin-1"))
    assert card["counts"]["sentences"] == 3 and card["parameters"]["encoding"] == "latin-1"

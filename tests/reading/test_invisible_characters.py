"""Characters that one cannot see are neither words nor in words, and the card counts them; letters are composed."""

import json
import re
import unicodedata

import numpy as np
import pyarrow.parquet as pq
import pytest

import repline
from repline.cards import read_card, write_card
from repline.corpora.dialogue.turns import read_own as read_conversations
from repline.corpora.labelled.labelled_corpus import write_labelled
from repline.corpora.labelled.recipes import LabelledCorpus
from repline.corpora.language_modeling.corpus import build as build_stream
from repline.corpora.parallel.bitext import build as build_bitext
from repline.corpora.parallel.multiway import build as build_multiway
from repline.corpora.parallel.recipes import BitextCorpus, MultiwayCorpus
from repline.corpora.recipes import RawText
from repline.corpora.segmented_text import segment
from repline.corpora.sentence_pairs.pair_corpus import read_pair_corpus, write_pairs
from repline.corpora.sentence_pairs.recipes import PairCorpus
from repline.errors import InputError
from repline.graphs.graph_files import read_graph
from repline.reading import conllu
from repline.reading.text_cleaning import INVISIBLE, clean_text
from repline.reading.wrong_records import LeftOut
from repline.vectors.conversion import convert
from repline.vectors.formats.readers import read
from repline.vectors.store import save, words_and_matrix
from tests.wrong_record_cases import CASES

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
NO_WORDS = {
    "brackets",
    "characters",
    "expressions",
    "formulas",
    "values of expressions",
    "lists of Flickr8k",
    "lists of pictures",
}
HEART = "\u2764\ufe0f\u200d\U0001f525"


@pytest.mark.parametrize("mark", ["\u200b", "\u200e", "\u200f", "\u00ad", "\u2060", "\ufeff", "\x07", "\x00", "\u202c"])
@pytest.mark.parametrize("text", ["{}co{}operative{} city.{}", "{}诗{}人{}。{}"])
def test_marks_go_wherever_they_stand(mark, text):
    counts = {}
    assert clean_text(text.replace("{}", mark), counts) == text.replace("{}", "")
    assert counts == {INVISIBLE: 4}


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",  # Persian: a word of two parts
        "क्\u200dष ന്\u200d",  # Hindi, and a letter of Malayalam at the end of a word
        FAMILY,
        HEART,
        "white\tspace and\u2028lines\u3000stay",
    ],
)
def test_joiners_that_spell_and_white_space_stay(text):
    counts = {}
    assert clean_text(text, counts) == text and counts == {}


@pytest.mark.parametrize(("text", "visible"), [("这里\u200d。", "这里。"), ("\u200da", "a"), ("a \u200c b", "a  b")])
def test_joiners_that_join_nothing_go(text, visible):
    assert clean_text(text) == visible


@pytest.mark.parametrize(
    ("text", "visible", "taken_out"),
    [
        ("Stallone\x97that don\x92t no\x97budget", "Stallone—that don’t no—budget", 0),
        ("\x93Wait\x85\x94 \x80 5 \x96 10\x99", "“Wait…” € 5 – 10™", 0),
        ("\x9eivot \x8aibenik", "život Šibenik", 0),
        ("a\x81b\x8dc\x8fd\x90e\x9df", "abcdef", 5),
        ("co\u00adop\x97\x81no", "coop—no", 2),
    ],
)
def test_controls_of_latin_1_are_the_characters_of_windows_1252(text, visible, taken_out):
    counts = {INVISIBLE: 0}
    assert clean_text(text, counts) == visible and counts == {INVISIBLE: taken_out}


@pytest.mark.parametrize(
    "word", ["caf\u00e9", "\u00dcbung", "\u1ec7", "\ud55c\uad6d\uc5b4", "\u304c", "c\u0323\u0301", "\u0439", "\u00c5"]
)
def test_letters_are_composed_with_their_marks(word):
    composed = unicodedata.normalize("NFC", word)
    counts = {}
    assert clean_text(unicodedata.normalize("NFD", word), counts) == clean_text(word, counts) == composed
    assert counts == {}  # nothing is left out


def tokens(folder):
    return [row["tokens"] for row in pq.read_table(folder / "part-00000.parquet").to_pylist()]


def test_raw_text_is_segmented_without_them(tmp_path):
    (tmp_path / "a.txt").write_text("Vienna\u200e is a co\u00adoperative city.\u200b\n", encoding="utf-8")
    card = segment(tmp_path / "a.txt", tmp_path / "out", RawText(language="en"))
    assert tokens(tmp_path / "out") == [["Vienna", "is", "a", "cooperative", "city", "."]]
    assert card["counts"][INVISIBLE] == 3
    (tmp_path / "a.txt").write_text("诗\u200b人\ufeff贾岛\u2060在\u00ad这里\u200d。\x07\n", encoding="utf-8")
    segment(tmp_path / "a.txt", tmp_path / "out", RawText(language="zh"))
    assert tokens(tmp_path / "out") == [["诗人", "贾岛", "在", "这里", "。"]]


def test_a_card_of_text_without_them_does_not_count_them(tmp_path):
    (tmp_path / "a.txt").write_text("Vienna is a city.\n", encoding="utf-8")
    assert INVISIBLE not in segment(tmp_path / "a.txt", tmp_path / "out", RawText(language="en"))["counts"]


def test_texts_of_two_languages_have_none(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.tsv").write_text("1\tco\u00adop\t\u200bBund\n", encoding="utf-8")
    card = build_bitext(source, tmp_path / "bitext", BitextCorpus(languages=["en", "de"]))
    row = pq.read_table(tmp_path / "bitext/part-00000.parquet").to_pylist()[0]
    assert (row["first"], row["second"], row["second_text"]) == (["coop"], ["Bund"], "Bund")
    assert card["counts"][INVISIBLE] == 2
    for language, text in (("en", "co\u00adop"), ("de", "Bund")):
        (source / f"b.{language}.txt").write_text(f"{text}\n", encoding="utf-8")
    (source / "a.tsv").unlink()
    card = build_multiway(source, tmp_path / "texts", MultiwayCorpus(languages=["en", "de"]))
    assert tokens(tmp_path / "texts") == [["coop"], ["bund"]] and card["counts"][INVISIBLE] == 1


def test_pairs_of_sentences_have_none(tmp_path):
    (tmp_path / "train.tsv").write_text("sentence1\tsentence2\tlabel\nco\u00adop\tb\u200b\tyes\n", encoding="utf-8")
    card = write_pairs(tmp_path, tmp_path / "out", PairCorpus(form="own"))
    row = read_pair_corpus(tmp_path / "out").to_pylist()[0]
    assert (row["text_a"], row["tokens_a"], row["text_b"]) == ("coop", ["coop"], "b")
    assert card["counts"][INVISIBLE] == 2


def test_raw_text_for_language_models_has_none(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    for part in ("train", "valid", "test"):
        (source / f"{part}.txt").write_text("the co\u00adop \u200b is here\n", encoding="utf-8")
    write_card(source, name="a", description="a", licence="CC0-1.0", sources=[], parameters={}, counts={})
    card = build_stream(source, tmp_path / "out")
    words = pq.read_table(tmp_path / "out/vocabulary.parquet")["word"].to_pylist()
    assert set(words) == {"<unk>", "<eos>", "the", "coop", "is", "here"}
    assert card["counts"][INVISIBLE] == 6 and read_card(tmp_path / "out")["counts"][INVISIBLE] == 6


def test_words_of_treebanks_have_none(tmp_path):
    (tmp_path / "a.conllu").write_text("1\t\ufeffHi\t\ufeffhi\tINTJ\t_\t_\t0\troot\t_\t_\n", encoding="utf-8")
    (sentence,) = conllu.read([tmp_path / "a.conllu"])
    assert (sentence["tokens"], sentence["lemma"]) == (["Hi"], ["hi"])


@pytest.mark.parametrize("mark", ["\u200b", "\u200e", "\u00ad", "\u2060", "\ufeff"])
@pytest.mark.parametrize("name", sorted(set(CASES) - {"brackets"}))  # which are no words
def test_words_of_every_reader_have_none_and_they_are_counted(name, mark, tmp_path):
    case, path = CASES[name], tmp_path / CASES[name].name
    text = "\n".join([*case.records, ""])
    for other, content in (*case.files, (path.name, text)):
        (tmp_path / other).write_text(content, encoding="utf-8")
    right = case.read(path)
    path.write_text(re.sub(r"\w\b", lambda last: f"{last[0]}{mark}", text), encoding="utf-8")
    left_out = LeftOut()
    assert case.read(path, on_error=left_out) == right
    assert left_out.counts() == {INVISIBLE: len(path.read_text(encoding="utf-8")) - len(text)}
    assert left_out.notes() == [f"taken out: {left_out.invisible[INVISIBLE]} invisible characters"]


@pytest.mark.parametrize("name", sorted(set(CASES) - NO_WORDS))
def test_words_of_every_reader_are_composed(name, tmp_path):
    case, path = CASES[name], tmp_path / CASES[name].name
    *before, last = case.records
    for other, content in case.files:
        (tmp_path / other).write_text(content, encoding="utf-8")

    def read(record, form):
        path.write_text(unicodedata.normalize(form, "\n".join([*before, record, ""])), encoding="utf-8")
        try:
            return case.read(path, on_error=LeftOut())
        except InputError:
            return None

    right, accepted = read(last, "NFC"), 0
    for end in [match.end() for match in re.finditer(r"[^\W\d_]\b", last)]:
        accented = f"{last[:end]}\u0301\u0323{last[end:]}"
        composed = read(accented, "NFC")
        assert read(accented, "NFD") == composed
        accepted += composed not in (None, right)
    assert accepted


@pytest.mark.parametrize("binary", [False, True])
def test_words_of_vectors_have_none_and_one_that_is_nothing_else_is_passed_over(binary, tmp_path):
    words = ["co\u00adop", "\u200b", "a", "a\u200e", "coop", "می\u200cخواهم", "\u200d"]
    vectors = np.arange(2 * len(words), dtype=np.float32).reshape(-1, 2)
    if binary:
        rows = [f"{word} ".encode() + vector.tobytes() for word, vector in zip(words, vectors, strict=True)]
        (tmp_path / "a.bin").write_bytes(b"7 2\n" + b"".join(rows))
    else:
        rows = [f"{word} {x} {y}" for word, (x, y) in zip(words, vectors.tolist(), strict=True)]
        (tmp_path / "a.bin").write_text("\n".join(["7 2", *rows, ""]), encoding="utf-8")
    card = convert(tmp_path / "a.bin", tmp_path / "out")
    stored, matrix = words_and_matrix(tmp_path / "out")
    assert list(stored) == ["coop", "a", "می\u200cخواهم"]
    assert matrix.tolist() == [[0, 1], [4, 5], [10, 11]]
    assert card["notes"] == [
        "passed over: 4 words that differ from others in invisible characters or forms of Unicode alone, "
        "or that are nothing else",
        "taken out: 4 invisible characters",
    ]


def test_words_of_vectors_as_arrays_are_found(tmp_path):
    words = ["cafe\u0301", "co\u00adop", "\u200b", "a\u200e", "a"]
    (tmp_path / "table").mkdir()
    np.save(tmp_path / "table/matrix.npy", np.arange(10, dtype=np.float32).reshape(5, 2))
    (tmp_path / "table/words.json").write_text(json.dumps(words), encoding="utf-8")
    visible = ["caf\u00e9", "coop", "\u200b", "a\u200e", "a"]  # as many as vectors, and different ones
    assert read(tmp_path / "table")[0] == visible
    assert "taken out: 1 invisible characters" in convert(tmp_path / "table", tmp_path / "out")["notes"]
    assert words_and_matrix(tmp_path / "out")[0] == visible
    save(tmp_path / "saved", words, np.ones((5, 2)))
    assert repline.load(tmp_path / "saved").vectors(["cafe\u0301", "co\u00adop"]).all()


def test_graphs_have_none_in_names(tmp_path):
    (tmp_path / "triples.tsv").write_text("An\u00adna\tknows\tBob\u200e\nBob\tknows\tAnna\n", encoding="utf-8")
    graph = read_graph(tmp_path)
    assert (graph.entities, len(graph.triples)) == (["Anna", "Bob"], 2)
    assert graph.notes == ["taken out: 2 invisible characters"]


def test_labelled_texts_and_conversations_have_none_also_where_json_escapes_them(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"label": "good", "text": "co\\u00adop"}\n', encoding="utf-8")
    card = write_labelled(tmp_path / "a.jsonl", tmp_path / "out", LabelledCorpus(form="tsv"))
    assert pq.read_table(tmp_path / "out/part-00000.parquet")["text"].to_pylist() == ["coop"]
    assert card["counts"][INVISIBLE] == 1
    (tmp_path / "b.jsonl").write_text('{"turns": ["co\\u00adop", "\\u200bYes"]}\n', encoding="utf-8")
    (conversation,) = read_conversations(tmp_path / "b.jsonl")
    assert [turn.text for turn in conversation.turns] == ["coop", "Yes"]

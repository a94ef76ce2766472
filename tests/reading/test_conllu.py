import gzip

import pytest

from repline.errors import InputError
from repline.reading import conllu
from repline.reading.wrong_records import LeftOut

TEXT = """\
# newdoc id = first
# sent_id = first-0001
# text = They don't bark.
1\tThey\tthey\tPRON\tPRP\t_\t4\tnsubj\t4:nsubj\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tbark\tbark\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
4.1\tghost\tghost\tNOUN\tNN\t_\t_\t_\t4:obj\t_
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# sent_id = first-0002
1\t_\t_\tPUNCT\t_\t_\t0\troot\t_\t_

# newdoc id = second
1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_
"""


@pytest.fixture
def treebank(tmp_path):
    path = tmp_path / "small.conllu"
    path.write_text(TEXT, encoding="utf-8")
    return path


def line(number, head="0", form="w"):
    return "\t".join([str(number), form, form, "NOUN", "NN", "_", str(head), "dep", "_", "_"]) + "\n"


def test_words_heads_and_documents(treebank):
    first, second, third = conllu.read([treebank])
    assert first == {
        "doc_id": "first",
        "sentence_id": 0,
        "tokens": ["They", "do", "n't", "bark", "."],
        "lemma": ["they", "do", "not", "bark", "."],
        "pos": ["PRON", "AUX", "PART", "VERB", "PUNCT"],
        "tag": ["PRP", "VBP", "RB", "VB", "."],
        "head": [3, 3, 3, -1, 3],
        "dep": ["nsubj", "aux", "advmod", "root", "punct"],
    }
    assert (second["doc_id"], second["sentence_id"]) == ("first", 1)
    assert (second["tokens"], second["lemma"], second["tag"]) == (["_"], ["_"], [None])
    assert (third["doc_id"], third["sentence_id"], third["tokens"]) == ("second", 0, ["Yes"])


def test_compressed_files_read_the_same(treebank, tmp_path):
    packed = tmp_path / "small.conllu.gz"
    packed.write_bytes(gzip.compress(TEXT.encode()))
    assert list(conllu.read([packed])) == list(conllu.read([treebank]))


def test_documents_come_from_sentence_names_or_the_file(tmp_path):
    named = tmp_path / "named.conllu"
    named.write_text("".join(f"# sent_id = {name}\n{line(1)}\n" for name in ("blog-a-1", "blog-a-2", "blog-b-1")))
    plain = tmp_path / "plain.conllu"
    plain.write_text(f"{line(1)}\n{line(1)}\n")
    ids = [(row["doc_id"], row["sentence_id"]) for row in conllu.read([named, plain])]
    assert ids == [("blog-a", 0), ("blog-a", 1), ("blog-b", 0), ("plain", 0), ("plain", 1)]


def test_a_missing_blank_line_at_the_end_loses_nothing(tmp_path):
    path = tmp_path / "open.conllu"
    path.write_text(line(1).rstrip("\n"))
    assert [row["tokens"] for row in conllu.read([path])] == [["w"]]


def test_batches_hold_all_sentences_in_order(treebank):
    batches = list(conllu.record_batches([treebank], size=2))
    assert [batch.num_rows for batch in batches] == [2, 1]
    assert [row for batch in batches for row in batch.to_pylist()] == list(conllu.read([treebank]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (line(1) + "2\ttwo\n", "broken.conllu, line 2: expected 10 fields separated by tabs, found 2"),
        (line(1) + line(3), "line 2: expected word number 2, found '3'"),
        (line(1, head=2), "line 1: expected a head from 0 to 1 other than the word itself, found '2'"),
        (line(1, head=1), "line 1: expected a head"),
        (line(1, form=""), "line 1: expected a form of the word, found none"),
        (line(1, form="\u200b"), "line 1: expected a form of the word, found none"),
        (line(1).replace("NOUN", ""), "line 1: expected ten fields with something in them"),
        (line(1) + "a-b\ttwo" + "\t_" * 8, "line 2: expected word number 2, found 'a-b'"),
        (line(1) + "# text = a\n" + line(2), "line 2: .* found 1; comments stand before the first word"),
        (line(1) + line(2, head="-1"), "line 2: expected a head"),
        ("\n" + line("1-2"), "line 2: this sentence has no words"),
    ],
)
def test_a_malformed_line_is_named(tmp_path, text, message):
    path = tmp_path / "broken.conllu"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        list(conllu.read([path]))


def test_words_without_heads_are_words(tmp_path):
    path = tmp_path / "plain.conllu"
    path.write_text(line(1, head="_") + line(2, head=1))
    (sentence,) = conllu.read([path])
    assert (sentence["tokens"], sentence["head"]) == (["w", "w"], [None, 0])
    assert next(conllu.record_batches([path]))["head"].to_pylist() == [[None, 0]]


def test_a_head_of_many_digits_is_a_wrong_head(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(line(1, "9" * 5000))
    with pytest.raises(InputError, match="line 1: expected a head from 0 to 1 other than the word itself"):
        list(conllu.read([path]))


@pytest.mark.parametrize(
    ("comments", "documents"),
    [
        (["# newdoc", "# newdoc", ""], [("a", 0), ("a-2", 0), ("a-2", 1)]),
        (["# newdoc id = x", "# newdoc id = y", "# newdoc id = x"], [("x", 0), ("y", 0), ("x", 1)]),
        (["# newdoc id = x", "# newdoc", "# newdoc id = y"], [("x", 0), ("a", 0), ("y", 0)]),
        (["# newdoc id=x", "#sent_id=s-2", "# global.columns = ID"], [("x", 0), ("x", 1), ("x", 2)]),
        (["# newdoc\n# sent_id = s-1", "# newdoc\n# sent_id = s-2"], [("a", 0), ("a-2", 0)]),
        (["# sent_id = s-1", "# newdoc", "# sent_id = s-2"], [("s", 0), ("a", 0), ("a", 1)]),
    ],
)
def test_documents_begin_where_the_file_says_so(tmp_path, comments, documents):
    path = tmp_path / "a.conllu"
    path.write_text("".join(f"{comment}\n{line(1)}\n".lstrip("\n") for comment in comments))
    assert [(row["doc_id"], row["sentence_id"]) for row in conllu.read([path])] == documents


def test_files_of_one_stem_are_documents_by_their_whole_names(tmp_path):
    names = ("de.conllu", "en.news.CoNLLU.gz", "en.wiki.conllu", "fr.news.conllu")
    for name in names:
        (tmp_path / name).write_bytes((gzip.compress if name.endswith("gz") else bytes)(f"{line(1)}\n".encode()))
    rows = conllu.read([tmp_path / name for name in names])
    assert [row["doc_id"] for row in rows] == ["de", "en.news", "en.wiki", "fr"]


@pytest.mark.parametrize("content", ["{0}\n{0}", "\ufeff# text = w\n{0}\n\n{0}\n\n", "{0} \t \n{0}"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_marks_line_ends_and_lines_of_blanks_change_no_sentence(tmp_path, content, end):
    path = tmp_path / "a.conllu"
    path.write_bytes(content.format(line(1)).replace("\n", end).encode())
    assert [row["tokens"] for row in conllu.read([path])] == [["w"], ["w"]]


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([2, 1], "line 1: expected heads that form a tree, found a cycle of the words 1 -> 2 -> 1"),
        ([0, 4, 2, 3], "line 2: expected heads that form a tree, found a cycle of the words 2 -> 4 -> 3 -> 2"),
        ([3, "_", 4, 3], "line 3: expected heads that form a tree, found a cycle of the words 3 -> 4 -> 3"),
        ([0, 0, 2, 1], None),
        ([2, "_", 2], None),
        ([*range(2, 20_001), 0], None),
    ],
)
def test_heads_form_a_tree_which_may_have_several_roots(tmp_path, heads, message):
    path = tmp_path / "a.conllu"
    path.write_text("".join(line(number, head) for number, head in enumerate(heads, start=1)))
    if message:
        with pytest.raises(InputError, match=message):
            list(conllu.read([path]))
    else:
        (sentence,) = conllu.read([path])
        assert sentence["head"] == [None if head == "_" else head - 1 for head in heads]


@pytest.mark.parametrize(
    "wrong", [line(1)[:-3] + "\n", line(2), line(1, head=5), line(1, form=" "), line("1-2"), line(1, 2) + line(2, 1)]
)
def test_a_wrong_sentence_is_left_out_and_counted(tmp_path, wrong):
    path = tmp_path / "a.conllu"
    path.write_text(f"{line(1, form='one')}\n{wrong}\n{line(1, form='three')}\n")
    left_out = LeftOut("salvage")
    rows = list(conllu.read([path], on_error=left_out))
    assert [(row["sentence_id"], row["tokens"]) for row in rows] == [(0, ["one"]), (1, ["three"])]
    assert left_out.reasons.total() == 1 and left_out.named[0].startswith("a.conllu, line 3: ")


def test_sentences_outside_the_encoding_are_left_out_and_counted(tmp_path):
    path = tmp_path / "a.conllu"
    wrong = [line(1, form="caf\xe9"), line(1) + line(2, form="caf\xe9"), "# text = caf\xe9\n" + line(1)]
    path.write_bytes("\n".join([line(1, form="one"), *wrong, line(1, form="two")]).encode("latin-1"))
    left_out = LeftOut("salvage")
    assert [row["tokens"] for row in conllu.read([path], on_error=left_out)] == [["one"], ["two"]]
    assert left_out.reasons == {"not in the encoding": 3}
    assert "0xe9" in left_out.named[0] and str(tmp_path) not in left_out.named[0]
    assert len(list(conllu.read([path], encoding="latin-1"))) == 5


def test_invisible_characters_are_no_part_of_words(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(line(1, form="\ufeffHi\u200b") + line(2, form="می\u200cروم"), encoding="utf-8")
    (sentence,) = conllu.read([path])
    assert sentence["tokens"] == sentence["lemma"] == ["Hi", "می\u200cروم"]


def test_unreadable_files_are_named(tmp_path):
    truncated = tmp_path / "truncated.conllu.gz"
    truncated.write_bytes(gzip.compress((TEXT + "\n").encode() * 5000)[:-40])
    with pytest.raises(InputError, match=r"truncated\.conllu\.gz: the compression is damaged"):
        list(conllu.read([truncated]))
    (tmp_path / "plain.gz").write_text("not compressed")
    with pytest.raises(InputError, match=r"plain\.gz: the compression is damaged"):
        list(conllu.read([tmp_path / "plain.gz"]))
    (tmp_path / "latin.conllu").write_bytes(line(1).encode() + "2\tcaf\xe9".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.conllu, line 2: expected UTF-8"):
        list(conllu.read([tmp_path / "latin.conllu"]))
    with pytest.raises(InputError, match="there is no such file"):
        list(conllu.read([tmp_path / "absent.conllu"]))

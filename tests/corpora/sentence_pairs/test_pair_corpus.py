"""Every form of sentence pairs is read as its authors wrote it; a broken line is one sentence, nothing is written."""

import pytest

from repline.corpora.sentence_pairs.community_questions import read_questions
from repline.corpora.sentence_pairs.pair_corpus import read_pair_corpus, write_pairs
from repline.corpora.sentence_pairs.recipes import PairCorpus
from repline.errors import InputError

SICK_HEAD = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
MRPC_HEAD = "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\n"
XML = """<?xml version="1.0"?>
<!DOCTYPE xml [
<!ELEMENT xml (OrgQuestion*)>
]>
<xml><OrgQuestion ORGQ_ID="Q1"><OrgQSubject>Good Bank</OrgQSubject><OrgQBody>Which one?</OrgQBody>
<Thread><RelQuestion RELQ_ID="Q1_R2" RELQ_RELEVANCE2ORGQ="PerfectMatch"><RelQSubject>Best &amp; cheap</RelQSubject>
<RelQBody/></RelQuestion></Thread></OrgQuestion></xml>
"""
CSV_HEAD = "id,question1_id,question2_id,question1,question2,relevance\r\n"
FORMS = {
    "sick": ("sick.trial.txt", SICK_HEAD + "4\tA boy runs\tNo boy runs\t3.6\tCONTRADICTION\n"),
    "stsb": ("stsb.dev.csv", 'main-forum\tfile\t2012\t0024\t2.50\tA "quoted man\tA person\n'),
    "mrpc": ("mrpc.test.txt", MRPC_HEAD + '1\t12\t34\tHe said " so .\tSo he said .\n'),
    "counterfactual": (
        "counterfactual.train.tsv",
        'sentence1\tsentence2\tgold_label\n"A ""shop"" is open."\tA shop.\tneutral\n',
    ),
    "cqa": ("cqa.dev.xml", XML),
    "own": ("test.tsv", "label\tsentence2\tsentence1\nyes\tb c\ta\n\n"),
}
ROWS = {
    "sick": ("4", "dev", "", "A boy runs", "No boy runs", "contradiction", 3.6),
    "stsb": ("1", "dev", "forums", 'A "quoted man', "A person", None, 2.5),
    "mrpc": ("12-34", "test", "", 'He said " so .', "So he said .", "paraphrase", None),
    "counterfactual": ("2", "train", "", 'A "shop" is open.', "A shop.", "neutral", None),
    "cqa": ("Q1_R2", "dev", "Q1", "Good Bank. Which one?", "Best & cheap", "PerfectMatch", None),
    "own": ("2", "test", "", "a", "b c", "yes", None),
}


def test_character_references_of_questions_are_read_in_both_forms(tmp_path):
    (tmp_path / "a.csv").write_text(CSV_HEAD + "1,Q1,R1,Who&#39;s &amp; where?,a &lt; b,1\n", encoding="utf-8")
    (tmp_path / "a.xml").write_text(XML.replace("Which one?", "Who&#39;s?"), encoding="utf-8")
    (pair,) = read_questions(tmp_path / "a.csv")
    assert (pair.first, pair.second) == ("Who's & where?", "a < b")
    assert next(read_questions(tmp_path / "a.xml")).first == "Good Bank. Who's?"


def source(tmp_path, name, text):
    folder = tmp_path / "source"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


@pytest.mark.parametrize("form", FORMS)
def test_a_pair_of_each_form(form, tmp_path):
    card = write_pairs(source(tmp_path, *FORMS[form]), tmp_path / "corpus", PairCorpus(form=form))
    (row,) = read_pair_corpus(tmp_path / "corpus").to_pylist()
    names = ("pair_id", "split", "group", "text_a", "text_b", "label", "score")
    assert tuple(row[name] for name in names) == ROWS[form]
    assert "".join(row["tokens_a"]) == row["text_a"].replace(" ", "")
    assert card["counts"][row["split"]] == 1


@pytest.mark.parametrize(
    ("name", "split"),
    [("glosses.dev.pairs.tsv", "dev"), ("train.tsv", "train"), ("valid.tsv", "dev"), ("my set.val.pairs.tsv", "dev")],
)
def test_own_tables_may_have_a_name(name, split, tmp_path):
    folder = source(tmp_path, name, FORMS["own"][1])
    (folder / "verses.test.tsv").write_text("no pairs\n", encoding="utf-8")
    write_pairs(folder, tmp_path / "corpus", PairCorpus(form="own"))
    assert read_pair_corpus(tmp_path / "corpus")["split"].to_pylist() == [split]
    (folder / "glosses.evaluation.pairs.tsv").write_text("no part\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"glosses\.evaluation\.pairs\.tsv: expected the name NAME\.PART\.pairs\.tsv"):
        write_pairs(folder, tmp_path / "corpus", PairCorpus(form="own"))


def test_the_csv_of_questions_has_two_labels(tmp_path):
    text = CSV_HEAD + '0,Q1,Q1_R1,Oil. Where?,"oil, ""scented""?",1\r\n1,Q1,Q1_R6,Oil. Where?,Bank.,0\r\n'
    write_pairs(source(tmp_path, "cqa.train.1.csv", text), tmp_path / "corpus", PairCorpus(form="cqa"))
    rows = read_pair_corpus(tmp_path / "corpus", "train").to_pylist()
    assert [(row["text_b"], row["label"], row["group"]) for row in rows] == [
        ('oil, "scented"?', "Relevant", "Q1"),
        ("Bank.", "Irrelevant", "Q1"),
    ]


def test_a_share_of_the_training_groups_becomes_dev(tmp_path):
    lines = [f"{n},Q{n // 4},R{n},question {n // 4},other {n},{n % 2}\r\n" for n in range(40)]
    write_pairs(
        source(tmp_path, "cqa.train.1.csv", CSV_HEAD + "".join(lines)),
        tmp_path / "c",
        PairCorpus(form="cqa", dev_share=0.3),
    )
    groups = {split: set(read_pair_corpus(tmp_path / "c", split)["group"].to_pylist()) for split in ("train", "dev")}
    assert len(groups["dev"]) == 3 and len(groups["train"]) == 7 and not groups["dev"] & groups["train"]


BROKEN = [
    ("sick", "sick.train.txt", SICK_HEAD + "1\ta\tb\t3\tMAYBE\n", "line 2: expected one of ENTAILMENT"),
    ("sick", "sick.train.txt", SICK_HEAD + "1\ta\tb\tnan\tNEUTRAL\n", "line 2: expected a score, found 'nan'"),
    ("sick", "sick.train.txt", SICK_HEAD + "1\ta\tb\n", "line 2: expected 5 fields"),
    ("stsb", "stsb.train.csv", "main\tfile\t2012\t0024\t\tA man\tA person\n", "line 1: expected a score, found ''"),
    ("mrpc", "mrpc.train.txt", MRPC_HEAD + "2\t12\t34\ta\tb\n", "line 2: expected one of 0, 1"),
    (
        "counterfactual",
        "counterfactual.dev.tsv",
        "sentence1\tsentence2\tgold_label\na\t\tneutral\n",
        "line 2: the second sentence is empty",
    ),
    ("cqa", "cqa.dev.xml", XML.replace("PerfectMatch", "Good"), "line 7: expected one of PerfectMatch"),
    ("cqa", "cqa.dev.xml", XML[:-9], "not well-formed XML"),
    (
        "cqa",
        "cqa.dev.xml",
        XML.replace("<!ELEMENT xml (OrgQuestion*)>", '<!ENTITY e "x">'),
        "line 3: entities of its own",
    ),
    ("cqa", "cqa.dev.csv", "a,b\r\n", "line 1: expected the head id,question1_id"),
    ("own", "train.tsv", "sentence1\tsentence2\na\tb\n", "line 1: expected a head that names sentence1, sentence2"),
    ("own", "train.tsv", "sentence1\tsentence2\tlabel\na\tb\t \n", "line 2: the label is empty"),
    ("own", "train.tsv", "sentence1\tsentence2\tlabel\n \tb\tx\n", "line 2: the first sentence is empty"),
    (
        "own",
        "training.tsv",
        "sentence1\tsentence2\tlabel\n",
        "expected train.tsv, dev.tsv and test.tsv, or NAME.train.pairs.tsv",
    ),
]


@pytest.mark.parametrize(("form", "name", "text", "message"), BROKEN)
def test_a_broken_line_is_one_sentence_and_nothing_is_written(form, name, text, message, tmp_path):
    with pytest.raises(InputError) as caught:
        write_pairs(source(tmp_path, name, text), tmp_path / "corpus", PairCorpus(form=form))
    assert message in str(caught.value) and "source" in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_a_corpus_that_is_none(tmp_path):
    with pytest.raises(InputError, match="found no part"):
        read_pair_corpus(tmp_path)
    write_pairs(source(tmp_path, *FORMS["own"]), tmp_path / "corpus", PairCorpus(form="own"))
    with pytest.raises(InputError, match="no pair in the split 'dev'"):
        read_pair_corpus(tmp_path / "corpus", "dev")

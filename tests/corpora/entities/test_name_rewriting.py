"""Names in five ways of writing, and what holds between them for any sentence."""

import json
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from repline.corpora.entities.entity_types import LABELS, TYPES
from repline.corpora.entities.name_rewriting import MODES, rewrite, write_rewritten
from repline.corpora.entities.recipes import RewrittenCorpus
from repline.errors import InputError

LEMMAS = ["Delta", "Airlines", "buy", "Apple", "share", "in", "Helsinki"]
TAGS = ["B-ORG", "I-ORG", "O", "B-ORG", "O", "O", "B-GPE"]


@pytest.mark.parametrize(
    ("mode", "text"),
    [
        ("type", "c-company buy c-company share in c-location"),
        ("name", "delta_airlines buy apple share in helsinki"),
        ("split-name", "delta airlines buy apple share in helsinki"),
        ("split-name+common", "delta_NE airlines_NE buy apple_NE share in helsinki_NE"),
        ("drop", "buy share in"),
    ],
)
def test_the_example_of_the_paper(mode, text):
    assert " ".join(rewrite(LEMMAS, TAGS, mode)) == text


def _sentences(seed):
    draw = random.Random(seed)
    for _ in range(300):
        words, tags = [], []
        for _ in range(draw.randrange(6)):
            length, label = draw.randrange(1, 4), draw.choice((*LABELS, None, None))
            words += draw.choices(["Apple", "of", "'s", "3M", ",", "Über", "x_NE"], k=length)
            tags += [f"B-{label}"] + [f"I-{label}"] * (length - 1) if label else ["O"] * length
        yield words, tags


@pytest.mark.parametrize("marks", [False, True])
def test_what_holds_between_the_ways_of_writing(marks):
    for words, tags in _sentences(0):
        rewritten = {mode: rewrite(words, tags, mode, marks=marks) for mode in MODES}
        assert (
            len(rewritten["type"])
            == len(rewritten["name"])
            <= len(rewritten["split-name"])
            == len(rewritten["split-name+common"])
        )
        assert [word.removesuffix("_NE") for word in rewritten["split-name+common"]] == rewritten["split-name"]
        assert [word for word in rewritten["split-name+common"] if not word.endswith("_NE")] == rewritten["drop"]
        assert [word for word in rewritten["type"] if not word.startswith("c-")] == rewritten["drop"]
        if not any(tag[2:] in TYPES for tag in tags):
            assert all(rewritten[mode] == rewritten["drop"] for mode in MODES)


def test_marks_are_left_out_unless_asked_for():
    words, tags = ["Yahoo", "!", "rise", ".", "?"], ["B-ORG", "I-ORG", "O", "O", "B-NAME"]
    assert rewrite(words, tags, "name") == ["yahoo", "rise"]
    assert rewrite(words, tags, "type") == ["c-company", "rise"]
    assert rewrite(words, tags, "name", marks=True) == ["yahoo_!", "rise", ".", "?"]


def test_dates_are_no_names_and_a_people_has_no_type():
    assert rewrite(["Japanese", "May", "Nokia"], ["B-NORP", "B-DATE", "B-ORG"], "type") == [
        "c-name",
        "may",
        "c-company",
    ]


def _corpus(folder, **columns):
    folder.mkdir()
    rows = {"doc_id": ["a", "a"], "sentence_id": pa.array([0, 1], pa.int32()), "tokens": [LEMMAS, ["Helsinki"]]}
    rows |= {"lemma": [[*LEMMAS[:-1], None], ["Helsinki"]], "entity": [TAGS, ["B-GPE"]], "pos": [["X"] * 7, ["X"]]}
    pq.write_table(
        pa.table({name: rows[name] for name in rows if columns.get(name, 1)} | columns), folder / "part-0.parquet"
    )
    (folder / "card.json").write_text(json.dumps({"name": "made", "licence": "CC0", "files": []}))
    return folder


def test_a_corpus_keeps_its_rows_also_empty_ones(tmp_path):
    source = _corpus(tmp_path / "in", split=["train", "test"])
    card = write_rewritten(source, tmp_path / "out", RewrittenCorpus(mode="drop"))
    rows = pq.read_table(tmp_path / "out/part-00000.parquet").to_pylist()
    assert rows == [
        {"doc_id": "a", "sentence_id": 0, "tokens": ["buy", "share", "in"], "split": "train"},
        {"doc_id": "a", "sentence_id": 1, "tokens": [], "split": "test"},
    ]
    assert card["counts"] == {"sentences": 2, "tokens": 3}
    write_rewritten(source, tmp_path / "out", RewrittenCorpus(mode="name"))
    assert pq.read_table(tmp_path / "out/part-00000.parquet")["tokens"][0].as_py()[-1] == "helsinki"  # it has no lemma


def test_a_corpus_of_a_users_own_needs_no_card(tmp_path):
    source = _corpus(tmp_path / "mine")
    (source / "card.json").unlink()
    card = write_rewritten(source, tmp_path / "out", RewrittenCorpus(mode="drop"))
    assert (card["name"], card["licence"], card["counts"]["sentences"]) == ("mine: names by drop", "not stated", 2)


def test_what_cannot_be_rewritten_changes_nothing(tmp_path):
    source = _corpus(tmp_path / "in", entity=[TAGS, []])
    with pytest.raises(InputError, match="for each of 1 tokens, found 1 lemmas and 0 tags"):
        write_rewritten(source, tmp_path / "out", RewrittenCorpus(mode="name"))
    pq.write_table(pq.read_table(source / "part-0.parquet").drop(["lemma"]), source / "part-0.parquet")
    with pytest.raises(InputError, match="needs the column lemma, which is not there"):
        write_rewritten(source, tmp_path / "out", RewrittenCorpus(mode="name"))
    assert [path.name for path in tmp_path.iterdir()] == ["in"]

import gzip

import pyarrow.parquet as pq
import pytest

from repline.cards import read_card
from repline.corpora.labelled.collections.reuters_sgml import read_reuters
from repline.corpora.labelled.collections.wordnet_places import read_places
from repline.corpora.labelled.labelled_corpus import read_labels, write_labelled
from repline.corpora.labelled.recipes import LabelledCorpus
from repline.errors import InputError
from repline.lexicons.wordnet import storage
from repline.lexicons.wordnet.synsets import Pointer, Synset, WordNet
from repline.reading.wrong_records import LeftOut

HEAD = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'
ARTICLE = """<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="1" NEWID="{number}">
<DATE>26-FEB-1987 15:01:01.79</DATE>
<TOPICS><D>cocoa</D><D>trade</D></TOPICS>
<PLACES><D>brazil</D></PLACES>
<PEOPLE></PEOPLE>
<ORGS></ORGS>
<EXCHANGES></EXCHANGES>
<COMPANIES></COMPANIES>
<UNKNOWN> 
&#5;&#5;&#5;C T</UNKNOWN>
<TEXT>&#2;
<TITLE>BAHIA REVIEW</TITLE>
<DATELINE>    SALVADOR, Feb 26 - </DATELINE><BODY>Caf\xe9 prices rose, &lt;ABC.N> said
in the zone.
    The dry period  means {number}.
 Reuter
&#3;</BODY></TEXT>
</REUTERS>
"""
BRIEF = """<REUTERS TOPICS="NO" NEWID="9">
<TOPICS></TOPICS>
<PLACES><D>usa</D></PLACES>
<TEXT TYPE="BRIEF">&#2;
<TITLE>A BRIEF</TITLE></TEXT>
</REUTERS>
"""


def write(folder, *articles, name="reut2-000.sgm"):
    folder.mkdir(exist_ok=True)
    text = (HEAD + "".join(articles)).encode("latin-1")
    if name.endswith(".gz"):
        text = gzip.compress(text)
    (folder / name).write_bytes(text)
    return folder


def article(number):
    return ARTICLE.format(number=number)


@pytest.mark.parametrize(
    ("end", "text"),
    [
        ("(33.7).        REUTER", "(33.7)."),
        ("a day.\n REUTER...", "a day."),
        ("a day.\n Reuter.", "a day."),
        ("a day.\nREUTER\n Reuter", "a day."),
        ("said by Reuter", "said by Reuter"),
        ("REUTER said", "REUTER said"),
    ],
)
def test_the_closing_word_of_an_article_is_cut_off(tmp_path, end, text):
    (document,) = read_reuters(write(tmp_path / "raw", article(7).replace("7.\n Reuter", end)))
    assert document.text.endswith(f"means {text}")


@pytest.mark.parametrize("name", ["reut2-000.sgm", "reut2-000.sgm.gz"])
def test_an_article_is_its_body_and_its_labels(tmp_path, name):
    article_read, brief = read_reuters(write(tmp_path / "raw", article(7), BRIEF, name=name))
    assert article_read.id == "7"
    assert article_read.text == "Café prices rose, <ABC.N> said\nin the zone.\n\nThe dry period  means 7."
    assert article_read.labels == {
        "topics": ["cocoa", "trade"],
        "places": ["brazil"],
        "people": [],
        "orgs": [],
        "exchanges": [],
    }
    assert (brief.text, brief.labels["topics"], brief.labels["places"]) == ("", [], ["usa"])


@pytest.mark.parametrize(
    ("lost", "message"),
    [
        ("</REUTERS>\n", r"reut2-000.sgm, line 20, article 2 \(NEWID 2\): the end tag </REUTERS> is missing"),
        ("</BODY>", r"line 20, article 2 \(NEWID 2\): expected </BODY> before </TEXT>, the tag is missing"),
        ("</D></PLACES>", r"article 2 \(NEWID 2\): the end tag </D> is missing"),
        ("</TOPICS>", r"article 2 \(NEWID 2\): the end tag </TOPICS> is missing"),
        ("<BODY>", r"article 2 \(NEWID 2\): expected </TEXT> before </BODY>"),
        (' NEWID="2"', r"article 2: expected a NEWID in '<REUTERS TOPICS"),
    ],
)
def test_a_lost_tag_is_one_sentence_or_one_article_less(tmp_path, lost, message):
    broken = article(2).replace(lost, "", 1)
    assert broken != article(2)
    folder = write(tmp_path / "raw", article(1), broken, article(3))
    with pytest.raises(InputError, match=message):
        list(read_reuters(folder))
    left_out = LeftOut("salvage")
    assert [document.id for document in read_reuters(folder, left_out)] == ["1", "3"]
    assert left_out.reasons.total() == 1


def test_a_corpus_says_what_was_left_out(tmp_path):
    broken = article(2).replace("</BODY>", "")
    folder = write(tmp_path / "raw", article(1), broken, BRIEF, article(3))
    with pytest.raises(InputError, match="NEWID 2"):
        write_labelled(folder, tmp_path / "made", LabelledCorpus(form="reuters", shortest=3))
    assert not (tmp_path / "made").exists()
    write_labelled(folder, tmp_path / "made", LabelledCorpus(form="reuters", shortest=3, on_error="salvage"))
    card = read_card(tmp_path / "made")
    assert card["counts"]["documents"] == 2
    assert [note[:10] for note in card["notes"]] == ["salvaged: ", "left out: "]
    table = pq.read_table(tmp_path / "made/part-00000.parquet")
    assert table["doc_id"].to_pylist() == ["1", "3"]
    assert table["topics"].to_pylist() == [["cocoa", "trade"]] * 2
    assert read_labels(tmp_path / "made", ["places"]) == {"1": {"places": ["brazil"]}, "3": {"places": ["brazil"]}}


def test_so_many_documents_are_drawn(tmp_path):
    folder = write(tmp_path / "raw", BRIEF, *map(article, range(10, 40)))
    ids = []
    for name, seed in (("one", 0), ("two", 0), ("other", 1)):
        write_labelled(folder, tmp_path / name, LabelledCorpus(form="reuters", needed=["topics"], number=5, seed=seed))
        ids.append(pq.read_table(tmp_path / name / "part-00000.parquet")["doc_id"].to_pylist())
    assert ids[0] == ids[1] != ids[2]
    assert len(set(ids[0])) == 5
    assert ids[0] == sorted(ids[0])


@pytest.mark.parametrize(
    ("knobs", "message"),
    [
        ({"number": 3}, "2 documents of 1 words or more with any labels, expected 3"),
        ({"shortest": 99}, "there is no document of 99 words or more with any labels"),
        ({"needed": ["people"]}, "there is no document of 1 words or more with people"),
        ({"needed": ["sectors"]}, "expected the labels sectors, found topics, places"),
    ],
)
def test_what_there_is_not(tmp_path, knobs, message):
    folder = write(tmp_path / "raw", article(1), article(2), BRIEF)
    with pytest.raises(InputError, match=message):
        write_labelled(folder, tmp_path / "made", LabelledCorpus(form="reuters", **knobs))
    assert not (tmp_path / "made").exists()


def test_no_files_no_corpus_no_parquet(tmp_path):
    with pytest.raises(InputError, match="expected files of Reuters-21578"):
        list(read_reuters(tmp_path))
    with pytest.raises(InputError, match="found no part"):
        read_labels(tmp_path, ["topics"])
    (tmp_path / "part-00000.parquet").write_text("no")
    with pytest.raises(InputError, match="not a readable Parquet file"):
        read_labels(tmp_path, ["topics"])


def test_places_of_a_wordnet_have_their_classes_and_all_that_they_are_a_part_of(tmp_path):
    def synset(identifier, lemma, gloss="", **relations):
        pointers = [Pointer(relation, target) for relation, targets in relations.items() for target in targets.split()]
        return Synset(identifier, "n", (lemma,), tuple(pointers), gloss)

    synsets = [
        synset("1", "Naples", "a port in Italy", instance_hypernym="5", part_holonym="2"),
        synset("2", "Italy", "a republic", instance_hypernym="7", part_holonym="3"),
        synset("3", "Europe", "a continent", instance_hypernym="7", part_holonym="2"),  # a circle
        synset("5", "port", "where ships are", hypernym="6"),
        synset("6", "point", "a place", hypernym="8"),
        synset("7", "land", "dry", hypernym="8"),
        synset("8", "land", "an entity"),
        synset("9", "Atlantis", "no part of anything", instance_hypernym="7"),
    ]
    storage.save(WordNet(synsets), tmp_path / "wordnet", name="small", licence="CC0", sources=[])
    documents = {document.id: document for document in read_places(tmp_path / "wordnet")}
    assert list(documents) == ["1", "2", "3"]
    assert documents["1"].text == "a port in Italy"
    assert documents["1"].labels == {"topics": ["point", "port"], "places": ["Europe", "Italy"]}
    assert documents["2"].labels == {"topics": ["land (7)", "land (8)"], "places": ["Europe"]}
    card = write_labelled(tmp_path / "wordnet", tmp_path / "made", LabelledCorpus(form="wordnet_places", shortest=2))
    assert card["counts"] == {"documents": 3, "labels_topics": 4, "labels_places": 2}
    storage.save(WordNet(synsets[3:7]), tmp_path / "none", name="none", licence="CC0", sources=[])
    with pytest.raises(InputError, match="expected instances with a gloss"):
        list(read_places(tmp_path / "none"))

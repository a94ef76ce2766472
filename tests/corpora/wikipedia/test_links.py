from pathlib import Path

import gensim
import pyarrow.parquet as pq
import pytest

from repline.corpora.wikipedia.extraction import extract
from repline.corpora.wikipedia.links import extract_links
from repline.corpora.wikipedia.recipes import Extraction
from repline.corpora.wikipedia.wikitext.cleaning import clean
from repline.corpora.wikipedia.wikitext.dialect import dialect
from repline.corpora.wikipedia.wikitext.link_marks import END, MIDDLE, START, Link, marked_links, unmarked
from repline.errors import InputError
from repline.systems.jet.name_sources import wikipedia_names
from tests.corpora.wikipedia.dumps import dump, page, write

ENGLISH = dialect("en", {6: "File", 14: "Category"})


def linked(text):
    ((_, (paragraph, *_)), *_) = clean(text, ENGLISH, marked=True)
    return unmarked(paragraph)


def test_labels_and_targets():
    text, links = linked("The [[Bass (fish)|bass]], a [[perch]]es' kin, in [[Loch_Ness#Depth|the ''loch'']].")
    assert text == "The bass, a perches' kin, in the loch."
    labels = [(text[link.start : link.end], link.target) for link in links]
    assert labels == [("bass", "Bass (fish)"), ("perches", "perch"), ("the loch", "Loch Ness")]


@pytest.mark.parametrize(
    ("link", "title"),
    [
        ("[[AT&amp;T]]", "AT&T"),
        ("[[OS&nbsp;X]]", "OS X"),
        ("[[Foo&#39;s]]", "Foo's"),
        ("[[A%26B]]", "A&B"),
        ("[[Foo  bar__baz]]", "Foo bar baz"),
        ("[[ Foo#Of_it|its foo]]", "Foo"),
        ("[[Caf%C3%A9#&#39;x|coffee]]", "Café"),
        ("{{uc:[[Joke|jo]]}} x", "Joke"),
        ("{{ucfirst:[[Joke|jo]]}} x", "Joke"),
        ("{{lcfirst:[[Joke]]}} x", "Joke"),
    ],
)
def test_a_title_is_read_before_it_is_cut_at_its_section(link, title):
    text, links = linked(link)
    assert [found.target for found in links] == [title]
    assert clean(link, ENGLISH) == [("", [text])]


@pytest.mark.parametrize(
    "text",
    [
        "<nowiki>[[cat]]</nowiki> and [[ ]]",
        "x\n<pre>\n[[cat]]\n</pre>",
        "[[50%25 off]], [[a&lt;b]] and [[a%5Bb]]",
        "[[User%3AMe|me]] and [[#Top|top]]",
        "{{#expr:[[2]]+1}} of",
    ],
)
def test_what_is_no_link_to_an_article_stays_as_text(text):
    assert clean(text, ENGLISH, marked=True) == clean(text, ENGLISH)


@pytest.mark.parametrize(
    "text",
    [
        "A [[cat]]s' tail and [[Dog|hound]]s.",
        "[[File:A.jpg|thumb|of a [[cat]]]]Text with {{cite|[[dog]]}} and [[Category:Cats]].",
        "See [[War film#Animated]] or [[:Category:War]], [[fr:Chat]] and [[a|b|c]].",
        "* [[One]]\n* [[Two|2]]\n{|\n| [[table]]\n|}\nEnd",
        "In [[New_York]], [[A%26B]], [[Foo''s bar''s]] and [[#Top_of_page]].",
        "A {{lang|de|[[Katze|Katzen]]}} and {{ill|[[cat]]|de}} ({{x|[[y]]}}, [[z]]).",
        "''[[A|''A'']]''s, [[B|''B'']]'s, [[C|'''c'']] ''d'' and [[Hawai']]''e''.",
        "Broken [[link|label and [[another]]",
        "[[ Foo ]] bar, [[a| b]] [[c|d ]]s [[e| ]]f[[g_]], [[OS&nbsp;]] h ([[ i ]]) and [[j ]].",
        "{{uc:[[Joke|jo]]}} x {{lcfirst:[[Joke]]}} {{#ifeq:[[a|b]]|b|same|other}} {{plural:[[1]]|one|more}}",
        "{{lang|fr|[[a|b=c]]}} {{lang|[[a]]=b|c}} {{convert|[[5]]|km}}",
        "A ([[International Phonetic Alphabet|IPA]]: {{x}}; [[born]] {{x}}) and [[printf]]() but ().",
        ";[[a|b:c]] d : e\n[[a|*b]]\n\n[[!]] {{x}}",
        "<nowiki>[[a]]</nowiki> [[b|<b>c</b> d]] [[e|f<br>g]] <pre>[[h]]</pre> [[i|<nowiki>]]</nowiki>]]",
        "{{x [[a]] {{y}}}} {{lang|fr|{{uc:[[b|c]]}}}} {{#if:[[d]]|[[e]]|f}} {{unknown [[g]]|[[h]]}}",
        "See [https://x.org [[a]] b], [[a|l]] and [[:Baz]] [[Talk:Baz|baz]].",
    ],
)
def test_marks_do_not_change_the_text(text):
    for (path, paragraphs), (_, marked) in zip(clean(text, ENGLISH), clean(text, ENGLISH, marked=True), strict=True):
        assert [unmarked(paragraph)[0] for paragraph in marked] == paragraphs, path


def test_marks_without_a_partner_leave_no_link():
    assert unmarked(f"a {START}6162{MIDDLE}b") == ("a b", [])
    assert unmarked(f"a b{END} c") == ("a b c", [])
    assert unmarked("plain") == ("plain", [])
    assert unmarked(f"{START}6162{MIDDLE}b{END}") == ("b", [Link(0, 1, "ab")])
    assert marked_links(f"{START}x{END}") == "x"


@pytest.mark.parametrize("digits", ["a", "ff"])
def test_private_characters_of_a_page_are_no_marks(digits):
    assert unmarked(f"{START}{digits}{MIDDLE}b{END}") == ("b", [])
    assert clean(f"a{START}{digits}{MIDDLE} {{{{x}}}} b", ENGLISH) == [("", [f"a{START}{digits}{MIDDLE} b"])]


@pytest.fixture
def linked_dump(tmp_path):
    pages = [
        page(1, "Bass (fish)", "A '''bass''' is like a [[perch]] in a [[Sea|big sea]]."),
        page(2, "Perch", "#REDIRECT [[Bass (fish)]]", redirect="Bass (fish)"),
        page(3, "Music", "The [[Bass (sound)|bass]] and the [[Bass (fish)|bass]]."),
    ]
    return write(tmp_path, dump(pages))


def test_a_dump_with_its_links(linked_dump, tmp_path):
    card = extract_links(linked_dump, tmp_path / "links")
    assert (card["counts"]["paragraphs"], card["counts"]["links"]) == (2, 4)
    rows = pq.read_table(tmp_path / "links" / "part-00000.parquet").to_pylist()
    assert rows[0]["text"] == "A bass is like a perch in a big sea."
    assert rows[0]["links"][1] == {"start": 28, "end": 35, "label": "big sea", "target": "Sea"}
    extract(linked_dump, tmp_path / "articles")
    plain = pq.read_table(tmp_path / "articles" / "part-00000.parquet").to_pylist()
    assert [row["text"] for row in rows] == [row["sections"][0]["paragraphs"][0] for row in plain]
    assert sorted(path.name for path in (tmp_path / "links").iterdir()) == [
        "card.json",
        "part-00000.parquet",
        "redirects.parquet",
        "titles.parquet",
    ]


def test_the_links_of_real_articles_do_not_change_their_text(tmp_path):
    (excerpt,) = (Path(gensim.__file__).parent / "test" / "test_data").glob("enwiki-*-shortened.bz2")
    card = extract_links(excerpt, tmp_path / "links")
    extract(excerpt, tmp_path / "articles")
    rows = pq.read_table(tmp_path / "links" / "part-00000.parquet").to_pylist()
    articles = pq.read_table(tmp_path / "articles" / "part-00000.parquet").to_pylist()
    paragraphs = [text for article in articles for section in article["sections"] for text in section["paragraphs"]]
    assert [row["text"] for row in rows] == paragraphs and card["counts"]["links"] > 20_000


def test_a_broken_dump_leaves_nothing(linked_dump, tmp_path):
    linked_dump.write_bytes(linked_dump.read_bytes()[:-400])
    with pytest.raises(InputError, match="to salvage to keep the pages before"):
        extract_links(linked_dump, tmp_path / "links")
    assert not (tmp_path / "links").exists()
    card = extract_links(linked_dump, tmp_path / "links", Extraction(on_error="salvage"))
    assert card["counts"]["articles"] >= 1 and card["notes"]


def test_names_of_a_wikipedia(linked_dump, tmp_path):
    extract_links(linked_dump, tmp_path / "links")
    names = wikipedia_names(tmp_path / "links")
    entities = names.entities["entity"].to_pylist()
    pairs = set(zip(names.texts.to_pylist(), (entities[row] for row in names.of), strict=True))
    assert {
        ("bass", "bass_(fish)"),
        ("bass", "bass_(sound)"),
        ("perch", "bass_(fish)"),
        ("Perch", "bass_(fish)"),
    } <= pairs
    titles = wikipedia_names(tmp_path / "links", anchors=False)
    assert set(titles.texts.to_pylist()) == {"Bass (fish)", "Perch", "Music"}


def test_names_without_links(tmp_path):
    with pytest.raises(InputError, match="these are no links of a Wikipedia"):
        wikipedia_names(tmp_path)

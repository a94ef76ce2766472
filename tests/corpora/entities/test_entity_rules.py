"""Rules alone, without a recogniser: patterns, the longest span, names without a type."""

import pytest

from repline.corpora.entities import entity_recognition
from repline.corpora.entities.entity_recognition import EntityRecogniser
from repline.corpora.entities.recipes import RULE_SETS
from repline.errors import InputError
from tests.corpora.entities.small_gazetteer import NAMES


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    path = tmp_path_factory.mktemp("names") / "names.tsv"
    path.write_text(NAMES + "New York\tGPE\twordnet\nJohn\tPERSON\twordnet\n")
    return path


@pytest.fixture(scope="module")
def tag(names):
    recogniser = EntityRecogniser([names], base="given")

    def tag(text, base_tags=None):
        words = text.split()
        tags = recogniser.tag([words], [base_tags or ["O"] * len(words)]).tags[0]
        return [f"{word}/{tag}" for word, tag in zip(words, tags, strict=True) if tag != "O"]

    return tag


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("we saw New York City", ["New/B-GPE", "York/I-GPE", "City/I-GPE"]),
        ("in Helsinki , Nokia rose", ["Helsinki/B-GPE", "Nokia/B-ORG"]),
        ("helsinki is in finland", []),
        (
            "he left Apple Computer , Inc. in Frogtown",
            ["Apple/B-ORG", "Computer/I-ORG", ",/I-ORG", "Inc./I-ORG", "Frogtown/B-NAME"],
        ),
        ("The Company then paid for it to the old Group", ["Company/B-NAME", "Group/B-NAME"]),
        ("Johnson & Sons Ltd. fell", ["Johnson/B-ORG", "&/I-ORG", "Sons/I-ORG", "Ltd./I-ORG"]),
        ("we met Mrs. Anna Berg", ["Anna/B-PERSON", "Berg/I-PERSON"]),
        ("we met Judge Sir Hugo", ["Hugo/B-PERSON"]),
        (
            "President Ludwig van Berg left",
            ["Ludwig/B-PERSON", "van/I-PERSON", "Berg/I-PERSON"],
        ),
        ("the Bank of Frogs opened", ["Bank/B-NAME", "of/I-NAME", "Frogs/I-NAME"]),
        ("Frogs swim", []),
        ("Green Frogs swim and I watch", ["Green/B-NAME", "Frogs/I-NAME"]),
        ("she said : “ Frogs swim", []),
        ("MARKETS RISE AS Frogs SWIM", []),
        ("", []),
    ],
)
def test_what_the_rules_find(tag, text, found):
    assert tag(text) == found


def test_the_longest_span_wins_and_equal_ones_by_their_rule(tag):
    assert tag("in New York City", ["O", "B-GPE", "I-GPE", "O"]) == ["New/B-GPE", "York/I-GPE", "City/I-GPE"]
    assert tag("near New York", ["B-LOC", "I-LOC", "I-LOC"]) == ["near/B-LOC", "New/I-LOC", "York/I-LOC"]
    assert tag("in Helsinki", ["O", "B-ORG"]) == ["Helsinki/B-ORG"]  # the recogniser before a list
    assert tag("Mr. John", ["O", "B-ORG"]) == ["John/B-PERSON"]  # a title before the recogniser
    assert tag("on May 5", ["O", "B-DATE", "I-DATE"]) == ["May/B-DATE", "5/I-DATE"]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("countries", "in Finland"),
        ("wordnet", "in Finland"),
        ("cities", "in Helsinki"),
        ("own", "by Nokia"),
        ("company_suffixes", "by Frogs Inc"),
        ("titles", "by Mrs. Frog"),
        ("untyped", "by Frogs"),
    ],
)
def test_each_rule_set_works_alone(names, rule, text):
    words = text.split()
    assert EntityRecogniser([names], [rule], base="none").tag([words]).tags[0][-1] != "O"
    other_rules = [name for name in RULE_SETS if name not in (rule, "untyped", "countries", "wordnet")]
    assert EntityRecogniser([names], other_rules, base="none").tag([words]).tags[0][-1] == "O"


def test_no_rule_is_no_change():
    base_tags = [["B-ORG", "I-ORG", "O", "I-DATE"]]
    assert EntityRecogniser(rules=(), base="given").tag([["a", "b", "c", "d"]], base_tags).tags == [
        ["B-ORG", "I-ORG", "O", "B-DATE"]
    ]


def test_words_are_forgotten(names, monkeypatch):
    monkeypatch.setattr(entity_recognition, "FORGOTTEN_AFTER", 1000)
    recogniser = EntityRecogniser([names], base="none")
    vocabulary_sizes = []
    for turn in range(6):
        tags = recogniser.tag([[f"Word{turn}x{number}", "Helsinki"] for number in range(300)]).tags
        assert tags == [["O", "B-GPE"]] * 300
        vocabulary_sizes.append(len(recogniser.pipeline.vocab.strings))
    assert max(vocabulary_sizes) <= vocabulary_sizes[0]


def test_a_broken_list(tmp_path):
    (tmp_path / "names.tsv").write_text("Nokia\n")
    with pytest.raises(InputError, match=r"names\.tsv, line 1"):
        EntityRecogniser([tmp_path / "names.tsv"], base="none")

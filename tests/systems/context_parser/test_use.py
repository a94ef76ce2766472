"""Parsers of raw sentences, from copied folders."""

import json
import shutil
import warnings

import pytest
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.corpora.scenes.made_scenes import make_scenes
from repline.corpora.scenes.scene import GAP, SceneSentence
from repline.errors import InputError, Notice
from repline.systems.context_parser.corpus import Fold
from repline.systems.context_parser.settings import Recipe, Weights
from repline.systems.context_parser.training import train, train_parser
from repline.systems.context_parser.use import triplets_of

SCENE = "woman_1 Agent clean_1; mug_2 Theme clean_1; mug_2 Location table_1; mug_1 Location shelf_1"


@pytest.fixture(scope="module")
def sentences():
    return [sentence for scene in make_scenes(seed=1, scenes=3) for sentence in scene.sentences]


@pytest.fixture(scope="module")
def folder(sentences, tmp_path_factory):
    """A copy of the folder of a parser."""
    root = tmp_path_factory.mktemp("parsers")
    train(Recipe(epochs=2), [Fold(sentences, [])], root / "trained")
    return shutil.copytree(root / "trained/all", root / "elsewhere")


@pytest.fixture(scope="module")
def parser(folder):
    return repline.load(folder)


def without(sentence, position):
    """A sentence with a gap, and its text."""
    words = list(sentence.words)
    words[position] = words[position]._replace(form=GAP)
    gapped = SceneSentence(tuple(words), sentence.triplets, sentence.scene)
    return gapped, " ".join(word.form for word in words)


def nouns(sentence):
    return [position for position, word in enumerate(sentence.words) if word.tag == "NN" and word.references]


def test_a_raw_sentence_is_parsed_as_an_analysed_one(parser, sentences):
    for sentence in sentences[:20]:
        context = "\n".join(" ".join(triplet) for triplet in sentence.triplets)
        parse = parser.parse(sentence.text, context)
        assert [(word.form, word.lemma, word.tag) for word in parse.words] == [
            (word.form, word.lemma, word.tag) for word in sentence.words
        ]
        assert tuple(word.head for word in parse.words) == parser.parser.parse(sentence, 5.0)
        assert parse.known_words == len(sentence.words)


def test_a_gap_is_filled_as_in_the_evaluation(parser, sentences):
    correct = []
    for sentence in sentences[:20]:
        gapped, text = without(sentence, nouns(sentence)[-1])
        (expected,) = parser.parser.complete(gapped, [Weights(5.0, 5.0)])
        completed = parser.complete(text, list(sentence.triplets))
        assert (completed.filler, completed.tag) == (expected.filler, expected.tag)
        assert tuple(word.head for word in completed.words) == expected.heads
        assert completed.candidates == expected.candidates
        correct.append(completed.filler in sentence.words[gapped.gaps[0]].references)
    assert sum(correct) >= 16


def test_what_is_known_of_the_scene_decides(parser):
    text = "The woman changes the ?? on the table"
    there = "woman_1 Agent change_1; pot_2 Theme change_1; pot_2 Location table_1; pot_1 Location shelf_1"
    assert parser.complete(text, there).filler == "pot_2"
    assert parser.complete(text, there.replace("pot_2", "pot_3")).filler == "pot_3"
    both = parser.complete([text, "the ?? ."], there)
    assert both[0] == parser.complete(text, there) and len(both) == 2 and both[0].word == "pot"
    assert [word.tag for word in parser.parse("The zebra !", "").words] == ["DT", "NN", "!"]
    polished = parser.words("She polishes it", triplets_of("she_1 Agent polishes_1; it_1 Property pink"))
    assert polished[1].tag == "VBZ"


def test_a_parser_without_context_says_that_it_reads_no_relations(sentences, parser, tmp_path):
    train_parser(Recipe(), sentences, tmp_path / "treebank", context=False)
    without_context = repline.load(tmp_path / "treebank")
    text = "The woman changes the ?? on the table"
    with pytest.warns(Notice, match="trained without context, .* the relations of a context do not count"):
        assert without_context.complete(text, SCENE).filler is not None
    with pytest.warns(Notice, match="trained without context") as caught:
        without_context.parse("The woman sleeps", SCENE)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        without_context.parse("The woman sleeps")
        without_context.complete(text, "")
        parser.complete(text, SCENE)


def test_contexts_are_texts_or_lists(parser):
    expected = triplets_of(SCENE)
    assert len(expected) == 4
    for context in (SCENE.replace("; ", "\n"), SCENE.split("; "), [tuple(part.split()) for part in SCENE.split("; ")]):
        assert triplets_of(context) == expected
    printed = [f"({part.replace(' ', ', ')})" for part in SCENE.split("; ")]
    for context in (*map(str.join, (", ", "; ", "\r\n"), [printed] * 3), printed, "\ufeff" + SCENE + "\u200b"):
        assert triplets_of(context) == expected
    assert triplets_of([("mug_2\u200b ", "Location", "table_1")]) == triplets_of("mug_2, Location, table_1")
    assert triplets_of(" ;\n ") == triplets_of([]) == ()
    assert triplets_of("mug_1 location shelf_1")[0].relation == "Location"


def test_empty_and_unknown_input(parser):
    assert (parser.parse("").words, parser.parse(" ").known_words) == ([], 0)
    assert parser.parse([]) == []
    unknown = parser.parse("xyzzy plugh 好 \x00", SCENE)
    assert len(unknown.words) == 3 and unknown.known_words == 0
    nothing = parser.complete("The ?? is here", "")
    assert (nothing.filler, nothing.word, nothing.tag, nothing.candidates) == (None, None, None, 0)
    assert len(nothing.words) == 4
    assert parser.complete("??", SCENE).filler is not None


def test_what_is_no_sentence_or_no_context(parser):
    with pytest.raises(InputError, match=r"complete takes sentences with a gap \?\?"):
        parser.complete("The mug is here", SCENE)
    with pytest.raises(InputError, match="complete takes a text or a list of texts"):
        parser.complete([["a ??"]], SCENE)
    with pytest.raises(InputError, match="parse takes a text or a list of texts"):
        parser.parse(3)
    for context in (3, None, b"a"):
        with pytest.raises(InputError, match="a context is a text of triplets such as"):
            parser.parse("a", context)
    for context in (
        "mug_1 Location",
        "\u200b Location table_1",
        [("mug_1", "Location", " ")],
        [3],
        [("mug_1", "Location", 3)],
        [[["a"]]],
    ):
        with pytest.raises(InputError, match="expected triplets such as"):
            parser.parse("a", context)
    with pytest.raises(InputError, match="there is no relation 'Above'; there are Agent, Theme"):
        parser.parse("a", "mug_1 Above table_1")
    with pytest.raises(InputError, match=r"a context: a text holds .*half of a surrogate pair"):
        parser.parse("a", "mug_\ud83d Location table_1")


def test_rows_of_the_command(parser, folder, tmp_path):
    text = "The woman cleans the ?? on the table"
    (tmp_path / "rows.tsv").write_text(f"{text}\t{SCENE}\nThe mug is here\n")
    result = CliRunner().invoke(app, ["predict", str(folder), str(tmp_path / "rows.tsv")])
    assert result.exit_code == 0, result.output
    filled, parsed = map(json.loads, result.stdout.splitlines())
    assert filled["filler"] == parser.complete(text, SCENE).filler
    assert parsed["filler"] is None and filled.keys() - {"context"} == parsed.keys()
    assert [word[3] for word in parsed["words"]] == [word.head for word in parser.parse("The mug is here").words]


def test_a_damaged_folder(folder, tmp_path):
    damaged = shutil.copytree(folder, tmp_path / "damaged")
    path = damaged / "raw_input.json"
    values = json.loads(path.read_text())
    path.write_text(json.dumps({key: value for key, value in values.items() if key != "after"}))
    with pytest.raises(InputError, match="expected analyses of words; train the parser again"):
        repline.load(damaged)

"""Brackets of a corpus on disk: aligned with its words, and read in line with them."""

from itertools import pairwise

import numpy as np
import pytest

from repline.cards import read_card
from repline.corpora.language_modeling import corpus as language_modeling
from repline.corpora.language_modeling.corpus import SPLITS, LanguageModelingCorpus
from repline.corpora.language_modeling.recipes import StreamCorpus
from repline.errors import InputError
from repline.systems.bracket_rnn import corpus as bracketed_corpus
from repline.systems.bracket_rnn.corpus import BracketedCorpus
from tests.systems.bracket_rnn import parsed_corpus


@pytest.fixture(scope="module", params=[False, True], ids=["no punctuation", "punctuation"])
def folders(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("corpus")
    source = parsed_corpus.write(root / "source")
    language_modeling.build(source, root / "text", StreamCorpus(punctuation=request.param))
    bracketed_corpus.write(root / "text", root / "brackets", parsed_corpus.constituents(parsed_corpus.OPTIONAL))
    return root


def opened(root, brackets, **limits):
    return BracketedCorpus(LanguageModelingCorpus.load(root / "text"), root / "brackets", brackets, **limits)


def lines(corpus, split):
    names, sentences = [*corpus.words, "(", ")"], corpus.sentences(split)
    words = [names[number] for number in corpus.ids(split)]
    return [words[begin:end] for begin, end in pairwise(sentences)]


def _balanced(line):
    """No bracket closes before it opens, none stays open, and none holds no word."""
    text = " ".join(line)
    level = np.cumsum([{"(": 1, ")": -1}.get(word, 0) for word in line])
    return level.min() == 0 == level[-1] and "( )" not in text


@pytest.mark.parametrize("split", SPLITS)
def test_brackets_are_around_the_prepositional_phrases(folders, split):
    plain, tree = (lines(opened(folders, brackets), split) for brackets in ("none", "tree"))
    assert len(plain) == len(tree)
    pairs = 0
    for words, line in zip(plain, tree, strict=True):
        assert [word for word in line if word not in ("(", ")")] == words and line[-1] == "<eos>"
        assert _balanced(line)
        for position, word in enumerate(line):
            if word == "(":  # every phrase begins with its preposition and goes to the verb
                assert line[position + 1] in parsed_corpus.PREPOSITIONS
                pairs += 1
            if word == ")":
                assert line[position + 1] in [*parsed_corpus.VERBS, ")"]
    card = read_card(folders / "brackets")
    assert card["counts"][f"{split}_pairs"] == pairs > 5
    assert card["counts"][f"{split}_sentences"] == len(plain)
    assert opened(folders, "tree").depth(split) == card["counts"][f"{split}_tree_depth"] >= 2


def test_the_control_has_the_same_words_and_as_many_pairs(folders):
    tree, control = (lines(opened(folders, brackets), "train") for brackets in ("tree", "random"))
    assert tree != control
    for tree_line, control_line in zip(tree, control, strict=True):
        words, control_words = ([word for word in line if word not in ("(", ")")] for line in (tree_line, control_line))
        assert words == control_words
        assert tree_line.count("(") == control_line.count("(") == control_line.count(")")
        assert _balanced(control_line)


def test_a_bracket_of_the_text_is_written_out(folders):
    words = opened(folders, "tree").words
    assert "(" not in words
    punctuation = read_card(folders / "text")["parameters"]["punctuation"]
    assert ("-lrb-" in words) == punctuation


def test_limits_choose_the_same_sentences_with_and_without_brackets(folders):
    limits = {"shortest": 4, "longest": 8, "first": {"train": 10}}
    plain, tree = (lines(opened(folders, brackets, **limits), "train") for brackets in ("none", "tree"))
    assert plain == [[word for word in line if word not in ("(", ")")] for line in tree]
    assert len(plain) == 10 and all(4 <= len(line) - 1 <= 8 for line in plain)
    every = [line for line in lines(opened(folders, "none"), "train") if 4 <= len(line) - 1 <= 8]
    assert plain == every[:10]
    assert len(lines(opened(folders, "none", **limits), "test")) > 10
    with pytest.raises(InputError, match="train has no sentence of 50 to 60 words"):
        opened(folders, "none", shortest=50, longest=60).ids("train")


def test_the_same_bytes_twice(folders, tmp_path):
    bracketed_corpus.write(folders / "text", tmp_path / "again", parsed_corpus.constituents(parsed_corpus.OPTIONAL))
    for file in sorted(path for path in (folders / "brackets").rglob("*") if path.is_file()):
        assert (tmp_path / "again" / file.relative_to(folders / "brackets")).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("without", ["head", "dep"])
def test_a_corpus_without_a_parse_is_refused(without, tmp_path):
    source = parsed_corpus.write(tmp_path / "source", without=[without])
    language_modeling.build(source, tmp_path / "text")
    with pytest.raises(InputError, match=f"expected the column {without}"):
        bracketed_corpus.write(tmp_path / "text", tmp_path / "brackets", parsed_corpus.constituents(["prep"]))
    assert not (tmp_path / "brackets").exists()


def test_lists_of_another_scheme_are_refused(folders, tmp_path):
    with pytest.raises(InputError, match="none of the relations of the corpus"):
        bracketed_corpus.write(folders / "text", tmp_path / "brackets", parsed_corpus.constituents(["obl:*"]))
    assert not list(tmp_path.iterdir())


def test_brackets_of_another_corpus_or_broken_ones_are_refused(folders, tmp_path):
    other_source = parsed_corpus.write(tmp_path / "source", seed=1)
    language_modeling.build(other_source, tmp_path / "text")
    corpus = BracketedCorpus(LanguageModelingCorpus.load(tmp_path / "text"), folders / "brackets", "tree")
    with pytest.raises(InputError, match="make them again from this corpus"):
        corpus.ids("train")
    with pytest.raises(InputError, match="these brackets cannot be read"):
        BracketedCorpus(corpus.corpus, tmp_path, "tree").ids("train")
    bracketed_corpus.write(tmp_path / "text", tmp_path / "brackets", parsed_corpus.constituents(["prep"]))
    numbers = np.load(tmp_path / "brackets/train/tree.npy")
    numbers[0, int(np.argmax(numbers[0]))] += 1
    np.save(tmp_path / "brackets/train/tree.npy", numbers)
    with pytest.raises(InputError, match=r"tree\.npy: sentence \d+: its brackets are not balanced"):
        BracketedCorpus(corpus.corpus, tmp_path / "brackets", "tree").ids("train")

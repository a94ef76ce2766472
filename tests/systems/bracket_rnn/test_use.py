"""Language models of bracket_rnn on raw text, from a copied folder."""

import json
import shutil
from itertools import pairwise

import pytest

import repline
from repline.errors import InputError
from repline.systems.bracket_rnn.resampled_perplexity import text_likelihoods
from repline.systems.bracket_rnn.settings import Recipe
from repline.systems.bracket_rnn.training import open_corpus, train
from repline.training.run import Run
from tests import language_models
from tests.systems.bracket_rnn.test_training import PLAIN, RUN, TREE, root  # noqa: F401


def trained(root, folder, **changes):  # noqa: F811
    """A copied folder of a trained model, what it reads, and the batches that it was trained in."""
    recipe = Recipe(**RUN | TREE | changes)
    text = open_corpus(root / "text", root / "brackets", recipe)
    train(recipe, text, Run(folder / "run", scratch=folder / "scratch"))
    return shutil.copytree(folder / "run", folder / "elsewhere" / "run"), text, recipe


def lines(text, split):
    """The sentences of a split as raw text, brackets in line."""
    ids, bounds, names = text.ids(split), text.sentences(split), [*text.words, "(", ")"]
    rows = [ids[start : stop - 1] for start, stop in pairwise(bounds)]
    return [" ".join(names[symbol] for symbol in row) + " ." for row in rows]


@pytest.mark.parametrize(
    "changes", [{}, {"predict": True}, {"variant": "linear"}, {"steps": 7, "batch": 4}, PLAIN], ids=str
)
def test_scores_are_those_of_the_evaluation(root, tmp_path, changes):  # noqa: F811
    folder, text, recipe = trained(root, tmp_path, **changes)
    model, sentences = repline.load(folder), lines(text, "test")
    words, kinds = text_likelihoods(model.model, text, "test", 1 if recipe.steps else 8, recipe.steps)
    texts = [" \n\n".join(sentences)] if recipe.steps else sentences
    joint = sum(score.log_probability for score in model.score(texts))
    assert joint == pytest.approx(-words.nats.sum() - kinds.nats.sum(), rel=1e-4)
    if changes != PLAIN:
        conditional = model.score_given_brackets(texts)
        assert sum(score.log_probability for score in conditional) == pytest.approx(-words.nats.sum(), rel=1e-4)
        assert sum(len(score.tokens) for score in conditional) == words.words.sum()
        assert model.score_given_brackets("").tokens == []
    bracketed = "the report ( of the engine ) slept" if changes != PLAIN else "the report of the engine slept"
    language_models.check(model, folder, tmp_path, bracketed, "zebus graze 好")


def test_brackets_are_read_and_have_to_match(root, tmp_path):  # noqa: F811
    folder, _, _ = trained(root, tmp_path)
    model = repline.load(folder)
    assert model.tokens("The report (of the (old) engine) slept!") == [
        *("the", "report", "(", "of", "the", "(", "old", ")", "engine", ")", "slept", "<eos>")
    ]
    assert {"(", ")"} <= {symbol.token for symbol in model.next("the report ( of", 10**6)}
    assert model.score("the report ( of the").unknown == []  # it may go on
    for text in ("the report ) slept", "The ( report ) slept. The ) report slept."):
        with pytest.raises(InputError, match=r"a '\)' without a '\(' before it"):
            model.score(text)


def test_a_closing_bracket_of_raw_text_is_a_mark(root, tmp_path):  # noqa: F811
    folder, _, _ = trained(root, tmp_path)
    model = repline.load(folder)
    report = ["the", "report", "slept"]
    for text in ("1) The report slept", ":) The report slept", "The report) slept", "The report slept)"):
        assert [token for token in model.tokens(text) if token != "N"] == report
    assert model.tokens("a) The report (of the engine) slept b)") == [
        *("a", "the", "report", "(", "of", "the", "engine", ")", "slept", "b")
    ]


def test_no_sentence_ends_inside_a_pair_of_brackets(root, tmp_path):  # noqa: F811
    folder, _, _ = trained(root, tmp_path)
    model = repline.load(folder)
    text = "The report slept ( at 5 p.m. Monday ( in Vol. 2 ) ). It slept."
    assert model.tokens(text).count("<eos>") == 2 and model.tokens(text)[-3:] == ["it", "slept", "<eos>"]
    assert model.score(text).tokens == model.tokens(text)
    unclosed = "The report ( slept. It slept. The ( old ) report slept."
    assert model.tokens(unclosed).count("<eos>") == 3  # a bracket that nothing closes holds no pair open
    raw = "The man left the house at 5 p.m. Monday. The report slept."
    bracketed = model.brackets(raw)
    assert "( at 5 p.m. Monday )" in bracketed
    assert model.score(bracketed).tokens == model.tokens(bracketed)


def test_a_parser_sets_brackets_on_request(root, tmp_path):  # noqa: F811
    folder, _, _ = trained(root, tmp_path)
    model = repline.load(folder)
    text = "The old report of the engine vanished. It slept."
    bracketed = model.brackets(text)
    assert bracketed == "The old report ( of the engine ) vanished . It slept ."
    assert model.brackets(["", text]) == ["", bracketed]
    plain = [token for token in model.tokens(bracketed) if token not in ("(", ")")]
    assert plain == model.tokens(text)
    text = "1) The old report of the engine (of 1990) vanished :) at noon (it slept."
    bracketed = model.brackets(text)
    assert "( of the engine" in bracketed and bracketed.count("(") == bracketed.count(")")
    words = [token for token in model.tokens(bracketed) if token not in ("(", ")")]
    assert words == model.tokens(text.replace("(", "").replace(")", "")) and model.score(bracketed).tokens
    with pytest.raises(InputError, match="brackets takes a text or a list of texts"):
        model.brackets([["The", "report"]])
    model.constituents = {"optional": ["obl:*"]}
    with pytest.raises(InputError, match="phrases are of Universal Dependencies"):
        model.brackets(text)


def test_a_damaged_description_is_one_sentence(root, tmp_path):  # noqa: F811
    folder, _, _ = trained(root, tmp_path)
    values = json.loads((folder / "raw_input.json").read_text())
    for change, message in (
        ({"words": ["the"]}, r"expected \d+ words, found 1"),
        ({"words": None}, "expected words, and single_sentences"),
        ({"constituents": None}, "expected constituents of relations"),
        ({"text": {}}, "expected text of lowercase, numbers, punctuation"),
    ):
        (folder / "raw_input.json").write_text(json.dumps(values | change))
        with pytest.raises(InputError, match=message):
            repline.load(folder)

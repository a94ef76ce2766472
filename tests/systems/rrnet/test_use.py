"""Models of rrnet on raw input, from copied folders."""

import json
import shutil

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from typer.testing import CliRunner

import repline
from repline.cli.app import app
from repline.corpora.language_modeling import corpus as language_modeling
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.systems.rrnet import math_expressions, propositional_logic
from repline.systems.rrnet.evaluation import predicted_relations
from repline.systems.rrnet.language_model_training import stream_perplexity, train_rrnet_language_model
from repline.systems.rrnet.settings import (
    ExpressionRecipe,
    LanguageModelRecipe,
    MathExpressions,
    PropositionalLogic,
    RelationRecipe,
)
from repline.systems.rrnet.tensors import expression_tensors, relation_tensors
from repline.systems.rrnet.training import train_expressions, train_relations
from repline.training.recipes import CPU
from repline.training.run import Run
from tests import language_models

RECIPE = {
    "seeds": [0], "embedding": 6, "units": 8, "batch": 16, "learning_rate": 0.01, "epochs": [1, 2], "hardware": CPU,
}  # fmt: skip
ENCODERS = ["brackets", "lstm", "learned", "imitated"]


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    """Expressions, formulas, and a text."""
    root = tmp_path_factory.mktemp("corpora")
    expressions = MathExpressions(operators="+-", lengths=[2, 3], train=60, validation=10, test=20, seed=1)
    math_expressions.generate(root / "expressions", expressions)
    propositional_logic.generate(root / "formulas", PropositionalLogic(pairs=600, budget=8, variables=3, seed=1))
    random = np.random.default_rng(0)
    (root / "text").mkdir()
    for split, lines in {"train": 120, "valid": 20, "test": 20}.items():
        drawn = "".join(" ".join(random.choice(["big", "cat", "dog", "ran", "sat"], 5)) + "\n" for _ in range(lines))
        (root / "text" / f"ptb.{split}.txt").write_text(drawn)
    (root / "text/card.json").write_text(json.dumps({"name": "text", "licence": "CC0", "files": []}))
    language_modeling.build(root / "text", root / "words")
    return root


def predicted(folder, file):
    """What the command answers to the lines of a file."""
    result = CliRunner().invoke(app, ["predict", str(folder), str(file)])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("encoder", ENCODERS)
def test_expressions_are_read_as_in_the_evaluation(corpora, tmp_path, encoder):
    recipe = ExpressionRecipe(encoder=encoder, lengths=[2, 3], most=2 if encoder == "learned" else 0, **RECIPE)
    train_expressions(recipe, corpora / "expressions", Run(tmp_path / "run", scratch=tmp_path / "scratch"))
    folder = shutil.copytree(tmp_path / "run/after-2", tmp_path / "elsewhere")
    model = repline.load(folder)
    rows = pq.read_table(corpora / "expressions/test.parquet")
    texts = rows["expression"].to_pylist()
    ids, lengths, _ = expression_tensors(corpora / "expressions/test.parquet", [2, 3])
    expected, _ = model.model.predict(ids, lengths)
    answers = model.value(texts, batch=7)
    assert [answer.value for answer in answers] == expected.tolist()
    assert [answer.exact for answer in answers] == rows["value"].to_pylist()
    assert model.value(f" {texts[0][:3]} {texts[0][3:]}\n") == answers[0]
    if encoder == "brackets":
        assert model.value("((9+2)+5)").tree == "[( [( 9 + 2 )] + 5 )]"
    assert (answers[0].tree is None) == (encoder == "lstm")
    if encoder != "lstm":
        assert "".join(answers[0].tree.split()).replace("[", "").replace("]", "") == texts[0]
    for nothing in ("", "  ", "hello", "好"):
        assert (model.value(nothing).value, model.value(nothing).known_symbols) == (None, 0)
    assert model.value("((1-1)%(2-2))").exact is None  # a divisor is zero
    for wrong in ("1+2", "((1+2)", "(a+2)", ")1+2("):
        with pytest.raises(InputError, match=r"expected a fully bracketed expression such as \(\(9"):
            model.value(wrong)
    with pytest.raises(InputError, match="value takes a text or a list of texts"):
        model.value([["(1+2)"]])
    (tmp_path / "expressions.txt").write_text("\n".join(texts[:3]))
    assert [row["value"] for row in predicted(folder, tmp_path / "expressions.txt")] == expected[:3].tolist()


@pytest.mark.parametrize("encoder", ["brackets", "tree_lstm", "lstm"])
def test_relations_are_those_of_the_evaluation(corpora, tmp_path, encoder):
    recipe = RelationRecipe(encoder=encoder, longest=6, **RECIPE | {"batch": 64})
    train_relations(recipe, corpora / "formulas", Run(tmp_path / "run", scratch=tmp_path / "scratch"))
    folder = shutil.copytree(tmp_path / "run/after-2", tmp_path / "elsewhere")
    model = repline.load(folder)
    rows = pq.read_table(corpora / "formulas/test.parquet").to_pylist()
    pairs = [(row["left"], row["right"]) for row in rows]
    ids, words, _, _ = relation_tensors(corpora / "formulas/test.parquet")
    expected = predicted_relations(model.model, ids, words).tolist()
    answers = model.relation(pairs, batch=9)
    assert [model.model.relations.index(answer.relation) for answer in answers] == expected
    assert [answer.exact for answer in answers] == [row["relation"] for row in rows]
    answer = model.relation(("a", "(A(OR b))"))
    assert (answer.exact, answer.known_words) == ("<", 8) and sum(answer.probabilities.values()) == pytest.approx(1)
    assert answer.trees == (("a", "[( a [( or b )] )]") if encoder == "brackets" else (None, None))
    shares = json.loads((folder / "raw_input.json").read_text())["shares"]
    for nothing in (("", "a"), ("a", " "), ("xyzzy", "a"), ("", "")):
        answer = model.relation(nothing)
        assert answer.probability == pytest.approx(max(shares)) and answer.trees == (None, None)
    with pytest.raises(InputError, match="expected a formula such as"):
        model.relation(("a", "( a or b )"))
    with pytest.raises(InputError, match="relation takes a pair of texts or a list of pairs"):
        model.relation("a")
    (tmp_path / "pairs.tsv").write_text("\n".join("\t".join(pair) for pair in pairs[:3]))
    assert [row["exact"] for row in predicted(folder, tmp_path / "pairs.tsv")] == [row["relation"] for row in rows[:3]]


@pytest.mark.parametrize("kind", ["learned", "recur", "lstm"])
def test_texts_are_scored_as_in_the_evaluation(corpora, tmp_path, kind):
    recipe = LanguageModelRecipe(
        kind=kind, vocabulary=None, steps=6, betas=[0.9, 0.99], **RECIPE | {"epochs": 1, "units": 6}
    )
    train_rrnet_language_model(recipe, corpora / "words", Run(tmp_path / "run", scratch=tmp_path / "scratch"))
    folder = shutil.copytree(tmp_path / "run", tmp_path / "elsewhere" / "run")
    model, view = repline.load(folder), LanguageModelingCorpus.load(corpora / "words")
    text = " ".join(f"{line}.\n\n" for line in (corpora / "text/ptb.test.txt").read_text().splitlines())
    score = model.score(text)
    assert [view.index[token] for token in score.tokens] == view.ids("test").tolist()
    measured, _, _ = stream_perplexity(model.model, view, "test", batch=1, steps=1000)
    assert score.perplexity == pytest.approx(measured, rel=1e-4)
    language_models.check(model, folder, tmp_path, "big cat sat", "zebus graze 好")
    tree = model.tree("Big cat. Dog ran")
    assert (tree is None) == (kind == "lstm")
    if tree is not None:
        assert tree.replace("[", "").replace("]", "").split() == ["<eos>", "big", "cat", "<eos>", "dog", "ran"]
    with torch.inference_mode():
        assert model.tree("") in ("<eos>", "[<eos>", "<eos>]", None)


def test_a_damaged_description_is_one_sentence(corpora, tmp_path):
    recipe = RelationRecipe(encoder="lstm", longest=6, **RECIPE | {"batch": 64})
    train_relations(recipe, corpora / "formulas", Run(tmp_path / "run", scratch=tmp_path / "scratch"))
    (tmp_path / "run/after-1/raw_input.json").write_text('{"shares": [1.0]}')
    with pytest.raises(InputError, match="expected shares of 7 relations"):
        repline.load(tmp_path / "run/after-1")
    config = json.loads((tmp_path / "run/after-1/config.json").read_text())
    config["repline"]["kind"] = "sums"
    (tmp_path / "run/after-1/config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="there is no kind 'sums'"):
        repline.load(tmp_path / "run/after-1")

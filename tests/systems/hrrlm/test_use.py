"""Models of hrrlm on raw text, from a copied folder."""

import json
import shutil

import numpy as np
import pytest

import repline
from repline.errors import InputError
from repline.systems.hrrlm.chunk_training import train_chunks
from repline.systems.hrrlm.evaluation import word_rows
from repline.systems.hrrlm.settings import ChunkRecipe, WordRecipe
from repline.systems.hrrlm.training import load_model, train_words
from repline.training.run import Run
from tests import language_models
from tests.systems.hrrlm.test_training import SMALL, corpus  # noqa: F401


@pytest.fixture(params=[("hrrlm", "contiguous"), ("hrrlm", "sentences"), ("tied", "sentences")])
def trained(request, corpus, tmp_path):  # noqa: F811
    """A copied folder, the recipe, and the folder of the training."""
    model, batching = request.param
    recipe = WordRecipe(**{key: value for key, value in SMALL.items() if key != "seed"} | {"model": model})
    recipe = recipe.model_copy(update={"batching": batching})
    train_words(recipe, corpus, Run(tmp_path / "run", scratch=tmp_path / "scratch"))
    return shutil.copytree(tmp_path / "run", tmp_path / "elsewhere" / "run"), recipe, tmp_path / "run"


def test_scores_are_those_of_the_evaluation(trained, corpus, tmp_path):  # noqa: F811
    folder, recipe, original = trained
    model = repline.load(folder)
    rows = word_rows(load_model(original, corpus), corpus, "test", recipe.model_copy(update={"batch": 1}))
    sentences = [" ".join(row) + " ." for row in corpus.rows("test", ["tokens"])["tokens"].to_pylist()]
    texts = sentences if recipe.batching == "sentences" else [" \n\n".join(sentences)]
    scores = model.score(texts)
    assert sum(score.log_probability for score in scores) == pytest.approx(-rows.nats.sum(), rel=1e-4)
    assert sum(len(score.tokens) for score in scores) == rows.words.sum()
    language_models.check(model, folder, tmp_path, "The cat mostly sees the dog", "zebus graze 好")
    assert model.tokens("The cat, mostly! It sees 3.5 dogs") == [
        "the",
        "cat",
        "mostly",
        "<eos>",
        "it",
        "sees",
        "N",
        "dogs",
    ]


def test_words_have_vectors_in_each_space(trained, corpus):  # noqa: F811
    folder, recipe, original = trained
    model, network = repline.load(folder), load_model(original, corpus)
    fillers = model.fillers("Cat")
    row = corpus.words.index("cat")
    np.testing.assert_allclose(fillers["composite"], network.word_vectors()[row].detach().numpy(), atol=1e-6)
    assert set(fillers) == {"composite", *(("filler_1", "filler_2") if recipe.model == "hrrlm" else ())}
    if recipe.model == "hrrlm":
        np.testing.assert_allclose(fillers["filler_2"], network.filler_vectors(1)[row].detach().numpy(), atol=1e-6)
        assert len(model.most_similar("cat", filler=2, n=3)) == 3
    assert "cat" not in [neighbour.word for neighbour in model.most_similar("cat")]
    with pytest.raises(InputError, match="this model has no filler_3; it has composite"):
        model.most_similar("cat", filler=3)
    with pytest.raises(InputError, match="'zebu' has no vector here"):
        model.fillers("zebu")
    with pytest.raises(InputError, match="fillers takes a word"):
        model.fillers(["cat"])


def test_a_model_of_chunks_scores_words(corpus, tmp_path):  # noqa: F811
    recipe = WordRecipe(**{key: value for key, value in SMALL.items() if key != "seed"})
    train_words(recipe, corpus, Run(tmp_path / "words", scratch=tmp_path / "scratch"))
    chunks = ChunkRecipe(corpus="corpus", learning_rate=0.01, batch=6, epochs=1)
    train_chunks(chunks, tmp_path / "words", corpus, Run(tmp_path / "run", scratch=tmp_path / "scratch"))
    folder = shutil.copytree(tmp_path / "run", tmp_path / "elsewhere" / "run")
    language_models.check(repline.load(folder), folder, tmp_path, "The cat sees", "zebus graze")
    (folder / "raw_input.json").write_text(json.dumps({"single_sentences": True}))
    with pytest.raises(InputError, match="expected text of lowercase, numbers, punctuation"):
        repline.load(folder)
    (folder / "raw_input.json").write_text("{}")
    with pytest.raises(InputError, match="expected one of hrrlm, tied, chunks, and single_sentences"):
        repline.load(folder)

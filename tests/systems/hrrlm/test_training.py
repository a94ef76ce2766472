"""Training HRRLM: annealing and resuming, bases that stay, chunks in batches."""

import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from repline.corpora.language_modeling import corpus as language_modeling
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.systems.hrrlm.chunk_training import chunk_fillers, chunked_sentences, load_chunks, train_chunks
from repline.systems.hrrlm.model import HRRLM
from repline.systems.hrrlm.settings import ChunkRecipe, WordRecipe
from repline.systems.hrrlm.training import load_model, loader, train_words
from repline.training.run import Run

TOKENS = ["The", "cat", ",", "mostly", ",", "sees", '"', "the", "old", "dog", '"', "."]
CHUNKS = ["B-NP", "I-NP", "O", "B-ADVP", "O", "B-VP", "B-X", "B-NP", "I-NP", "I-NP", "I-NP", "O"]
POS = ["DET", "NOUN", "PUNCT", "ADV", "PUNCT", "VERB", "PUNCT", "DET", "ADJ", "NOUN", "PUNCT", "PUNCT"]
SMALL = {
    "seed": 3,
    "dimensions": 8,
    "layers": 1,
    "width": 4,
    "batch": 4,
    "steps": 5,
    "epochs": 3,
    "optimizer": "adam",
    "learning_rate": 0.01,
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    root = tmp_path_factory.mktemp("corpus")
    (root / "source").mkdir()
    random = np.random.default_rng(0)
    rows = []
    for number in range(30):
        is_kept = [index for index in range(len(TOKENS)) if index < 3 or random.random() < 0.8 or number < 1]
        row = {name: [values[index] for index in is_kept] for name, values in
               (("tokens", TOKENS), ("pos", POS), ("chunk", CHUNKS))}  # fmt: skip
        rows.append({"doc_id": str(number), "sentence_id": 0, **row})
    pq.write_table(pa.Table.from_pylist(rows), root / "source/part-0.parquet")
    (root / "source/card.json").write_text(json.dumps({"name": "made", "licence": "CC0", "sources": []}))
    language_modeling.build(root / "source", root / "corpus")
    return LanguageModelingCorpus.load(root / "corpus")


def _train(corpus, root, name="run", **options):
    recipe = WordRecipe(**{name: value for name, value in (SMALL | options).items() if name != "seed"})
    this_run = Run(root / name, seed=SMALL.get("seed", 0), name="variant made", scratch=root / "scratch")
    train_words(recipe, corpus, this_run)
    for checkpoints in this_run.checkpoints:
        shutil.rmtree(checkpoints)
    return load_model(root / name, corpus)


def test_the_second_filler_counts_in_full_after_the_annealing_epochs(corpus, tmp_path):
    model = _train(corpus, tmp_path, annealing_epochs=2)
    epochs = model.step / 3
    assert model.annealing == 2 * epochs
    assert model.alpha().tolist() == [1, 1]
    early = _train(corpus, tmp_path, "early", annealing_epochs=6)
    assert early.alpha().tolist() == [1, 0.5]
    record = json.loads((tmp_path / "run/training.json").read_text())
    assert [epoch["epoch"] for epoch in record["history"]] == [1, 2, 3]
    assert record["history"][0]["train_loss"] > record["history"][0]["train_nll"]  # the penalty


@pytest.mark.parametrize("bases", ["isometric", "fixed"])
def test_fixed_bases_are_bit_identical_after_training(corpus, tmp_path, bases):
    model = _train(corpus, tmp_path, bases=bases)
    torch.manual_seed(3)
    start = HRRLM(corpus.words, dimensions=8, width=4, layers=1, bases=bases)
    for name in ("fillers", "roles"):
        assert torch.equal(getattr(model, name), getattr(start, name)) == (bases == "fixed")


def test_an_interrupted_run_ends_with_the_same_bytes(corpus, tmp_path, monkeypatch):
    whole = _train(corpus, tmp_path, annealing_epochs=3)
    seen, forward = [], HRRLM.forward

    def failing(self, *arguments):
        seen.append(self.training)
        if sum(seen) == int(whole.step * 0.7):
            raise KeyError("interrupted")
        return forward(self, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(HRRLM, "forward", failing)
        with pytest.raises(KeyError):
            _train(corpus, tmp_path, "again", annealing_epochs=3)
    (scratch,) = (tmp_path / "scratch").iterdir()
    assert (scratch / "checkpoint.ckpt").exists()
    _train(corpus, tmp_path, "again", annealing_epochs=3)
    for name in ("model.safetensors", "training.json"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "run" / name).read_bytes()


@pytest.mark.parametrize("options", [{"batching": "sentences"}, {"model": "tied"}, {"optimizer": "sgd", "decay": 0.8}])
def test_every_way_of_training(corpus, tmp_path, options):
    _train(corpus, tmp_path, **options)
    history = json.loads((tmp_path / "run/training.json").read_text())["history"]
    assert history[-1]["validation_loss"] < history[0]["train_loss"]


@pytest.mark.parametrize("batching", ["contiguous", "sentences"])
def test_only_the_first_words_are_trained_on(corpus, batching):
    batches = loader(corpus, "train", WordRecipe(batching=batching, batch=4, steps=5), tokens=50)
    targets = [word for batch in batches for word in batch[1][batch[1] >= 0].tolist()]
    first = corpus.ids("train")[: 50 if batching == "contiguous" else max(
        end for end in corpus.sentences("train") if end <= 50
    )]  # fmt: skip
    assert sorted(targets) == sorted(first.tolist())


def test_subspaces_that_do_not_fit(corpus, tmp_path):
    with pytest.raises(InputError, match="variant made: 2 subspaces of 5 dimensions cannot be orthogonal in 8; lower"):
        _train(corpus, tmp_path, width=5)
    assert not list(tmp_path.iterdir())


def test_chunks_follow_their_words_through_dropped_punctuation(corpus):
    sentences = chunked_sentences(corpus, "train")
    rows = corpus.rows("train")["tokens"].to_pylist()
    row = rows.index(TOKENS)
    words = [corpus.words[word] for word in sentences.inputs[row, : sentences.lengths[row]].tolist()]
    assert words == ["<eos>", "the", "cat", "mostly", "sees", "the", "old", "dog"]
    targets = [corpus.words[word] for word in sentences.targets[row, : sentences.lengths[row]].tolist()]
    assert targets == [*words[1:], "<eos>"]
    assert sentences.number[row, :8].tolist() == [-1, 0, 0, 1, 2, 3, 3, 3]
    assert sentences.chunk[row] == [0, 1, 2, 4]  # chunk 3 is a quotation mark
    phrases = [sentences.phrases[kind] for kind in sentences.kind[row, [1, 5]].tolist()]
    assert [[corpus.words[word] for word in phrase] for phrase in phrases] == [["the", "cat"], ["the", "old", "dog"]]
    assert (sentences.targets[row, sentences.lengths[row] :] == -100).all()
    short = chunked_sentences(corpus, "train", maximum_tokens=5)
    assert short.lengths.max() <= 6 and len(short.lengths) < len(sentences.lengths)
    with pytest.raises(InputError, match="no sentence of train with at most 0 words has a chunk"):
        chunked_sentences(corpus, "train", maximum_tokens=0)


def test_chunks_are_trained_from_the_word_level(corpus, tmp_path):
    start = _train(corpus, tmp_path)
    recipe = ChunkRecipe(corpus="corpus", learning_rate=0.01, batch=6, epochs=4, annealing_epochs=1)
    this_run = Run(tmp_path / "chunks", name="hrrlm-chunks", scratch=tmp_path / "scratch")
    train_chunks(recipe, tmp_path / "run", corpus, this_run)
    assert this_run.checkpoints[0].name.startswith("hrrlm-chunks-0-")
    model = load_chunks(tmp_path / "chunks", corpus)
    assert model.word_level.step == start.step and model.alpha().tolist() == [1, 1]
    history = json.loads((tmp_path / "chunks/training.json").read_text())["history"]
    assert history[-1]["validation_loss"] < history[0]["validation_loss"]
    sentences = chunked_sentences(corpus, "test")
    filled = chunk_fillers(model, sentences, batch=2)
    again = chunk_fillers(model, sentences, batch=100)
    assert filled.names == again.names and len(filled.names) == len(filled.fillers) == len(filled.kind)
    np.testing.assert_allclose(filled.fillers, again.fillers, atol=1e-6)
    assert filled.fillers.shape[1:] == (2, 8)
    (tmp_path / "chunks/training.json").write_text((tmp_path / "run/training.json").read_text())
    with pytest.raises(InputError, match="this is no HRRLM of the present code and parameters"):
        load_model(tmp_path / "chunks", corpus)

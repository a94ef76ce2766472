"""Trainings on little text: what is learnt, what is kept, and that it can be had again."""

import json

import numpy as np
import pytest
import torch

from repline.errors import InputError
from repline.evaluation.sentences.sentence_encoders import read_encoder
from repline.pretrained import pretrained
from repline.systems.rnn_cnn.corpus import read_corpus, write_corpus
from repline.systems.rnn_cnn.evaluation import held_out_numbers, held_out_replicates, task_numbers, task_replicates
from repline.systems.rnn_cnn.model import ContextModel
from repline.systems.rnn_cnn.settings import Recipe, Text
from repline.systems.rnn_cnn.training import HELD_OUT, ContextLoss, train
from repline.training.run import Run
from repline.vectors import store

RECIPE = {"units": 8, "targets": 3, "epochs": 6, "learning_rate": 0.02, "batch": 16}
NEXT = {"one": "two", "two": "three", "three": "one"}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A sentence says what the next one says: one one one. -> two two two."""
    folder = tmp_path_factory.mktemp("corpus")
    rng, rows, word = np.random.default_rng(0), [], "one"
    for _ in range(240):
        rows.append(" ".join([word] * int(rng.integers(3, 6))).capitalize() + ".")
        word = NEXT[word]
    (folder / "text.txt").write_text("\n".join(rows), encoding="utf-8")
    write_corpus(folder / "made", Text(sources=["text.txt"], vocabulary=4, held_out=0.2), folder)
    return read_corpus(folder / "made")


def trained(corpus, folder, seed=0, **more):
    vectors = np.random.default_rng(0).normal(size=(4, 6)).astype(np.float32)
    this_run = Run(folder / "model", seed=seed, scratch=folder / "scratch")
    store.save(folder / "vectors", list(corpus.words), vectors)
    train(Recipe(**RECIPE | more), corpus, vectors, folder / "vectors", this_run)
    with np.load(folder / "model" / HELD_OUT) as arrays:
        return {name: arrays[name] for name in arrays.files}


def test_the_words_that_follow_are_learnt_from_the_sentence(corpus, tmp_path):
    numbers = held_out_numbers([trained(corpus, tmp_path)])
    following = corpus.following(corpus.pairs(3, held_out=True), 3)
    assert numbers["nats"] < 0.5 < np.nanmean(corpus.unigram_nats(following)) < numbers["swapped"]
    record = json.loads((tmp_path / "model/training.json").read_text(encoding="utf-8"))
    assert len(record["history"]) == 6 and read_encoder(tmp_path / "model")["vectors"] == str(tmp_path / "vectors")


@pytest.mark.parametrize("kind", [{"decoder": "ar_rnn", "feed": "sampled"}, {"decoder": "ar_cnn", "feed": "uniform"}])
def test_the_same_seed_gives_the_same_model(corpus, tmp_path, kind):
    first = trained(corpus, tmp_path / "a", epochs=1, **kind)
    again = trained(corpus, tmp_path / "b", epochs=1, **kind)
    other_seed = trained(corpus, tmp_path / "c", epochs=1, seed=1, **kind)
    weights = [pretrained(ContextModel, tmp_path / name / "model").encoder.weight_hh_l0 for name in "abc"]
    assert torch.equal(weights[0], weights[1]) and not torch.equal(weights[0], weights[2])
    np.testing.assert_array_equal(first["nats"], again["nats"])
    assert not np.array_equal(first["nats"], other_seed["nats"])


def test_the_untrained_control_has_the_weights_that_it_was_drawn_with(corpus, tmp_path):
    trained(corpus, tmp_path, trained=False)
    torch.manual_seed(0)
    drawn = ContextModel(corpus.words, 6, 8, 3)
    model = pretrained(ContextModel, tmp_path / "model")
    assert torch.equal(model.encoder.weight_ih_l0, drawn.encoder.weight_ih_l0)


def test_so_many_pairs_are_drawn(corpus, tmp_path):
    trained(corpus, tmp_path, pairs=16, epochs=1)
    settings = json.loads((tmp_path / "model/training.json").read_text(encoding="utf-8"))["settings"]
    assert settings["pairs"] == 16


def test_long_sentences_are_read_to_a_limit(corpus):
    loss = ContextLoss(corpus, 3, 2)
    sources, lengths, targets = loss.read(torch.tensor([0, 1]))
    assert sources.shape == (2, 2) and lengths.tolist() == [2, 2]
    np.testing.assert_array_equal(targets.numpy(), corpus.following(np.array([0, 1]), 3))


def test_too_little_text(corpus, tmp_path):
    with pytest.raises(InputError, match="the held-out part of the text has 0 sentences with 400 words"):
        trained(corpus, tmp_path, targets=400)
    assert not (tmp_path / "model").exists()


def scores(value, kind="classification"):
    return {"kind": kind, "value": value, "replicates": [value - 0.1, value + 0.1]}


def test_numbers_are_means_of_seeds_and_of_tasks_with_classes():
    seeds = [
        {"SICK-E": scores(0.5), "STS14": scores(0.2, "similarity") | {"spearman": 0.1}},
        {"SICK-E": scores(0.7), "STS14": scores(0.4, "similarity") | {"spearman": 0.3}},
    ]
    numbers = task_numbers(seeds)
    assert numbers["accuracy"] == pytest.approx(0.6) and numbers["sick_e"]["seeds"] == [0.5, 0.7]
    assert numbers["sts14"]["value"] == pytest.approx(0.3) and numbers["sts14"]["spearman"] == pytest.approx(0.2)
    parts = task_replicates(seeds)
    allowed = {0.4, 0.5, 0.6}
    assert len(parts) == 2 and {round(parts[0]["sick_e"]["value"], 6)} <= allowed
    assert {round(parts[1]["accuracy"], 6)} <= {0.6, 0.7, 0.8}


def test_replicates_of_held_out_text_differ_as_its_pairs_do():
    alike = held_out_replicates([{"nats": np.full(20, 3.0)}])
    assert len(alike) == 200 and {part["nats"] for part in alike} == {3.0}
    various = held_out_replicates([{"nats": np.append(np.arange(20.0), np.nan)}])
    assert np.std([part["nats"] for part in various]) == pytest.approx(np.arange(20).std() / 20**0.5, rel=0.2)


@pytest.mark.parametrize("pairs", [2, 65, 129])
def test_a_sentence_is_swapped_with_that_of_another_pair(corpus, tmp_path, monkeypatch, pairs):
    monkeypatch.setattr(
        "repline.systems.rnn_cnn.training._pairs", lambda corpus, targets, held_out: made(pairs, held_out)
    )

    def made(count, held_out):
        every = torch.from_numpy(corpus.pairs(3, held_out))
        return every[torch.arange(count if held_out else len(every)) % len(every)]

    nats = trained(corpus, tmp_path, epochs=1)
    assert len(nats["nats"]) == len(nats["swapped"]) == pairs
    assert nats["nats"][-1] != nats["swapped"][-1]

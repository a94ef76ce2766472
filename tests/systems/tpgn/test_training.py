"""From a corpus to two kept models: what is numbered, what is learned, and what a stopped run goes on from."""

import json

import numpy as np
import pytest
import torch

from repline.corpora.captions.caption_corpus import read_captions, write_captions
from repline.corpora.captions.made_captions import write
from repline.corpora.captions.recipes import CaptionCorpus
from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.tpgn import training
from repline.systems.tpgn.corpus import BEGIN, END, IGNORED, SPECIAL, UNKNOWN, prepare, sentences
from repline.systems.tpgn.decoding import generate, readouts
from repline.systems.tpgn.evaluation import commonest_caption, scores
from repline.systems.tpgn.model import TPGN, CaptionLSTM
from repline.systems.tpgn.settings import Network, Recipe
from repline.systems.tpgn.training import CaptionLoss, train
from repline.training.recipes import CPU
from repline.training.run import Run
from repline.vectors import store

KNOBS = {"epochs": 3, "learning_rate": 0.01, "batch": 32, "gradient_clip": 5.0, "embedding": 8, "dropout": 0.1}
KNOBS |= {"fixed_epochs": 2, "patience": 3, "hardware": CPU}


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    root = tmp_path_factory.mktemp("captions")
    (root / "raw").mkdir()
    write(root / "raw", seed=0, pictures=120, dev=20, test=20)
    write_captions(root / "raw", root / "corpus", CaptionCorpus(form="table", features="tags", tags=100))
    return read_captions(root / "corpus")


@pytest.fixture(scope="module")
def data(parts):
    return prepare(parts, 3, 12)


def _train(data, folder, name="tpgn", vectors="", **knobs):
    network = Network(**({"kind": name, "dimensions": 4} | knobs.pop("network", {})))
    this_run = Run(folder / "model", seed=1, name=name, scratch=folder / "scratch")
    train(Recipe(**KNOBS | knobs), network, data, vectors, this_run)
    return this_run.checkpoints[0]


def test_captions_as_numbers(parts, data):
    assert data.vocabulary[:3] == list(SPECIAL)
    counts = [word for every in parts["train"].captions for _, words in every for word in words]
    assert min(counts.count(word) for word in data.vocabulary[3:]) >= 3
    words, lengths = data.training.words, data.training.lengths
    assert (words[:, 0] == BEGIN).all() and words.shape[1] == 14
    longer = [len(caption) > 12 for targets in parts["train"].targets() for caption in targets]
    last = words[torch.arange(len(words)), lengths - 1]
    assert ((last == END) == ~torch.tensor(longer)).all()  # a caption that is cut has no end
    assert ((words == IGNORED).sum(1) == 14 - lengths).all()
    whole = prepare(parts, 3, 40).training.words[0]
    again = sentences([[number for number in whole.tolist() if number >= 0]], data.vocabulary)[0]
    expected_words = [word if word in data.vocabulary else "<unk>" for word in parts["train"].targets()[0][0]]
    assert again == ["<s>", *expected_words, "</s>"]
    expected = np.asarray(data.features)[parts["train"].rows].mean(0)
    torch.testing.assert_close(data.mean, torch.from_numpy(expected))


def test_a_vocabulary_of_nothing(parts):
    with pytest.raises(InputError, match=r"^no word of the training captions occurs 100000 times"):
        prepare(parts, 100000, 12)


def test_two_models_are_kept(data, tmp_path):
    _train(data, tmp_path)
    record = json.loads((tmp_path / "model/stopped/training.json").read_text())
    losses = [epoch["validation_loss"] for epoch in record["history"]]
    assert len(losses) == 3
    measured = {}
    held = data.validation
    for regime in training.REGIMES:
        model = pretrained(TPGN, tmp_path / "model" / regime)
        with torch.no_grad():
            measured[regime] = float(CaptionLoss(data.features)(model, (held.words, held.rows))[0])
    assert measured["fixed"] == pytest.approx(losses[1], rel=1e-4)
    assert measured["stopped"] == pytest.approx(min(losses), rel=1e-4)


def test_a_run_that_was_stopped_goes_on_to_the_same_bytes(data, tmp_path, monkeypatch):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    _train(data, whole)
    save = training._AfterEpoch.__call__

    def stop(self, record):
        if record["epoch"] == 3:
            raise KeyboardInterrupt
        return save(self, record)

    monkeypatch.setattr(training._AfterEpoch, "__call__", stop)
    with pytest.raises(KeyboardInterrupt):
        _train(data, cut)
    monkeypatch.undo()
    _train(data, cut)
    for regime in training.REGIMES:
        files = [root / "model" / regime / "model.safetensors" for root in (whole, cut)]
        assert files[0].read_bytes() == files[1].read_bytes()


def test_training_that_ends_before_the_fixed_epochs(data, tmp_path):
    with pytest.raises(InputError, match="training stopped after 2 epochs, before the fixed 9; raise patience"):
        _train(data, tmp_path, epochs=9, fixed_epochs=9, patience=1, learning_rate=1e-12)
    assert not (tmp_path / "model").exists()


def test_vectors_of_words_from_elsewhere(data, tmp_path):
    names = [word for word in data.vocabulary[3:] if word != "mug"]
    matrix = np.random.default_rng(0).normal(size=(len(names), 6)).astype(np.float32) + 5
    store.save(tmp_path / "vectors", names, matrix)
    frozen = {"start": "vectors", "frozen": True}
    _train(data, tmp_path, vectors=tmp_path / "vectors", network=frozen, epochs=2)
    embedding = pretrained(TPGN, tmp_path / "model/stopped").embedding.weight.detach()
    rows = [data.vocabulary.index(name) for name in names]
    torch.testing.assert_close(embedding[rows], torch.from_numpy(matrix - matrix.mean(0)), atol=1e-5, rtol=1e-5)
    assert embedding[data.vocabulary.index("mug")].abs().max() == embedding[UNKNOWN].abs().max() == 0
    store.save(tmp_path / "other", ["xyzzy"], matrix[:1])
    with pytest.raises(InputError, match=r"none of the \d+ words of the captions has a vector"):
        _train(data, tmp_path, vectors=tmp_path / "other", network=frozen)


@pytest.mark.parametrize("kind", [TPGN, CaptionLSTM])
def test_captions_and_the_vectors_of_their_words(data, kind):
    torch.manual_seed(0)
    model = kind(len(data.vocabulary), data.features.shape[1], 8, 4).eval()
    torch.nn.init.normal_(model.output.weight, std=3.0)
    test = data.parts["test"]
    greedy = generate(model, data.features, test.rows, longest=7)
    assert max(map(len, greedy)) <= 7 and not any({BEGIN, END, UNKNOWN} & set(caption) for caption in greedy)
    vectors = readouts(model, data.features, test.rows, greedy)
    assert len(vectors) == sum(map(len, greedy))
    alone = [readouts(model, data.features, test.rows[[row]], [greedy[row]]) for row in range(3)]
    torch.testing.assert_close(
        torch.from_numpy(np.concatenate(alone)), torch.from_numpy(vectors[: sum(map(len, alone))]), atol=1e-5, rtol=1e-4
    )
    assert readouts(model, data.features, test.rows[:2], [[], []]).shape[0] == 0


def test_a_wider_beam_finds_more_probable_captions(data):
    torch.manual_seed(0)
    model = TPGN(len(data.vocabulary), data.features.shape[1], 8, 4).eval()
    torch.nn.init.normal_(model.output.weight, std=3.0)
    test = data.parts["test"]

    def likelihood(captions):
        total = 0.0
        for row, caption in zip(test.rows.tolist(), captions, strict=True):
            words = torch.tensor([[BEGIN, *caption, END]])
            mean, number = CaptionLoss(data.features)(model, (words, torch.tensor([row])))
            total -= float(mean * number)
        return total

    with torch.no_grad():
        narrow, wide = (likelihood(generate(model, data.features, test.rows, longest=60, beam=k)) for k in (1, 5))
    assert wide > narrow


def test_the_constant_caption_and_scores(data):
    constant = commonest_caption(data.parts["train"])
    every = [tuple(caption) for targets in data.parts["train"].targets() for caption in targets]
    assert every.count(tuple(constant)) == max(every.count(caption) for caption in set(every))
    references = data.parts["test"].targets()
    scores_of_references = scores([caption[0] for caption in references], references, np.ones((2, len(references))))
    assert scores_of_references["bleu_4"].tolist() == [1.0, 1.0] and scores_of_references["length"][0] > 3
    assert scores([constant] * len(references), references, np.ones((1, len(references))))["distinct"] == [1.0]

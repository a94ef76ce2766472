"""The training loop of language models: carried state, schedules, averaging, exact resume, two processes."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from repline.evaluation.perplexity import likelihood
from repline.training import language_models
from repline.training.detached_state import detached
from repline.training.language_model_batches import contiguous, padded
from repline.training.language_models import language_modeling_loss as own_loss
from repline.training.language_models import negative_log_likelihood
from repline.training.optimizers.averaged_sgd import AveragedSGD
from repline.training.optimizers.schedules import non_monotone, plateau
from repline.training.recipes import CPU, Hardware
from tests.training.small_language_model import model, train_language_model
from tests.training.two_processes import train_in_two_processes

STALLING = [3.0, 2.0, 2.5, 2.4]  # with a window of one epoch, averaging begins after the fourth


def stream(length=400, seed=0):
    """A stream in which a word says a lot of the next one."""
    random = np.random.default_rng(seed)
    ids = [2]
    while len(ids) < length:
        ids.append(2 + (3 * ids[-1] + int(random.random() < 0.2)) % 10)
    return np.array(ids, np.int32)


def train(folder, network=None, epochs=4, **options):
    network = network or model()
    options = {"learning_rate": 0.02, "seed": 5, "hardware": CPU, "gradient_clip": 1.0} | options
    training = options.pop("training", contiguous(stream(), 4, 10, random_steps=True, seed=5))
    validation = options.pop("validation", contiguous(stream(150, 1), 3, 20))
    history = train_language_model(network, training, validation, epochs=epochs, checkpoints=folder, **options)
    return network, history


def same(a, b):
    return all(torch.equal(x, y) for x, y in zip(a.state_dict().values(), b.state_dict().values(), strict=True))


class _Fails(nn.Module):
    """Raises when a model reads for the n-th time."""

    def __init__(self, inner, fails_at):
        super().__init__()
        self.inner, self.fails_at = inner, fails_at
        inner.register_forward_pre_hook(self._count)

    def _count(self, *_):
        self.fails_at -= 1
        if not self.fails_at:
            raise KeyError("interrupted")


def validate(monkeypatch, losses):
    """The first epochs are found to have these validation losses, the ones after them their own.

    So what follows from a loss that rises hangs on no processor's rounding. Runs that share `losses`, an iterator, are
    one run that was interrupted.
    """

    def language_modeling_loss():
        loss, value_of_epoch = own_loss(), []

        def stalling_loss(model, batch):
            value, words, means = loss(model, batch)
            if model.training:
                return value, words, means
            if batch[2]:  # the first batch of an epoch
                value_of_epoch[:] = [next(losses, None)]
            return value if value_of_epoch[0] is None else torch.tensor(value_of_epoch[0]), words, means

        return stalling_loss

    monkeypatch.setattr(language_models, "language_modeling_loss", language_modeling_loss)


def test_it_learns_and_the_loss_is_exact(tmp_path):
    trained, history = train(tmp_path, epochs=12)
    assert history[-1]["validation_loss"] < 0.6 * math.log(12)
    validation = contiguous(stream(150, 1), 3, 20)
    measured = likelihood(negative_log_likelihood(trained), validation)
    assert measured.words == 150
    assert measured.cross_entropy == pytest.approx(history[-1]["validation_loss"], rel=1e-6)
    assert history[0]["train_loss"] == history[0]["train_nll"]


def test_the_state_is_carried_and_cut(tmp_path):
    trained = model(dropout=0.0)
    train(tmp_path, trained, epochs=1, training=contiguous(stream(80), 2, 10), validation=contiguous(stream(60), 2, 10))
    seen = {mode: [state for training, state, _ in trained.states if training is mode] for mode in (True, False)}
    assert not any(graph for _, _, graph in trained.states)
    assert [len(states) for states in seen.values()] == [4, 3]
    for states in seen.values():
        assert not states[0].any()
        assert all(state.any() for state in states[1:])
    trained.eval()
    inputs, _, _ = next(iter(contiguous(stream(60), 2, 10)))
    _, (state,) = trained(inputs, trained.initial_state(2))
    torch.testing.assert_close(state, seen[False][1])  # of validation, not of training


def test_sentences_begin_with_a_new_state(tmp_path):
    trained = model()
    starts = np.arange(0, 400, 8)
    batches = padded(stream(), starts, np.full(len(starts), 8), 10)
    train(tmp_path, trained, epochs=1, training=batches, validation=None)
    assert len(trained.states) == 5
    assert not any(state.any() for _, state, _ in trained.states)


def test_the_loss_of_segments_is_that_of_the_whole_stream():
    network = model()
    (batch,) = contiguous(stream(), 1, 400)
    whole = negative_log_likelihood(network)(batch)
    nll = negative_log_likelihood(network)
    pieces = torch.cat([nll(batch) for batch in contiguous(stream(), 1, 7)])
    torch.testing.assert_close(pieces, whole, atol=1e-5, rtol=1e-5)


def test_a_penalty_is_in_the_training_loss_alone(tmp_path):
    _, history = train(tmp_path, model(weight=0.01), epochs=1)
    assert history[0]["train_loss"] > history[0]["train_nll"] + 0.01
    assert set(history[0]) == {"epoch", "train_loss", "train_nll", "validation_loss"}


@pytest.mark.parametrize(
    "options",
    [
        {"decay": 0.5, "full_steps": 10},
        {"optimizer": "nt-asgd", "learning_rate": 2.0, "non_monotone_window": 1, "weight_decay": 1e-4, "patience": 9},
        {"optimizer": "nt-asgd", "learning_rate": 2.0, "non_monotone_window": 1},
    ],
)
def test_an_interrupted_run_ends_with_the_same_weights(tmp_path, monkeypatch, options):
    validate(monkeypatch, iter(STALLING))
    whole, history = train(tmp_path / "whole", epochs=9, **options)
    checkpoint = torch.load(tmp_path / "whole" / "checkpoint.ckpt", weights_only=True)
    assert ("evaluated" in checkpoint) == ("optimizer" in options)  # NT-ASGD has begun to average
    broken = model()
    _Fails(broken, 100)
    validate(monkeypatch, iter(STALLING))
    with pytest.raises(KeyError):
        train(tmp_path / "cut", broken, epochs=9, **options)
    resumed, again = train(tmp_path / "cut", epochs=9, **options)
    assert again == history
    assert same(whole, resumed)
    finished, again = train(tmp_path / "cut", epochs=9, **options)  # nothing is left to train
    assert again == history
    assert same(whole, finished)


def test_the_rate_falls_after_each_run_of_bad_epochs():
    optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], 1.0)
    schedule, history, rates = plateau(0.5, patience=3, minimum=0.1), [], []
    for epoch in range(14):
        history.append({"epoch": epoch, "validation_loss": 1.0})
        schedule(optimizer, history)
        rates.append(optimizer.param_groups[0]["lr"])
    assert rates == [1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.125, 0.125, 0.125, 0.1, 0.1]


def test_the_rate_falls_in_training(tmp_path, monkeypatch):
    _, history = train(tmp_path, epochs=3, learning_rate=0.0, decay=0.8)
    assert len({record["validation_loss"] for record in history}) == 1
    checkpoint = torch.load(tmp_path / "checkpoint.ckpt", weights_only=True)
    assert checkpoint["optimizer_states"][0]["param_groups"][0]["lr"] == 0
    validate(monkeypatch, iter([3.0, 2.0, 2.5, 1.0, 1.0]))  # worse once, and once not better
    _, history = train(tmp_path / "b", epochs=5, learning_rate=0.5, decay=0.8, optimizer="sgd")
    assert [record["validation_loss"] for record in history] == [3.0, 2.0, 2.5, 1.0, 1.0]
    assert [record["learning_rate"] for record in history] == [0.5, 0.5, 0.5, 0.4, 0.4]
    rate = torch.load(tmp_path / "b" / "checkpoint.ckpt", weights_only=True)["optimizer_states"][0]["param_groups"][0]
    assert rate["lr"] == pytest.approx(0.5 * 0.8**2)


def test_averaging_begins_when_the_loss_stalls_and_means_the_iterates():
    parameter = nn.Parameter(torch.tensor([4.0]))
    optimizer = AveragedSGD([parameter], 0.5)
    schedule = non_monotone(window=2)
    losses, begun = [5.0, 4.0, 4.5, 4.4, 4.2, 4.3], []
    for count in range(len(losses)):
        schedule(optimizer, [{"validation_loss": loss} for loss in losses[: count + 1]])
        begun.append(optimizer.averaging)
    assert begun == [False, False, False, False, True, True]  # 4.2 is above the best of 5.0 and 4.0
    seen = [4.0]
    for _ in range(3):
        optimizer.zero_grad()
        (parameter.square() / 2).sum().backward()
        optimizer.step()
        seen.append(float(parameter.detach()))
    assert seen == [4, 2, 1, 0.5]
    optimizer.swap()
    assert float(parameter.detach()) == pytest.approx(np.mean(seen))
    optimizer.swap()
    assert float(parameter.detach()) == 0.5


def test_the_averaged_weights_are_validated_and_kept(tmp_path, monkeypatch):
    validate(monkeypatch, iter(STALLING))
    options = {"optimizer": "nt-asgd", "learning_rate": 3.0, "non_monotone_window": 1, "epochs": 8}
    trained, history = train(tmp_path, **options)
    checkpoint = torch.load(tmp_path / "checkpoint.ckpt", weights_only=True)
    assert "evaluated" in checkpoint  # it has begun to average
    key = "model.decoder.weight"
    assert torch.equal(trained.state_dict()["decoder.weight"], checkpoint["evaluated"][key])
    assert not torch.equal(checkpoint["state_dict"][key], checkpoint["evaluated"][key])
    measured = likelihood(negative_log_likelihood(trained), contiguous(stream(150, 1), 3, 20))
    assert measured.cross_entropy == pytest.approx(history[-1]["validation_loss"], rel=1e-6)


def test_training_stops_when_told_to(tmp_path):
    _, history = train(tmp_path, epochs=9, until=lambda record: record["epoch"] == 3)
    assert len(history) == 3
    _, history = train(tmp_path, epochs=9, until=lambda record: record["epoch"] == 3)
    assert len(history) == 3


def test_parameters_that_make_no_sense(tmp_path):
    with pytest.raises(ValueError, match="needs validation data"):
        train(tmp_path, decay=0.8, validation=None)
    with pytest.raises(ValueError, match="needs validation data"):
        train(tmp_path, optimizer="nt-asgd", validation=None)
    with pytest.raises(ValueError, match="one of adam, sgd, nt-asgd as the optimiser, found 'adm'"):
        train(tmp_path, optimizer="adm")


def test_states_of_all_shapes_are_cut():
    value = torch.ones(2, requires_grad=True) * 2
    state = detached((value, (value, None), [value]))
    assert not state[0].requires_grad
    assert not state[1][0].requires_grad
    assert state[1][1] is None
    assert isinstance(state[2], list)


def train_streams_and_sentences(folder, devices=2, strategy="ddp"):
    """Train on a stream whose last row ends early, and on sentences of several lengths, in double precision."""
    starts = np.arange(0, 390, 13)
    loaders = {
        "stream": contiguous(stream(399), 4, 10),
        "sentences": padded(stream(), starts, 3 + np.arange(len(starts)) % 9, 8, seed=1),
    }
    results = {}
    for name, training in loaders.items():
        options = {"training": training, "validation": contiguous(stream(150, 1), 4, 20), "epochs": 2, "decay": 0.5}
        hardware = Hardware(accelerator="cpu", devices=devices, strategy=strategy)
        options |= {"optimizer": "sgd", "learning_rate": 1.0, "hardware": hardware}
        trained, history = train(Path(folder) / name, model(dropout=0.0).double(), **options)
        results[name] = {"model": trained.state_dict(), "history": history}
    return results


def test_two_processes_train_the_same_model(tmp_path):
    two = train_in_two_processes(tmp_path, train_streams_and_sentences, "two")
    for name, expected in train_streams_and_sentences(tmp_path / "alone", 1, "auto").items():
        for key, value in expected["model"].items():
            torch.testing.assert_close(two[name]["model"][key], value, atol=1e-10, rtol=1e-8)
        for alone, record in zip(expected["history"], two[name]["history"], strict=True):
            assert record == pytest.approx(alone, rel=1e-9)

"""Checkpoints inside an epoch: a run that is killed goes on from them to the bytes of an undisturbed one."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from repline.errors import InputError
from repline.layers.stacked_state import StackedState
from repline.systems.rrnet.model import State
from repline.training.batches import Rest, batches
from repline.training.detached_state import detached, moved
from repline.training.fingerprint import fingerprint
from repline.training.fit import CHECKPOINT, fit
from repline.training.language_model_batches import contiguous
from repline.training.optimizers.averaged_sgd import AveragedSGD
from repline.training.recipes import AFTER_EPOCHS, CPU, Checkpointing, Hardware
from tests.commands import run_command
from tests.training.small_language_model import model as language_model
from tests.training.small_language_model import train_language_model
from tests.training.two_processes import Failed, train_in_two_processes

EVERY = 3
OFTEN = Checkpointing(steps=EVERY)


class Killed:
    """A hook before each batch of training: counts them, and stops the run at one of them if told to."""

    def __init__(self, model, stop_at=None):
        self.batches, self.stop_at = 0, stop_at
        model.register_forward_pre_hook(self._count)

    def _count(self, model, _):
        self.batches += model.training
        if model.training and self.batches == self.stop_at:
            raise KeyboardInterrupt


def train(folder, checkpointing=AFTER_EPOCHS, stop_at=None, counter=Killed, **options):
    """A plain model with dropout: four epochs of eight batches, one of two rows."""
    torch.manual_seed(0)
    x = torch.randn(114, 5, generator=torch.Generator().manual_seed(1))
    model = nn.Sequential(nn.Linear(5, 16), nn.Dropout(0.3), nn.ReLU(), nn.Linear(16, 2))
    killed = counter(model, stop_at)
    options = {"epochs": 4, "learning_rate": 0.01, "seed": 3} | options
    data = batches((x, (x.sum(1) > 0).long()), 16, seed=3)
    loss = options.pop("loss", lambda model, batch: nn.functional.cross_entropy(model(batch[0]), batch[1]))
    history = fit(model, loss, data, checkpoints=folder, hardware=CPU, checkpointing=checkpointing, **options)
    return model, history, killed.batches


def train_carrying(folder, checkpointing=AFTER_EPOCHS, stop_at=None, steps=True, hardware=CPU, **options):
    """A language model that carries its state; with random lengths, whose loader does not know how many it has."""
    model = language_model()
    killed = Killed(model, stop_at)
    random = np.random.default_rng(0)
    ids, held = (random.integers(2, 12, size).astype(np.int32) for size in (400, 120))
    options = {"epochs": 4, "learning_rate": 0.02, "seed": 5, "gradient_clip": 1.0, "batches_per_turn": 1} | options
    history = train_language_model(model, contiguous(ids, 4, 10, random_steps=steps, seed=5), contiguous(held, 3, 20),
        checkpoints=folder, hardware=hardware, checkpointing=checkpointing, **options)  # fmt: skip
    return model, history, killed.batches


def state_bytes(model):
    return {name: value.numpy().tobytes() for name, value in model.state_dict().items()}


def under_way(folder):
    return torch.load(folder / CHECKPOINT, weights_only=True).get("under_way")


def weighed(model, batch):
    """Batches that count by their rows, with one more mean."""
    loss = nn.functional.cross_entropy(model(batch[0]), batch[1])
    return loss, len(batch[0]), {"square": loss.square()}


def averaging(weights, rate):
    """Averages from the first step on."""
    optimizer = AveragedSGD(weights, rate)
    optimizer.start_averaging()
    return optimizer


CASES = {
    "plain": (train, {}),
    "weighed": (train, {"loss": weighed}),
    "together": (train, {"batches_per_turn": 3, "gradient_clip": 0.05}),
    "measured": (train, {"measure": lambda model: {"accuracy": float(model[0].weight.sum())}, "highest": "accuracy"}),
    "carrying": (train_carrying, {"full_steps": 10, "decay": 0.5}),
    "carrying, lengths known": (train_carrying, {"steps": False, "patience": 3}),
    "averaging": (train_carrying, {"learning_rate": 2.0, "optimizer": averaging}),
}


@pytest.fixture(scope="module", params=CASES)
def undisturbed(request, tmp_path_factory):
    """A case: how it is trained, with which options, and what is to come of it: weights, history, batches."""
    run, options = CASES[request.param]
    model, history, count = run(tmp_path_factory.mktemp("whole"), **options)
    return run, options, state_bytes(model), history, count


def test_being_saved_changes_nothing(tmp_path, undisturbed):
    run, options, weights, history, _ = undisturbed
    saved, same, _ = run(tmp_path, OFTEN, **options)
    assert same == history and state_bytes(saved) == weights


@pytest.mark.parametrize("epoch", [0, 2])
def test_a_run_killed_inside_an_epoch_ends_with_the_same_bytes(tmp_path, undisturbed, epoch):
    run, options, weights, history, count = undisturbed
    before = run(tmp_path / "before", epochs=epoch, **options)[2] if epoch else 0
    stop_at = before + 6  # after a checkpoint, and before the epoch's end
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "cut", OFTEN, stop_at=stop_at, **options)
    processes = under_way(tmp_path / "cut")
    assert len(processes) == 1 and processes[0]["batches"] == EVERY
    resumed, again, rest = run(tmp_path / "cut", **options)  # with other knobs
    assert rest == count - before - EVERY  # none twice that the checkpoint holds
    assert again == history
    assert state_bytes(resumed) == weights
    assert under_way(tmp_path / "cut") is None


def train_and_be_killed(folder):
    """Train up to the 21st batch, where this process kills itself."""

    class Kills(Killed):
        def _count(self, model, batch):
            try:
                super()._count(model, batch)
            except KeyboardInterrupt:
                os.kill(os.getpid(), signal.SIGKILL)

    train(folder, OFTEN, stop_at=21, counter=Kills)


def test_a_killed_process_leaves_a_whole_checkpoint(tmp_path):
    program = f"from pathlib import Path; from {__name__} import train_and_be_killed; train_and_be_killed(Path('cut'))"
    (tmp_path / "killed.py").write_text(program)
    folder = tmp_path / "cut"
    assert run_command(tmp_path, "killed").returncode == -signal.SIGKILL
    assert sorted(path.name for path in folder.iterdir()) == [CHECKPOINT]
    assert under_way(folder)[0]["batches"] == EVERY
    resumed, again, rest = train(folder)
    whole, history, _ = train(tmp_path / "whole")
    assert rest == 32 - 16 - EVERY
    assert again == history and state_bytes(resumed) == state_bytes(whole)


@pytest.mark.parametrize(("batches_per_turn", "batches_done"), [(1, 5), (2, 4)])
def test_a_checkpoint_by_the_clock(tmp_path, batches_per_turn, batches_done):
    always = Checkpointing(minutes=1e-9)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "cut", always, stop_at=8 + 6, batches_per_turn=batches_per_turn)
    assert under_way(tmp_path / "cut")[0]["batches"] == batches_done
    never = Checkpointing(minutes=1e9)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "seldom", never, stop_at=8 + 6, batches_per_turn=batches_per_turn)
    assert under_way(tmp_path / "seldom") is None


def test_a_run_may_be_killed_in_the_same_epoch_again(tmp_path):
    for stop_at, batches_done in [(6, 3), (2, 3), (5, 6)]:  # batches of each attempt
        with pytest.raises(KeyboardInterrupt):
            train_carrying(tmp_path / "cut", OFTEN, stop_at=stop_at)
        assert under_way(tmp_path / "cut")[0]["batches"] == batches_done
    resumed, again, _ = train_carrying(tmp_path / "cut", OFTEN)
    whole, history, _ = train_carrying(tmp_path / "whole")
    assert again == history and state_bytes(resumed) == state_bytes(whole)


def test_turns_of_another_size_are_refused(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "cut", OFTEN, stop_at=6, batches_per_turn=3)
    with pytest.raises(InputError, match=r"1 x 3 \(processes x batches a turn\) stopped .* this one has 1 x 1"):
        train(tmp_path / "cut", OFTEN)
    assert under_way(tmp_path / "cut")  # which is left as it was


def train_in_processes(folder, stop_at=None):
    """Train in two processes with dropout; each has its own state and losses."""
    hardware = Hardware(accelerator="cpu", devices=2, strategy="ddp")
    model, history, _ = train_carrying(Path(folder), OFTEN, stop_at=stop_at, epochs=2, hardware=hardware)
    return model.state_dict(), history


def test_two_processes_go_on_inside_an_epoch(tmp_path):
    whole, history = train_in_two_processes(tmp_path, train_in_processes, "whole")
    with pytest.raises(Failed, match="KeyboardInterrupt"):
        train_in_two_processes(tmp_path, train_in_processes, "cut", 6)
    assert [process["batches"] for process in under_way(tmp_path / "cut")] == [EVERY] * 2
    resumed, again = train_in_two_processes(tmp_path, train_in_processes, "cut")
    assert again == history
    assert all(torch.equal(whole[name], value) for name, value in resumed.items())


def test_a_fingerprint_changes_with_the_hardware():
    model = nn.Linear(2, 2)
    plain = fingerprint(model, {}, hardware=CPU)
    assert fingerprint(model, {}, hardware=Hardware(accelerator="cpu", tf32=True)) != plain


def test_the_batches_that_were_done_are_not_read_in_the_first_epoch(monkeypatch):
    loader = batches((torch.arange(40),), 6, seed=1)
    whole = [batch[0].tolist() for batch in loader]
    read, rows = [], type(loader.dataset)
    inner = rows.__getitem__
    monkeypatch.setattr(rows, "__getitem__", lambda self, chosen: read.append(chosen) or inner(self, chosen))
    rest = Rest(loader, 4)
    iter(rest)  # which takes none
    assert len(rest) == 7
    assert [batch[0].tolist() for batch in rest] == whole[4:] and len(read) == 3
    assert [batch[0].tolist() for batch in rest] == whole


def test_states_of_all_kinds_are_read_back(tmp_path):
    stack = StackedState(2, 3, 4, like=torch.zeros(1))
    stack.push(torch.tensor([True, False]), torch.ones(2, 4))
    state = {"training": ((torch.ones(2),), None, [stack], State(torch.ones(1), torch.zeros(2), torch.ones(2).long()))}
    torch.save(moved({"training": detached(state["training"])}, "cpu"), tmp_path / "state")
    (first,), nothing, (loaded,), named = torch.load(tmp_path / "state", weights_only=True)["training"]
    assert torch.equal(first, torch.ones(2)) and nothing is None
    assert type(named) is State and named.sizes.dtype == torch.int64
    assert torch.equal(loaded.pop(torch.tensor([True, False])), torch.tensor([[1.0], [0.0]]).expand(2, 4))

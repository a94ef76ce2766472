"""The shared fit: determinism, exact resume, broken checkpoints, early stopping, two processes."""

import importlib
import os
import tracemalloc
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from repline.corpora.language_modeling.cut_stream import CutStream
from repline.errors import InputError
from repline.systems.lstm_memorization.model import MiddleTokenLSTM
from repline.systems.lstm_memorization.training import middle_token_loss
from repline.training import fingerprint as fingerprints
from repline.training.batches import batches
from repline.training.fingerprint import code, fingerprint
from repline.training.fit import fit
from repline.training.language_models import language_modeling_loss
from repline.training.optimizers.schedules import plateau
from repline.training.recipes import CPU, Hardware, load_hardware, overlaid_hardware
from tests.training.two_processes import train_in_two_processes


def _data(rows=96, seed=0):
    x = torch.randn(rows, 5, generator=torch.Generator().manual_seed(seed))
    return x, (x.sum(1) > 0).long()


def _model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(5, 16), nn.Dropout(0.3), nn.ReLU(), nn.Linear(16, 2))


class _Loss:
    """Cross-entropy that counts its batches, and fails at one of them if told to."""

    def __init__(self, fails_at=None):
        self.batches, self.fails_at = 0, fails_at

    def __call__(self, model, batch):
        self.batches += 1
        if self.batches == self.fails_at:
            raise KeyError("interrupted")
        x, y = batch
        return nn.functional.cross_entropy(model(x), y)


def _run(folder, epochs=6, loss=None, **options):
    model = _model()
    options = {"learning_rate": 0.01, "seed": 3, "hardware": CPU} | options
    history = fit(model, loss or _Loss(), batches(_data(), 16, seed=3), epochs=epochs, checkpoints=folder, **options)
    return model, history


def _same(a, b):
    return all(torch.equal(x, y) for x, y in zip(a.state_dict().values(), b.state_dict().values(), strict=True))


def test_two_runs_are_equal_and_learn(tmp_path):
    model, history = _run(tmp_path / "a", epochs=30)
    two, again = _run(tmp_path / "b", epochs=30)
    assert _same(model, two)
    assert history == again
    assert [record["epoch"] for record in history] == list(range(1, 31))
    assert history[-1]["train_loss"] < 0.6 * history[0]["train_loss"]
    assert not model.training


def test_a_model_that_was_evaluated_trains_like_a_new_one(tmp_path):
    evaluated, new = _model().eval(), _model()
    for name, model in {"evaluated": evaluated, "new": new}.items():
        options = {"epochs": 2, "learning_rate": 0.01, "seed": 3, "checkpoints": tmp_path / name, "hardware": CPU}
        fit(model, _Loss(), batches(_data(), 16, seed=3), **options)
    assert _same(evaluated, new)  # with dropout, that is


@pytest.mark.parametrize(("hardware", "why"), [({"accelerator": "tpu"}, "torch_xla"), ({"accelerator": "gpo"}, "gpo")])
def test_hardware_that_is_not_there_is_one_sentence(tmp_path, hardware, why):
    with pytest.raises(
        InputError, match=rf"^hardware: accelerator \w+, devices 1, .*({why}).*; accelerator auto takes"
    ):
        _run(tmp_path, hardware=Hardware(**hardware))


def test_an_interrupted_run_resumes_and_ends_with_the_same_weights(tmp_path):
    whole, history = _run(tmp_path / "whole")
    with pytest.raises(KeyError):
        _run(tmp_path / "cut", loss=_Loss(fails_at=3 * 6 + 4))  # in the fourth of six epochs of six batches
    rest = _Loss()
    resumed, resumed_history = _run(tmp_path / "cut", loss=rest)
    assert rest.batches == 3 * 6  # not from the start
    assert _same(whole, resumed)
    assert resumed_history == history
    again = _Loss()
    finished, _ = _run(tmp_path / "cut", loss=again)  # killed after the last epoch: nothing to train
    assert again.batches == 0
    assert _same(whole, finished)


def test_a_broken_checkpoint_starts_again(tmp_path, capsys):
    whole, _ = _run(tmp_path / "whole")
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "checkpoint.ckpt").write_bytes((tmp_path / "whole" / "checkpoint.ckpt").read_bytes()[:500])
    again, _ = _run(folder)
    assert "cannot be read" in capsys.readouterr().err
    assert _same(whole, again)


def test_a_checkpoint_that_holds_code_is_not_run(tmp_path):
    folder, canary = tmp_path / "evil", tmp_path / "ran"
    folder.mkdir()

    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(canary),)

    torch.save({"state_dict": Evil()}, folder / "checkpoint.ckpt")
    _run(folder, epochs=1)
    assert not canary.exists()


def test_early_stopping_keeps_the_best_weights(tmp_path):
    """One weight, 0 at first, that grows by 1 an epoch and is validated by its distance from 5: all exact."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    history = fit(
        model,
        lambda model, batch: -model.weight.sum() if model.training else (model.weight - 5).abs().sum(),
        batches((torch.zeros(4, 1),), 4),
        validation=batches((torch.zeros(2, 1),), 2, shuffle=False),
        epochs=200,
        patience=3,
        learning_rate=1.0,
        optimizer=torch.optim.SGD,
        seed=0,
        checkpoints=tmp_path / "c",
        hardware=CPU,
    )
    assert [record["validation_loss"] for record in history] == [4, 3, 2, 1, 0, 1, 2, 3]
    assert model.weight.item() == 5


def test_a_loss_that_is_not_finite_is_an_error(tmp_path):
    with pytest.raises(FloatingPointError, match="epoch 1"):
        _run(tmp_path, loss=lambda model, batch: model(batch[0]).sum() * float("nan"))


def test_early_stopping_by_a_number_that_is_to_be_high(tmp_path):
    accuracy = iter([0.1, 0.5, 0.9, 0.6, 0.9, 0.7, 1.0])
    model, history = _run(
        tmp_path / "stopped",
        epochs=7,
        measure=lambda model: {"accuracy": next(accuracy)},
        highest="accuracy",
        patience=3,
    )
    assert [record["accuracy"] for record in history] == [0.1, 0.5, 0.9, 0.6, 0.9, 0.7]
    third, _ = _run(tmp_path / "third", epochs=3)
    assert _same(model, third)


def test_patience_needs_validation(tmp_path):
    with pytest.raises(ValueError, match="validation"):
        _run(tmp_path, patience=2)


_plateau = plateau(0.5, patience=3)


def test_a_schedule_halves_after_every_third_epoch_without_a_better_loss(tmp_path):
    _, history = _run(tmp_path, epochs=10, schedule=_plateau, measure=lambda model: {"validation_loss": 1.0})
    rates = [record["learning_rate"] for record in history]
    assert rates == [0.01] * 4 + [0.005] * 3 + [0.0025] * 3


def test_a_schedule_resumes_where_it_was(tmp_path):
    def options():
        losses = iter([3.0, 2.0, 2.5, 2.5, 2.5, 1.0, 1.5, 1.5, 1.5, 1.5])
        return {"schedule": _plateau, "measure": lambda model: {"validation_loss": next(losses)}, "epochs": 10}

    whole, history = _run(tmp_path / "whole", **options())
    shared = options()
    with pytest.raises(KeyError):
        _run(tmp_path / "cut", loss=_Loss(fails_at=4 * 6 + 4), **shared)  # in the fifth epoch, two bad ones counted
    resumed, resumed_history = _run(tmp_path / "cut", **shared)
    assert [record["learning_rate"] for record in history] == [0.01] * 5 + [0.005] * 4 + [0.0025]
    assert resumed_history == history
    assert _same(whole, resumed)


def test_training_measures_without_dropout_and_stops_when_told_to(tmp_path):
    modes = []

    def measure(model):
        modes.append((model.training, torch.is_grad_enabled()))
        return {"accuracy": float(len(modes))}

    options = {"measure": measure, "until": lambda record: record["accuracy"] >= 3}
    stopped, history = _run(tmp_path / "a", epochs=30, **options)
    assert [record["accuracy"] for record in history] == [1.0, 2.0, 3.0]
    assert set(modes) == {(False, False)}
    plain, _ = _run(tmp_path / "b", epochs=3)
    assert _same(stopped, plain)
    loss = _Loss()
    again, same = _run(tmp_path / "a", epochs=30, loss=loss, **options)  # killed before its model was saved
    assert loss.batches == 0 and same == history
    assert _same(stopped, again)


@pytest.mark.parametrize("options", [{}, {"gradient_clip": 0.05, "schedule": _plateau}])
def test_batches_taken_together_make_the_same_training(tmp_path, options):
    options = options | {"measure": lambda model: {"validation_loss": 1.0}}
    plain, history = _run(tmp_path / "a", **options)
    grouped, same = _run(tmp_path / "b", batches_per_turn=4, **options)  # six batches: four and two
    assert same == history
    assert _same(plain, grouped)
    with pytest.raises(KeyError):
        _run(tmp_path / "cut", loss=_Loss(fails_at=3 * 6 + 4), batches_per_turn=4, **options)
    rest = _Loss()
    resumed, again = _run(tmp_path / "cut", loss=rest, batches_per_turn=4, **options)
    assert rest.batches == 3 * 6
    assert again == history
    assert _same(plain, resumed)


def test_the_weights_of_the_highest_epoch_are_kept_also_by_a_resumed_run(tmp_path):
    def options():
        values = iter([0.1, 0.5, 0.9, 0.6, 0.9, 0.7])
        return {"measure": lambda model: {"accuracy": next(values)}, "highest": "accuracy"}

    best_model, history = _run(tmp_path / "whole", **options())
    assert len(history) == 6
    third, _ = _run(tmp_path / "third", epochs=3)
    assert _same(best_model, third)
    shared = options()
    with pytest.raises(KeyError):
        _run(tmp_path / "cut", loss=_Loss(fails_at=3 * 6 + 4), **shared)  # just after the highest
    resumed, again = _run(tmp_path / "cut", **shared)
    assert again == history
    assert _same(best_model, resumed)


def test_a_folder_of_checkpoints_may_be_moved(tmp_path):
    def options(*values):
        left = iter(values)
        return {"measure": lambda model: {"accuracy": next(left)}, "highest": "accuracy"}

    values = 0.1, 0.9, 0.2, 0.3, 0.4, 0.5
    best_model, history = _run(tmp_path / "whole", **options(*values))
    with pytest.raises(KeyError):
        _run(tmp_path / "cut", loss=_Loss(fails_at=4 * 6 + 4), **options(*values[:4]))
    (tmp_path / "cut").rename(tmp_path / "moved")
    resumed, again = _run(tmp_path / "moved", **options(*values[4:]))
    assert again == history
    assert _same(best_model, resumed)
    (tmp_path / "moved").rename(tmp_path / "moved again")  # killed before its model was saved
    assert _same(best_model, _run(tmp_path / "moved again", **options())[0])


def test_a_schedule_needs_a_validation_loss(tmp_path):
    with pytest.raises(ValueError, match="schedule"):
        _run(tmp_path, schedule=_plateau)


def test_fingerprints_tell_runs_apart():
    data = _data()
    base = fingerprint(_model(), {"epochs": 3}, data)
    assert base == fingerprint(_model(), {"epochs": 3}, data)
    assert base != fingerprint(_model(), {"epochs": 4}, data)
    assert base != fingerprint(_model(), {"epochs": 3}, _data(seed=1))
    assert base != fingerprint(nn.Sequential(nn.Linear(5, 2)), {"epochs": 3}, data)


def test_the_hardware_is_set_up_as_told(tmp_path, monkeypatch):
    compiled, compile_ = [], torch.compile
    monkeypatch.setattr(torch, "compile", lambda call, **_: compiled.append(call) or compile_(call, backend="eager"))
    plain, _ = _run(tmp_path / "a", epochs=2)
    same, _ = _run(tmp_path / "b", epochs=2, hardware=Hardware(accelerator="cpu", compile=True, deterministic=False))
    assert _same(plain, same) and len(compiled) == 1 and same._compiled_call_impl is None
    assert not torch.are_deterministic_algorithms_enabled() and not torch.backends.cudnn.allow_tf32
    _run(tmp_path / "c", epochs=1, hardware=Hardware(accelerator="cpu", tf32=True))
    assert torch.get_float32_matmul_precision() == "high" and torch.backends.cudnn.allow_tf32
    assert torch.are_deterministic_algorithms_enabled()
    half, history = _run(tmp_path / "d", hardware=Hardware(accelerator="cpu", precision="bf16-mixed"))
    assert torch.get_float32_matmul_precision() == "highest"
    assert not _same(plain, half) and {value.dtype for value in half.state_dict().values()} == {torch.float32}
    exact = _run(tmp_path / "e")[1]
    assert history[-1]["train_loss"] == pytest.approx(exact[-1]["train_loss"], rel=0.05)
    in_turns, again = _run(
        tmp_path / "f", batches_per_turn=4, hardware=Hardware(accelerator="cpu", precision="bf16-mixed")
    )
    assert again == history and _same(half, in_turns)


def test_a_training_overrides_the_section_hardware():
    shared = load_hardware({"hardware": {"accelerator": "cpu", "tf32": True}})
    assert overlaid_hardware(shared, Hardware()) == Hardware(accelerator="cpu", tf32=True)
    assert overlaid_hardware(shared, Hardware(tf32=False, devices=2)) == Hardware(accelerator="cpu", devices=2)
    with pytest.raises(InputError, match=r"unknown parameter 'hardware.precison'; did you mean 'precision'"):
        load_hardware({"hardware": {"precison": "32-true"}})
    with pytest.raises(InputError, match=r"hardware.precision should be '32-true' or 'bf16-mixed', found 16"):
        load_hardware({"hardware": {"precision": 16}})


def test_a_fingerprint_covers_the_code_of_model_and_loss(tmp_path, monkeypatch):
    texts = {
        "gates.py": "def gate(x):\n    return x\n",
        "cell.py": "from torch import nn\nfrom made.gates import gate\nclass Cell(nn.Linear):\n    gate = gate\n",
        "net.py": "from torch import nn\nfrom made import cell\nclass Net(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n        self.cell = cell.Cell(2, 2)\n",
        "losses.py": "from made.terms import term\ndef loss(model, batch):\n    return term\n",
        "terms.py": "def term():\n    pass\n",
        "other.py": "def other():\n    pass\n",
    }
    (tmp_path / "made").mkdir()
    for name, text in texts.items():
        (tmp_path / "made" / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    net, losses = importlib.import_module("made.net"), importlib.import_module("made.losses")
    importlib.import_module("made.other")
    model = net.Net()
    marks = {"": fingerprint(model, {}, loss=losses.loss)}
    for name in texts:
        (tmp_path / "made" / name).write_text(texts[name] + "# changed\n")
        marks[name] = fingerprint(model, {}, loss=losses.loss)
        (tmp_path / "made" / name).write_text(texts[name])
    assert marks.pop("other.py") == marks[""]
    assert len(set(marks.values())) == 6


def test_of_this_package_a_fingerprint_covers_the_definitions_that_are_reached():
    lstm = MiddleTokenLSTM(20, 8, 1.0)
    addresses, files = code(lstm, middle_token_loss)
    assert addresses == [
        "repline.systems.lstm_memorization.model:MiddleTokenLSTM",
        "repline.systems.lstm_memorization.training:middle_token_loss",
    ]
    assert files == []
    mark = fingerprint(lstm, {}, loss=middle_token_loss)
    assert mark == fingerprint(lstm, {}, loss=middle_token_loss) != fingerprint(lstm, {}, loss=language_modeling_loss)
    assert Path(__file__) in code(_model(), _Loss())[1]  # a loss of this test's


def test_a_fingerprint_reads_streams_in_blocks_and_tells_them_apart():
    ids = np.arange(3_000_000, dtype=np.int32)
    mark = fingerprint(_model(), {}, [ids])
    assert mark == fingerprint(_model(), {}, [torch.from_numpy(ids)])
    assert mark == fingerprint(_model(), {}, [CutStream(ids, 3_000_000, 0)])
    assert mark != fingerprint(_model(), {}, [CutStream(ids, 2_999_999, 0)])
    tracemalloc.start()
    fingerprint(_model(), {}, [CutStream(ids, 5, 0)])
    assert tracemalloc.get_traced_memory()[1] < ids.nbytes
    tracemalloc.stop()


def train_a_line(folder, devices=2):
    """The weights of a linear model, in double precision, where the order of a sum costs nothing, and the history.

    Of the last batches, the processes get shares of different size. No batch needs one of the weights.
    """
    torch.manual_seed(0)
    model, (x, y), (held, held_targets) = nn.Linear(5, 2), _data(93), _data(37, seed=1)
    model.unused = nn.Parameter(torch.ones(1))
    model.double()
    options = {"epochs": 4, "learning_rate": 0.01, "seed": 3}
    hardware = Hardware(accelerator="cpu", devices=devices)
    validation = batches((held.double(), held_targets), 16, shuffle=False)
    history = fit(model, _Loss(), batches((x.double(), y), 16, seed=3), checkpoints=folder,
        validation=validation, hardware=hardware, patience=9, **options)  # fmt: skip
    return {"model": model.state_dict(), "history": history}


def test_two_processes_train_the_same_model(tmp_path):
    two = train_in_two_processes(tmp_path, train_a_line, "two")
    alone = train_a_line(tmp_path / "alone", 1)
    for key, value in alone["model"].items():
        torch.testing.assert_close(two["model"][key], value, atol=1e-12, rtol=1e-10)
    for record, expected in zip(two["history"], alone["history"], strict=True):
        assert record == pytest.approx(expected, rel=1e-10)


def test_the_recorded_loss_of_validation_is_the_one_that_chooses_the_epoch(tmp_path):
    held = _data(33, seed=1)  # the last of its batches has one row
    model = _model()
    history = fit(
        model, _Loss(), batches(_data(), 16, seed=3), validation=batches(held, 16, shuffle=False), epochs=6,
        checkpoints=tmp_path, learning_rate=0.05, seed=3, hardware=CPU, patience=5,
    )  # fmt: skip
    recorded = [record["validation_loss"] for record in history]
    with torch.no_grad():
        assert _Loss()(model.eval(), held).item() == pytest.approx(min(recorded), rel=1e-5)


def test_a_fingerprint_covers_what_trains_and_further_functions(monkeypatch):
    asked = []
    monkeypatch.setattr(fingerprints, "library_digest", lambda address: asked.append(address) or "0")
    fingerprint(_model(), {}, others=[partial(language_modeling_loss, 1), None])
    assert "repline.training.fit:fit" in asked and "repline.training.language_models:language_modeling_loss" in asked
    asked.clear()
    known = fingerprint(_model(), {}, code_digest="0123")
    assert asked == [] and known != fingerprint(_model(), {}, code_digest="4567")

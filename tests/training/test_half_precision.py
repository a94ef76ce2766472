"""A training in bfloat16 on a CPU that has no LSTM of this precision: by a probe that says no, and on a real one."""

import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from repline.training import half_precision
from repline.training.batches import batches
from repline.training.fit import fit
from repline.training.recipes import Hardware
from tests.commands import run_command

HALF = Hardware(accelerator="cpu", precision="bf16-mixed")
# oneDNN of an x86 processor without AVX-512; it is read when oneDNN first computes, so that it needs another process
OLDER = {"ONEDNN_MAX_CPU_ISA": "AVX2"}


class Reader(nn.Module):
    """A linear layer, whose values are bfloat16 under autocast, and an LSTM; it notes in which types they come."""

    def __init__(self):
        super().__init__()
        self.project, self.lstm, self.types = nn.Linear(4, 8), nn.LSTM(8, 8, batch_first=True), set()

    def forward(self, inputs):
        projected = self.project(inputs)
        states = self.lstm(projected)[0]
        self.types |= {(projected.dtype, states.dtype)}
        return states


class Attending(nn.Module):
    """Attention of 4 heads, by the layer or the function of PyTorch, over a sequence as long as its kernel packs."""

    def __init__(self, by_layer):
        super().__init__()
        self.project, self.layer = nn.Linear(4, 8), nn.MultiheadAttention(8, 4, batch_first=True) if by_layer else None
        self.types = set()

    def forward(self, inputs):
        states = self.project(inputs).repeat(1, half_precision.PACKED_LENGTH, 1)
        if self.layer:
            attended = self.layer(states, states, states, need_weights=False)[0]
        else:
            heads = states.unflatten(2, (4, 2)).transpose(1, 2)
            attended = scaled_dot_product_attention(heads, heads, heads)
        self.types |= {(states.dtype, attended.dtype)}
        return attended


def squares(model, batch):
    return model(batch[0]).float().square().mean()


def train(folder, hardware=HALF, model=None):
    torch.manual_seed(0)
    model = model or Reader()
    data = [torch.randn(12, 3, 4, generator=torch.Generator().manual_seed(1))]
    history = fit(
        model, squares, batches(data, 4, seed=3), epochs=2, learning_rate=0.01, seed=3, checkpoints=folder,
        hardware=hardware,
    )  # fmt: skip
    return model, history


@pytest.mark.parametrize("has_lstm", [False, pytest.param(True, marks=pytest.mark.skipif(
    not half_precision.has_bfloat16_lstm(), reason="this processor has no bfloat16 LSTM"))])  # fmt: skip
def test_lstms_are_in_float32_where_the_processor_has_no_other(tmp_path, monkeypatch, capfd, has_lstm):
    monkeypatch.setattr(half_precision, "has_bfloat16_lstm", lambda: has_lstm)
    model, history = train(tmp_path / "half")
    warnings = capfd.readouterr().out.count("no LSTM in bfloat16; it is computed in float32")
    assert model.types == {(torch.bfloat16, torch.bfloat16 if has_lstm else torch.float32)}
    assert warnings == (0 if has_lstm else 1)
    exact = train(tmp_path / "exact", Hardware(accelerator="cpu"))[1]
    assert history[-1]["train_loss"] == pytest.approx(exact[-1]["train_loss"], rel=0.05)


@pytest.mark.parametrize("has_attention", [False, pytest.param(True, marks=pytest.mark.skipif(
    not half_precision.has_bfloat16_attention(), reason="this processor has no bfloat16 attention"))])  # fmt: skip
@pytest.mark.parametrize("by_layer", [False, True])
def test_attention_is_in_float32_where_the_processor_has_no_other(
    tmp_path, monkeypatch, capfd, by_layer, has_attention
):
    monkeypatch.setattr(half_precision, "has_bfloat16_attention", lambda: has_attention)
    torch.manual_seed(0)
    model, history = train(tmp_path / "half", model=Attending(by_layer))
    assert model.types == {(torch.bfloat16, torch.bfloat16 if has_attention else torch.float32)}
    lines = capfd.readouterr().out.count("no attention in bfloat16; it is computed in float32")
    assert lines == (0 if has_attention else 1)
    torch.manual_seed(0)
    exact = train(tmp_path / "exact", Hardware(accelerator="cpu"), model=Attending(by_layer))[1]
    assert history[-1]["train_loss"] == pytest.approx(exact[-1]["train_loss"], rel=0.05)


def test_nothing_is_said_where_there_is_no_lstm(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(half_precision, "has_bfloat16_lstm", lambda: False)
    monkeypatch.setattr(half_precision, "has_bfloat16_attention", lambda: False)
    train(tmp_path, model=nn.Linear(4, 2))
    assert "bfloat16" not in capfd.readouterr().out


@pytest.mark.parametrize(("precision", "device"), [("32-true", "cpu"), ("bf16-mixed", "meta")])
def test_only_bfloat16_on_a_cpu_is_looked_at(monkeypatch, precision, device):
    monkeypatch.setattr(half_precision, "has_bfloat16_lstm", lambda: False)
    context = half_precision.supported_kernels(precision, torch.device(device))
    assert not isinstance(context, half_precision.InFloat32)


def test_a_processor_without_avx512_trains(tmp_path):
    """oneDNN itself refuses a bfloat16 LSTM here, where the probe is not overridden."""
    program = f"from pathlib import Path; from {__name__} import train; train(Path('trained'))"
    (tmp_path / "half_precision_training.py").write_text(program)
    process = run_command(tmp_path, "half_precision_training", **OLDER)
    assert process.returncode == 0, process.stderr
    if torch.backends.mkldnn.is_available():
        assert "no LSTM in bfloat16" in process.stdout

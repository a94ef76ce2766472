"""EfficientNet-Lite0 as features of pictures: the mean of the last feature maps, 1,280 numbers.

The published weights are a pickled state of PyTorch with batch normalisations. `convert` reads it once, as weights
alone, folds every normalisation into the convolution before it, and writes safetensors; a run reads only those.

Source: Tan & Le 2019, "EfficientNet"; its Lite form has no squeeze-and-excitation, and ReLU6 in place of swish.
"""

import pickle
from pathlib import Path
from typing import TypedDict

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import conv2d, pad, relu6

from repline.errors import InputError, in_one_line

SIZE, DIMENSIONS = 224, 1280
MEAN, DEVIATION = 127.0, 128.0  # of all colours, as TensorFlow's Lite models were trained; the package's page differs
EPSILON = 1e-3  # of the normalisations
STEM = 32
# of each stage: blocks, kernel, stride of the first, expansion, channels out
STAGES = (
    (1, 3, 1, 1, 16),
    (2, 3, 2, 6, 24),
    (2, 5, 2, 6, 40),
    (3, 3, 2, 6, 80),
    (3, 5, 1, 6, 112),
    (4, 5, 2, 6, 192),
    (1, 3, 1, 6, 320),
)
WEIGHTS = "model.safetensors"


class SamePadded(nn.Conv2d):
    """A convolution whose output has ceil(size / stride) pixels; an odd row of padding comes last, as in TensorFlow."""

    def forward(self, x: Tensor) -> Tensor:  # [b, c, h, w]
        size, stride, kernel = x.shape[-1], self.stride[0], self.kernel_size[0]
        total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
        before, after = total // 2, total - total // 2
        return conv2d(pad(x, (before, after, before, after)), self.weight, self.bias, stride, groups=self.groups)


class InvertedBottleneck(nn.Module):
    """Widen, filter each channel, narrow; the input is added where the shape stays."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, expansion: int) -> None:
        super().__init__()
        wide = inputs * expansion
        self.expand = SamePadded(inputs, wide, 1) if expansion > 1 else None
        self.depthwise = SamePadded(wide, wide, kernel, stride, groups=wide)
        self.project = SamePadded(wide, outputs, 1)
        self.skip = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        wide = x if self.expand is None else relu6(self.expand(x))
        narrow = self.project(relu6(self.depthwise(wide)))
        return x + narrow if self.skip else narrow


class EfficientNetLite0(nn.Module):
    """The network without its last layer."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = SamePadded(3, STEM, 3, 2)
        blocks, inputs = [], STEM
        for repeats, kernel, stride, expansion, outputs in STAGES:
            for number in range(repeats):
                blocks.append(InvertedBottleneck(inputs, outputs, kernel, stride if number == 0 else 1, expansion))
                inputs = outputs
        self.blocks = nn.Sequential(*blocks)
        self.head = SamePadded(inputs, DIMENSIONS, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Normalised pictures [b, 3, s, s] -> features after the activation [b, 1280]."""
        return relu6(self.head(self.blocks(relu6(self.stem(x))))).mean((2, 3))

    @torch.inference_mode()
    def features(self, pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
        """[N, 224, 224, 3], RGB -> [N, 1280]."""
        colours = torch.from_numpy(pixels).permute(0, 3, 1, 2).float()
        return self((colours - MEAN) / DEVIATION).numpy()


class Weights(TypedDict):
    """How many weights there are, how long the features of a picture are, and the pixels of its side."""

    parameters: int
    dimensions: int
    size: int


def convert(checkpoint: str | Path, folder: str | Path) -> Weights:
    """Write `folder/model.safetensors` from the published checkpoint; returns what the weights are.

    Raises:
        InputError: it is no checkpoint of EfficientNet-Lite0, or holds more than weights.
    """
    try:
        state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise InputError(f"{checkpoint}: there is no such file") from None
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError) as error:
        what = in_one_line(error)
        raise InputError(f"{checkpoint}: these are no plain weights of PyTorch ({what})") from None
    model = EfficientNetLite0()
    try:
        model.load_state_dict(folded(state))
    except (KeyError, RuntimeError, AttributeError):
        raise InputError(
            f"{checkpoint}: expected the weights of EfficientNet-Lite0, found others; get the file again"
        ) from None
    save_file(model.state_dict(), Path(folder) / WEIGHTS)
    return {
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "dimensions": DIMENSIONS,
        "size": SIZE,
    }


def load(folder: str | Path) -> EfficientNetLite0:
    """The network with the weights that `convert` wrote; InputError if they are not there or do not fit."""
    path, model = Path(folder) / WEIGHTS, EfficientNetLite0()
    try:
        model.load_state_dict(load_file(path))
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file; convert the weights first") from None
    except (SafetensorError, RuntimeError):
        raise InputError(f"{path}: these are not the weights of EfficientNet-Lite0; convert them again") from None
    return model.eval()


def folded(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """The published state with each normalisation inside the convolution before it:

    w' = w g / sqrt(v + e),   b' = b - m g / sqrt(v + e), of the mean m and variance v, the scale g and the shift b.
    """
    blocks = sum(stage[0] for stage in STAGES)
    layers = {"stem": ("_conv_stem", "_bn0"), "head": ("_conv_head", "_bn1")}
    for number in range(blocks):
        old, new = f"_blocks.{number}.", f"blocks.{number}."
        if f"{old}_expand_conv.weight" in state:
            layers[f"{new}expand"] = (f"{old}_expand_conv", f"{old}_bn0")
        layers[f"{new}depthwise"] = (f"{old}_depthwise_conv", f"{old}_bn1")
        layers[f"{new}project"] = (f"{old}_project_conv", f"{old}_bn2")
    weights = {}
    for layer, (convolution, normalisation) in layers.items():
        weight = state[f"{convolution}.weight"].double()
        shift, mean, variance, gain = (
            state[f"{normalisation}.{name}"].double() for name in ("bias", "running_mean", "running_var", "weight")
        )
        scale = gain / (variance + EPSILON).sqrt()
        weights[f"{layer}.weight"] = (weight * scale[:, None, None, None]).float()
        weights[f"{layer}.bias"] = (shift - mean * scale).float()
    return weights

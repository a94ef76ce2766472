"""What the sections of params.yaml on training have in common: the machine that trains, and the optimisation."""

from collections.abc import Mapping
from typing import Any, Literal

from repline import parameters
from repline.parameters import Count, Positive, Section


class Hardware(Section):
    """The section `hardware`: what trains, and how exactly. A training may override it under its own key `hardware`.

    accelerator, devices, strategy: as Lightning names them ("cpu", 2, "ddp"); auto takes a GPU where there is one.
    precision: of products and activations; weights, sums of losses and the optimiser stay in float32, and so do LSTMs
        on a CPU that has none in bfloat16.
    tf32: whether float32 products on a GPU may round to ten bits of mantissa.
    compile: compile the model's forward pass (torch.compile); its results differ in the last bits.
    deterministic: choose kernels that give the same bits every time, where there are such; they can be slower on GPUs.
    checkpoint_minutes, checkpoint_steps: inside an epoch, write a checkpoint so many minutes, or so many batches, after
        the last one; with both None, only after every epoch. They change no result.
    """

    accelerator: str = "auto"
    devices: Count | str = 1
    strategy: str = "auto"
    precision: Literal["32-true", "bf16-mixed"] = "32-true"
    tf32: bool = False
    compile: bool = False
    deterministic: bool = True
    checkpoint_minutes: Positive | None = None
    checkpoint_steps: Count | None = None


NO_RESULT = {"checkpoint_minutes", "checkpoint_steps"}  # fields of Hardware on which no result depends

ANY = Hardware()
CPU = Hardware(accelerator="cpu")  # for networks that are too small for anything else


class Training(Section):
    """What every training has among its parameters."""

    epochs: Count
    learning_rate: Positive
    batch: Count
    gradient_clip: Positive | None = None  # largest norm
    hardware: Hardware = Hardware()


def hardware(own: Mapping[str, Any] | None = None, values: Mapping[str, Any] | None = None) -> Hardware:
    """The section `hardware`, overlaid with that of one training.

    Args:
        own: the key `hardware` of the training's section.
        values: the whole of params.yaml; None to read it.

    Raises:
        InputError: a mistake in it.
    """
    shared = (parameters.read() if values is None else values).get("hardware", {})
    parameters.check(Hardware, shared, "hardware")
    return parameters.check(Hardware, {**shared, **(own or {})}, "hardware")


def settings_of(knobs: Training) -> dict[str, Any]:
    """What a training depends on and records, beside its data: all its parameters but the hardware."""
    return knobs.model_dump(exclude={"hardware"})

"""Recipes: the typed sections of params.yaml that say how something is trained, and on what.

They import no model and no torch, so that a stage which only reads settings knows no training.
"""

from typing import Literal

from repline import parameters
from repline.parameters import Count, Json, NotNegative, Positive, Section, Values


class Hardware(Section):
    """The section `hardware`: what trains, and how exactly. A recipe may override it under its own key `hardware`.

    accelerator, devices, strategy: as Lightning names them ("cpu", 2, "ddp"); auto takes a GPU where there is one.
    precision: of products and activations; weights, sums of losses and the optimiser stay in float32, and so do LSTMs
        and attention on a CPU that has none in bfloat16.
    tf32: whether float32 products on a GPU may round to ten bits of mantissa.
    compile: compile the model's forward pass (torch.compile); its results differ in the last bits.
    deterministic: choose kernels that give the same bits every time, where there are such; they can be slower on GPUs.
    """

    accelerator: str = "auto"
    devices: Count | str = 1
    strategy: str = "auto"
    precision: Literal["32-true", "bf16-mixed"] = "32-true"
    tf32: bool = False
    compile: bool = False
    deterministic: bool = True


ANY = Hardware()
CPU = Hardware(accelerator="cpu")  # for networks that are too small for anything else


class Checkpointing(Section):
    """The section `checkpoints`: how often a training is saved inside an epoch. It changes no result.

    minutes, steps: write a checkpoint this many minutes, or this many batches, after the last one; with both None, only
        after every epoch.
    """

    minutes: Positive | None = None
    steps: Count | None = None


AFTER_EPOCHS = Checkpointing()


class Loop(Section):
    """A recipe without its learning rate, for trainings that try several.

    Attributes:
        epochs: passes over the training data, at most.
        batch: examples of one step.
        gradient_clip: largest norm of the gradient; None for no clipping.
        hardware: what differs from the section `hardware`.
    """

    epochs: Count
    batch: Count
    gradient_clip: Positive | None = None
    hardware: Hardware = ANY


class Recipe(Loop):
    """What every training takes; recipes of a kind of training extend it.

    Attributes:
        patience: epochs without a better number on the validation or development part after which training ends; None
            for all epochs.
    """

    learning_rate: Positive
    patience: Count | None = None

    def record(self) -> dict[str, Json]:
        """What a training depends on and records apart from its data: all but the hardware."""
        return self.model_dump(exclude={"hardware"})


class LanguageModelRecipe(Recipe):
    """What the loop of language models takes, see `repline.training.language_models.run_language_model`.

    Attributes:
        optimizer: Adam, plain SGD, or SGD that averages once the validation loss stalls (NT-ASGD).
        weight_decay: of the optimizer.
        decay: the learning rate is multiplied by it after every `decay_patience` epochs that did not improve the
            validation loss, down to `minimum_rate`. None for a constant one.
        non_monotone_window: of NT-ASGD, in epochs.
    """

    optimizer: Literal["adam", "sgd", "nt-asgd"] = "adam"
    weight_decay: NotNegative = 0.0
    decay: Positive | None = None
    decay_patience: Count = 1
    minimum_rate: NotNegative = 0.0
    non_monotone_window: Count = 5


def overlaid_hardware(shared: Hardware, recipe_hardware: Hardware) -> Hardware:
    """`shared`, with the values that `recipe_hardware` sets."""
    return Hardware.model_validate(shared.model_dump() | recipe_hardware.model_dump(exclude_unset=True))


def load_hardware(values: Values | None = None) -> Hardware:
    """The section `hardware`; all defaults where there is none. InputError on a mistake in it.

    Args:
        values: the whole of params.yaml; None to read it.
    """
    values = parameters.read() if values is None else values
    return parameters.check(Hardware, values.get("hardware", {}), "hardware")


def load_checkpointing(values: Values | None = None) -> Checkpointing:
    """The section `checkpoints`; as in `load_hardware`."""
    values = parameters.read() if values is None else values
    return parameters.check(Checkpointing, values.get("checkpoints", {}), "checkpoints")

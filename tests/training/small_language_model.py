"""A small language model for the tests of training."""

from pathlib import Path

import torch
from torch import nn

from repline.training.language_models import run_language_model
from repline.training.recipes import AFTER_EPOCHS, ANY, LanguageModelRecipe
from repline.training.run import Run


class RecurrentModel(nn.Module):
    """A GRU with dropout, and a penalty when asked for one."""

    def __init__(self, vocabulary=12, units=16, dropout=0.2, weight=0.0):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, units)
        self.recurrence = nn.GRU(units, units, batch_first=True)
        self.dropout, self.decoder, self.weight = nn.Dropout(dropout), nn.Linear(units, vocabulary), weight
        self.states = []  # what it was given, in order

    def initial_state(self, batch):
        return (self.decoder.weight.new_zeros(batch, self.recurrence.hidden_size),)

    def forward(self, inputs, state):
        self.states.append((self.training, state[0].detach().clone(), state[0].requires_grad))
        hidden, last = self.recurrence(self.embedding(inputs), state[0][None])
        return self.dropout(hidden), (last[0],)

    def decode(self, hidden):
        return self.decoder(hidden)

    def penalty(self):
        return self.weight * self.decoder.weight.square().sum()


def model(seed=0, **options):
    torch.manual_seed(seed)
    return RecurrentModel(**options)


class Unsaved(nn.Module):
    """What a run saves that is judged by its checkpoints and its history alone."""

    def save_pretrained(self, folder):
        pass


class RunInFolder(Run):
    """A run whose checkpoints lie in one folder, whatever the result depends on."""

    def checkpoint_folder(self, mark, part=""):
        return self.scratch


def train_language_model(
    model,
    training,
    validation=None,
    *,
    checkpoints,
    seed,
    threads=1,
    hardware=ANY,
    checkpointing=AFTER_EPOCHS,
    **options,
):
    """Train a language model with its checkpoints in a folder, and return the history.

    Args:
        options: fields of `LanguageModelRecipe`, not validated, and further arguments of `run_language_model`.
    """
    checkpoints = Path(checkpoints)
    fields = {key: options.pop(key) for key in LanguageModelRecipe.model_fields if key in options}
    if callable(fields.get("optimizer")):
        options["optimizer"] = fields.pop("optimizer")
    folder = checkpoints.with_name(f"{checkpoints.name}-model")
    run = RunInFolder(folder, seed, "", checkpoints, threads, hardware, checkpointing)
    recipe = LanguageModelRecipe.model_construct(batch=0, **fields)
    return run_language_model(model, training, validation, recipe, run, saved=Unsaved(), **options)

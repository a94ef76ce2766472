"""Superseded by `repline.training.recipes`."""

from collections.abc import Mapping
from typing import Any

from repline import parameters
from repline.training.recipes import ANY, CPU, Hardware, Recipe, load_hardware

__all__ = ["ANY", "CPU", "Hardware", "Training", "hardware", "settings_of"]
Training = Recipe


def hardware(own: Mapping[str, Any] | None = None, values: Mapping[str, Any] | None = None) -> Hardware:
    shared = load_hardware(values)
    return parameters.check(Hardware, {**shared.model_dump(), **(own or {})}, "hardware")


def settings_of(knobs: Recipe) -> dict[str, Any]:
    return knobs.record()

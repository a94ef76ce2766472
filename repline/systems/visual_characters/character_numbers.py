"""Characters as numbers, from 1 in the order of their bitmaps; 0 is no character."""

from collections.abc import Sequence

import torch
from torch import Tensor

from repline.glyphs.bitmaps import Bitmaps
from repline.training.padded_rows import padded_rows

KNOWN_FROM = 2  # occurrences in training; rarer characters train the table's unknown character


def character_ids(texts: Sequence[str], bitmaps: Bitmaps) -> Tensor:
    """Numbers of the characters, from 1 in the order of the bitmaps, 0 behind the end: [N, longest]."""
    numbers = [[bitmaps.rows[character] + 1 for character in text] for text in texts]
    return torch.from_numpy(padded_rows(numbers, 0))


def character_counts(ids: Tensor, characters: int) -> Tensor:
    """How often each character occurs [n + 1]; row 0 is no character."""
    counts = torch.bincount(ids.flatten(), minlength=characters + 1)
    counts[0] = 0
    return counts


def known_characters(ids: Tensor, characters: int) -> Tensor:
    """The characters that training texts [N, T] have often enough [n + 1] bool."""
    return character_counts(ids, characters) >= KNOWN_FROM

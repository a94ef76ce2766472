"""Vectors of characters and components next to those of words, and vectors of further words composed of them.

A word never seen is the mean of its characters; a character never seen is the mean of its components. All of them
predict the same output vectors in training, so they lie in one space.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from repline.errors import InputError, in_one_line
from repline.parameters import JsonObject
from repline.systems.chinese_hybrid.settings import Bag
from repline.systems.chinese_hybrid.subwords import Subwords
from repline.use.folders import RAW_INPUT, Description, describe

ARRAYS = "subwords.safetensors"
CHARACTER_BAGS: tuple[Bag, ...] = ("context_characters", "own_characters", "composed_context")
COMPONENT_BAGS: tuple[Bag, ...] = ("context_components", "own_components")


@dataclass(frozen=True)
class SubwordVectors:
    """Trained vectors of the parts of words.

    Attributes:
        characters, components: the vector [d] of each; empty where the model trains none.
        table: of characters, their components that have a vector.
    """

    characters: Mapping[str, NDArray[np.float32]]
    components: Mapping[str, NDArray[np.float32]]
    table: Mapping[str, Sequence[str]]

    def character(self, character: str) -> NDArray[np.float32] | None:
        """The vector of a character, or the mean of its components; None where none of these has a vector."""
        if character in self.characters:
            return self.characters[character]
        parts = [self.components[part] for part in self.table.get(character, ())]
        return np.mean(parts, axis=0, dtype=np.float32) if parts else None

    def word(self, word: str) -> NDArray[np.float32] | None:
        """The mean of the characters of a word that have a vector; None where none has."""
        vectors = [vector for character in word if (vector := self.character(character)) is not None]
        return np.mean(vectors, axis=0, dtype=np.float32) if vectors else None


def describe_subwords(
    folder: Path,
    bags: Sequence[Bag],
    inputs: NDArray[np.float32],
    subwords: Subwords,
    components: Mapping[str, Sequence[str]],
) -> None:
    """Write the vectors of characters and components, and the table of components, next to the vectors of words.

    Args:
        folder: of the word vectors.
        bags: of the model; a subword that is in no bag was not trained, and is left out.
        inputs: [V + C + P, d], of words, characters and components.
        subwords: of the words of training.
        components: of each character, also of those that no word has.
    """
    rows = inputs[subwords.words :]
    characters = subwords.characters if set(bags) & set(CHARACTER_BAGS) else []
    parts = subwords.components if set(bags) & set(COMPONENT_BAGS) else []
    has_vector = set(parts)
    table = {
        character: " ".join(parts_with_vector)
        for character, all_parts in components.items()
        if (parts_with_vector := [part for part in all_parts if part in has_vector])
    }
    arrays = {
        "characters": rows[: len(characters)],
        "components": rows[len(subwords.characters) : len(subwords.characters) + len(parts)],
    }
    save_file({name: np.ascontiguousarray(values) for name, values in arrays.items()}, folder / ARRAYS)
    values: JsonObject = {"characters": list(characters), "components": list(parts), "table": table}
    describe(folder, "chinese_hybrid", "word_vectors", values)


def read_subwords(description: Description) -> SubwordVectors:
    """Read the vectors that `describe_subwords` wrote; InputError where a file is damaged."""
    values, path = description.raw_input, description.folder / ARRAYS
    characters, components, table = (values.get(key) for key in ("characters", "components", "table"))
    if not isinstance(characters, list) or not isinstance(components, list) or not isinstance(table, dict):
        raise InputError(f"{description.folder / RAW_INPUT}: expected characters, components and table; train it again")
    try:
        arrays = load_file(path)
        return SubwordVectors(
            dict(zip(characters, arrays["characters"], strict=True)),
            dict(zip(components, arrays["components"], strict=True)),
            {character: parts.split() for character, parts in table.items()},
        )
    except (OSError, KeyError, ValueError, SafetensorError) as error:
        raise InputError(f"{path}: the vectors cannot be read ({in_one_line(error)}); copy the folder again") from None

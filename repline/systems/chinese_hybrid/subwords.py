"""Which characters and components each word has, as rows of one matrix: words, then characters, then components."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Subwords:
    """The characters and components of V words.

    Attributes:
        words: V.
        characters, components: [C] and [P], in the order in which the words have them first.
        character_rows, component_rows: int64, of all words one after another, repeated as often as they occur;
            rows of the matrix [V + C + P, d] of input vectors.
        character_offsets, component_offsets: int64 [V + 1].
        composes: [V] bool, the words that CWE takes together with their characters.
    """

    words: int
    characters: list[str]
    components: list[str]
    character_rows: NDArray[np.int64]
    character_offsets: NDArray[np.int64]
    component_rows: NDArray[np.int64]
    component_offsets: NDArray[np.int64]
    composes: NDArray[np.bool_]

    @property
    def rows(self) -> int:
        """V + C + P."""
        return self.words + len(self.characters) + len(self.components)

    @property
    def longest(self) -> tuple[int, int]:
        """The most characters, and the most components, that a word has."""
        return int(np.diff(self.character_offsets).max()), int(np.diff(self.component_offsets).max())

    @property
    def arrays(self) -> tuple:
        """The characters, components and composing words in the form that `updates.train_sentences` reads."""
        return (
            (self.character_rows, self.character_offsets),
            (self.component_rows, self.component_offsets),
            self.composes,
        )


def subwords_of(
    words: Sequence[str],
    components: Mapping[str, Sequence[str]],
    non_compositional: Sequence[bool] | NDArray[np.bool_] | None = None,
) -> Subwords:
    """The characters of the words, and the components of these by a table.

    Args:
        components: of a character; one that is not in it has none.
        non_compositional: [V], the words whose characters CWE leaves out; None for no word.
    """
    characters, parts = dict[str, int](), dict[str, int]()
    character_rows, component_rows = list[int](), list[int]()
    character_offsets, component_offsets = [0], [0]
    for word in words:
        for character in word:
            character_rows.append(characters.setdefault(character, len(characters)))
            component_rows += [parts.setdefault(part, len(parts)) for part in components.get(character, ())]
        character_offsets.append(len(character_rows))
        component_offsets.append(len(component_rows))
    excluded = np.zeros(len(words), dtype=bool) if non_compositional is None else np.asarray(non_compositional)
    return Subwords(
        words=len(words),
        characters=list(characters),
        components=list(parts),
        character_rows=np.array(character_rows, dtype=np.int64) + len(words),
        character_offsets=np.array(character_offsets, dtype=np.int64),
        component_rows=np.array(component_rows, dtype=np.int64) + len(words) + len(characters),
        component_offsets=np.array(component_offsets, dtype=np.int64),
        composes=~excluded,
    )

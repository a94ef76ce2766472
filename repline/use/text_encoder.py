"""Encoders of raw texts: `encode(texts)` gives vectors, `similarity(a, b)` their cosine."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from repline.errors import InputError
from repline.parameters import Json
from repline.use.inputs import in_batches, texts_of


class TextEncoder(ABC):
    """An encoder whose children say how raw texts become vectors.

    Attributes:
        dimensions: d, of a vector.
    """

    fields: ClassVar[tuple[str, ...]] = ("text",)
    optional_fields: ClassVar[tuple[str, ...]] = ()
    dimensions: int

    @abstractmethod
    def _vectors(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Raw texts, one or more -> float32 [n, d], and how many words of each text are known [n]."""

    def vectors(self, texts: str | Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """The vectors float32 [n, d] of a raw text (n is 1) or of a list, and how many words of each are known [n].

        The vector of a text without a known word is what the model makes of it; that of `encode` is zero.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
        """
        if not (checked := texts_of(texts, "vectors")):
            return np.zeros((0, self.dimensions), np.float32), np.zeros(0, np.int64)
        return self._vectors(checked)

    def encode(self, texts: str | Sequence[str], batch: int = 256) -> np.ndarray:
        """The vector [d] of a raw text, or the vectors float32 [n, d] of a list of texts.

        Args:
            texts: of any length and any number. A text without a known word has the zero vector.
            batch: texts that are in memory as numbers at a time.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
        """
        parts = [self._encoded(part)[0] for part in in_batches(texts_of(texts, "encode"), batch)]
        encoded = np.concatenate(parts) if parts else np.zeros((0, self.dimensions), np.float32)
        return encoded[0] if isinstance(texts, str) else encoded

    def similarity(self, first: str | Sequence[str], second: str | Sequence[str]) -> Any:
        """The cosine of two texts, or of each pair of two lists of one length [n]; 0 where nothing is known."""
        sides = [texts_of(texts, "similarity") for texts in (first, second)]
        if len(sides[0]) != len(sides[1]) or isinstance(first, str) != isinstance(second, str):
            shapes = ["a text" if isinstance(texts, str) else f"a list of {len(texts)}" for texts in (first, second)]
            raise InputError(f"similarity takes two texts or two lists of one length; found {' and '.join(shapes)}")
        a, b = (self.encode(texts).astype(np.float64) for texts in sides)
        norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
        cosines = np.divide((a * b).sum(axis=1), norms, out=np.zeros(len(a)), where=norms > 0).clip(-1, 1)
        return float(cosines[0]) if isinstance(first, str) else cosines

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The vector of each row's text, and how many of its words are known."""
        vectors, known_words = self._encoded(texts_of([row["text"] for row in rows], "predict"))
        return [
            {"vector": [float(f"{value:.6g}") for value in vector], "known_words": int(count)}
            for vector, count in zip(vectors, known_words, strict=True)
        ]

    def _encoded(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        vectors, known_words = self._vectors(texts)
        return np.where(np.asarray(known_words)[:, None] > 0, vectors, 0).astype(np.float32), np.asarray(known_words)

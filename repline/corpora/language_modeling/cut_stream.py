"""A stream of word numbers, seen with the most frequent words only; nothing of it is copied but what is asked for."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class CutStream:
    """int32 [T], where every number from V on reads as that of the unknown word.

    A slice is a `CutStream` again, on the same memory; other indices give arrays. `np.asarray` reads all of it.

    Args:
        ids: int32 [T], memory-mapped or not.
        words: V.
        unknown: what is read for rarer words.
    """

    dtype = np.dtype(np.int32)
    ndim = 1

    def __init__(self, ids: NDArray[np.int32], words: int, unknown: int):
        self.ids, self.words, self.unknown = ids, words, unknown

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def shape(self) -> tuple[int]:
        """The shape [T], as that of an array."""
        return (len(self.ids),)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return CutStream(self.ids[index], self.words, self.unknown)
        return self._cut(self.ids[index])

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("the words of a smaller vocabulary are numbered again: that needs a copy")
        return self._cut(self.ids).astype(dtype or self.dtype, copy=False)

    def _cut(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.where(ids < self.words, ids, np.int32(self.unknown))

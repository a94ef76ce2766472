"""Features of pictures that are counts of tags: of words in captions that are not to be learned, or of given tags."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray


def frequent_tags(
    pictures: Iterable[Sequence[str]], number: int, leave_out: Iterable[str] = (), least: int = 1
) -> list[str]:
    """The most frequent tags, the first in the alphabet among equally frequent ones.

    Args:
        pictures: the tags of each training picture, with repetitions.
        number: at most this many.
        leave_out: these never.
        least: occurrences that each of them has.
    """
    counts = Counter(tag for tags in pictures for tag in tags)
    for tag in leave_out:
        counts.pop(tag, None)
    ordered = sorted((tag for tag, count in counts.items() if count >= least), key=lambda tag: (-counts[tag], tag))
    return ordered[:number]


def count_tags(pictures: Sequence[Iterable[str]], tags: Sequence[str]) -> NDArray[np.float32]:
    """How often each picture has each tag: [N, len(tags)].

    Source: the tag features of Gan et al. 2017, "Semantic Compositional Networks for Visual Captioning", section 3.1,
    with counts in place of a detector's probabilities.
    """
    columns = {tag: column for column, tag in enumerate(tags)}
    counts = np.zeros((len(pictures), len(tags)), np.float32)
    for row, present in enumerate(pictures):
        for tag in present:
            if tag in columns:
                counts[row, columns[tag]] += 1
    return counts

"""Which turns of a conversation are of use for training."""

import re

from repline.corpora.dialogue.recipes import TurnFilter
from repline.corpora.dialogue.turns import Turn
from repline.segmentation.combining_marks import MARKS

_MARKS = re.compile(rf"(?<=[^\W\d_])[{MARKS}]+")  # vowel signs and accents, which are a part of their letter


def keeps(filter: TurnFilter, turn: Turn) -> bool:
    """Whether a turn is of use.

    Source: Yang et al. 2018, section 3 (after Al-Rfou et al. 2016).
    """
    text = turn.text
    return (
        0 < len(text) < filter.longest
        and sum(map(str.isalpha, text)) + sum(map(len, _MARKS.findall(text))) > filter.letters * len(text)
        and not text.startswith(tuple(filter.begins))
        and not (filter.author and filter.author.lower() in turn.author.lower())
    )

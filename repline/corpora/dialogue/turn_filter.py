"""Which turns of a conversation are of use for training."""

from repline.corpora.dialogue.recipes import TurnFilter
from repline.corpora.dialogue.turns import Turn


def keeps(filter: TurnFilter, turn: Turn) -> bool:
    """Whether a turn is of use.

    Source: Yang et al. 2018, section 3 (after Al-Rfou et al. 2016).
    """
    text = turn.text
    return (
        0 < len(text) < filter.longest
        and sum(map(str.isalpha, text)) > filter.letters * len(text)
        and not text.startswith(tuple(filter.begins))
        and not (filter.author and filter.author.lower() in turn.author.lower())
    )

"""Which turns of a conversation are of use for training.

Source: Yang et al. 2018, section 3 (after Al-Rfou et al. 2016).
"""

from pydantic import Field

from repline.corpora.dialogue.turns import Turn
from repline.parameters import Count, NotNegative, Section


class TurnFilter(Section):
    """What a turn must not be.

    Attributes:
        longest: characters from which on a turn is dropped.
        letters: the share of letters among all characters, blanks included, up to which a turn is dropped.
        begins: a turn that begins so is dropped.
        author: an author whose name contains this, in upper or lower case, is dropped.
    """

    longest: Count = 350
    letters: NotNegative = 0.7
    begins: list[str] = Field(default=["https", "/t/", "@"])
    author: str = "bot"

    def keeps(self, turn: Turn) -> bool:
        """Whether a turn is of use."""
        text = turn.text
        return (
            0 < len(text) < self.longest
            and sum(map(str.isalpha, text)) > self.letters * len(text)
            and not text.startswith(tuple(self.begins))
            and not (self.author and self.author.lower() in turn.author.lower())
        )

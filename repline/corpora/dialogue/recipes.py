"""How conversations are read, and which turns of them are of use for training."""

from typing import Annotated, Literal

from pydantic import Field

from repline.parameters import Count, NotNegative, Section
from repline.reading.settings import Reading

Form = Literal["chitchat", "self_dialogue", "own"]


class TurnFilter(Section):
    """What a turn must not be.

    Attributes:
        longest: characters from which on a turn is dropped.
        letters: the share of letters with their combining marks among all characters, blanks included, up to which a
            turn is dropped.
        begins: a turn that begins so is dropped.
        author: an author whose name contains this, in upper or lower case, is dropped.

    Source: Yang et al. 2018, section 3 (after Al-Rfou et al. 2016).
    """

    longest: Count = 350
    letters: NotNegative = 0.7
    begins: list[str] = Field(default=["https", "/t/", "@"])
    author: str = "bot"


class ConversationSource(TurnFilter, Reading):
    """Conversations, how they are read, and how they become a corpus.

    Attributes:
        source: a folder of data/ with files of the form.
        form: as in `repline.corpora.dialogue.turns`.
        conversations: this many of them, drawn at random; None for all.
        test_share, dev_share: of the conversations, drawn at random: no conversation is in two splits.
        seed: of the drawings.
    """

    source: str
    form: Form
    conversations: Count | None = None
    test_share: Annotated[float, Field(gt=0, lt=1)]
    dev_share: Annotated[float, Field(gt=0, lt=1)] = 0.05
    seed: int = 0

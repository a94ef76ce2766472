"""The sections of params.yaml that say how a source becomes a corpus of sentence pairs."""

from typing import Literal

from pydantic import Field

from repline.parameters import Count, Section, Share
from repline.reading.settings import Reading

Form = Literal["sick", "stsb", "mrpc", "counterfactual", "cqa", "own", "wordnet"]


class WordnetInference(Section):
    """What pairs are made from a wordnet, see `wordnet_inference`.

    Attributes:
        classes: of nouns.
        senses: a noun has at most this many, in all parts of speech.
        levels: of hypernyms between a noun and one above it, at most.
        triples: by split, this many nouns with three pairs each.
        seed: of all draws.
    """

    classes: list[str] = Field(default=["animal", "plant", "artifact", "food", "substance"])
    senses: Count = 3
    levels: Count = 3
    triples: dict[str, Count] = Field(default={"train": 400, "dev": 60, "test": 200}, min_length=1)
    seed: int = 0


class PairCorpus(Reading):
    """How a source is read, see `pair_corpus.write_pairs`.

    Attributes:
        form: what the source is.
        made: what pairs are made from a wordnet.
        dev_share: of the training pairs that become dev, where the source has no dev; pairs of a group stay together.
        seed: of this drawing.
    """

    form: Form
    made: WordnetInference = WordnetInference()
    dev_share: Share = 0.0
    seed: int = 0

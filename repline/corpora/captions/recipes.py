"""How captions of pictures become a corpus: a typed section of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from repline.parameters import Count, Share
from repline.reading.settings import Reading

Form = Literal["flickr8k", "multi30k", "table"]
Features = Literal["co_captions", "tags", "given"]


class CaptionCorpus(Reading):
    """What `repline.corpora.captions.caption_corpus.write_captions` makes of a source.

    Attributes:
        form: what the source is.
        features: co_captions: how many of the words are in the captions `tag_captions` of a picture; tags: how many of
            the tags of tags.tsv it has; given: features.npy.
        tags: words or tags that are counted, the most frequent ones of training.
        tag_captions: numbers of captions, from 0; the others are targets. For `co_captions` alone.
        least: occurrences that a counted tag has in training.
        stop_words: the language whose stop words are not counted; None counts them. For `co_captions` alone.
        periods: keep a period at the end of a caption as a token.
        dev, test: shares of pictures that are drawn for these parts where a table has no lists.
        seed: of the drawing.
    """

    form: Form
    features: Features
    tags: Count = 1000
    tag_captions: list[Annotated[int, Field(ge=0)]] = Field(default_factory=lambda: [1, 2, 3])
    least: Count = 1
    stop_words: str | None = "en"
    periods: bool = False
    dev: Share = 0.1
    test: Share = 0.1
    seed: int = 0

    @model_validator(mode="after")
    def _has_its_features(self) -> "CaptionCorpus":
        if self.features != "co_captions" and self.form != "table":
            raise ValueError(f"features {self.features!r} need the form table, found {self.form!r}")
        return self

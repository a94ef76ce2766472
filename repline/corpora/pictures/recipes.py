"""Recipes of pictures: the typed sections of params.yaml that say how they are drawn and turned into features."""

from typing import Annotated, Literal

from pydantic import Field

from repline.parameters import Count, NotNegative, Section

Kind = Literal["noun", "verb", "adjective"]


class DrawnWords(Section):
    """The words of one part of speech: how many, and how they are drawn.

    Attributes:
        concepts: of a word, its meanings.
        spread: of a disturbance of each number of a prototype (0 to 1), its standard deviation.
        shared: the probability that a picture shows one of the concepts in common.
    """

    words: Count
    concepts: Count = 1
    spread: NotNegative
    shared: Annotated[float, Field(ge=0, le=1)] = 0.0


class DrawnSets(Section):
    """Settings of `made_sets.draw_sets`: its arguments other than the words and their frequency.

    Attributes:
        kinds: by part of speech.
        languages: the first one is the source.
        pictures: of each word and language.
        pool: concepts in common, of each part of speech.
        edge: of a picture, pixels.
    """

    kinds: dict[Kind, DrawnWords]
    languages: Annotated[list[str], Field(min_length=2)]
    pictures: Count
    pool: Count
    edge: Annotated[int, Field(ge=16)] = 64
    seed: int = 0


class Features(Section):
    """Settings of `picture_features.write_features`: its arguments other than the pictures and the extractor.

    Attributes:
        form: folders: an inner folder or a zip for each language, with `<word>/<picture>`; emoji: the annotations, and
            a zip for each vendor (`repline.corpora.pictures.emoji`).
        vendors: for emoji, language -> whose pictures; two languages may share a vendor.
        on_error: stop at a picture that cannot be decoded; or salvage: leave it out, and count it on the card.
    """

    form: Literal["folders", "emoji"]
    vendors: dict[str, str] | None = None
    on_error: Literal["stop", "salvage"] = "stop"

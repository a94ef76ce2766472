"""The section `image_lexicon` of params.yaml."""

from typing import Annotated, Literal

from pydantic import Field

from repline import parameters
from repline.parameters import Count, Name, Overlays, Section, Values
from repline.reading.settings import LineReading

Side = Literal["source", "target", "both"]
Vote = Literal["count", "share"]


class Methods(Section):
    """Arguments of `repline.systems.image_lexicon.translation.translate`, except pictures and lists.

    Attributes:
        most: pictures of a word at most, drawn from those it has; None for all.
        l2: for CNN-MEAN and CNN-MAX, take pictures at unit length before they are aggregated; the paper does not.
        cluster: for KNN-C, whose sets are split into clusters.
        clusters, restarts: of k-means.
        vote: for KNN-C, whether clusters are compared by how many of their pictures vote, as words are by KNN, or by
            the share of them.
        seed: of the drawing of pictures and of k-means.
    """

    most: Count | None = None
    l2: bool = False
    cluster: Side = "both"
    clusters: Annotated[int, Field(ge=2)] = 3
    restarts: Count = 10
    vote: Vote = "count"
    seed: int = 0


class Run(Methods, LineReading):
    """One run: its pictures, its words and how their lists are read, and the methods.

    Attributes:
        features, lists: folders of data/.
    """

    features: str
    lists: str


class Settings(Section):
    """The section `image_lexicon` of params.yaml.

    Attributes:
        wordnet: a folder of data/, whose synsets are counted.
        methods: what all runs share.
        runs: by name, with the values of `methods`.
    """

    wordnet: str
    methods: Methods
    runs: Annotated[dict[Name, Run], Field(min_length=1), Overlays("methods")]


def load(values: Values | None = None) -> Settings:
    """The section, checked; `values` and errors as in `repline.parameters.load`."""
    return parameters.load(Settings, "image_lexicon", values)

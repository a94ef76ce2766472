"""Recipes of tests of word vectors: the typed sections of params.yaml that say how they are measured."""

from repline.parameters import Count, Section


class Measuring(Section):
    """Settings of `repline.evaluation.word_vectors.suite.measure`: its arguments other than the vectors and a test.

    Attributes:
        vocabulary: only the first N words may answer an analogy; None for all.
        multiplication: also 3CosMul for analogies, at twice the time.
        seed: of k-means.
    """

    vocabulary: Count | None = 300_000
    multiplication: bool = True
    seed: int = 0

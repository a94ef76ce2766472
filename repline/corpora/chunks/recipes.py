"""How a chunk tagger is trained: a typed section of params.yaml."""

from repline.parameters import Count, NotNegative, Section


class TaggerRecipe(Section):
    """Settings of `repline.corpora.chunks.chunk_tagger_training.train`: its arguments other than the sentences.

    Attributes:
        c1, c2: of the penalties on the weights, as a sum and as a sum of squares.
        max_iterations: of L-BFGS, which ends earlier where the loss stands still.
        minimum_count: what is seen more rarely with a chunk tag gets no weight for it.
    """

    c1: NotNegative = 0.1
    c2: NotNegative = 0.1
    max_iterations: Count = 100
    minimum_count: Count = 1

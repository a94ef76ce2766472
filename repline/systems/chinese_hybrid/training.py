"""Training of one model on a numbered corpus."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from repline.parameters import Count, NotNegative, Positive
from repline.systems.chinese_hybrid import updates
from repline.systems.chinese_hybrid.model import Model
from repline.systems.chinese_hybrid.subwords import Subwords
from repline.vectors.negative_sampling import alias_table, keep_probabilities

Progress = Callable[[int, float], None]


@dataclass(frozen=True)
class Trained:
    """What training leaves.

    Attributes:
        inputs: float32 [V + C + P, d], of words, characters and components.
        outputs: float32 [V, d].
        losses: of each pass, the mean loss of the first bag's predictions, over every 16th token, before its step.
    """

    inputs: NDArray[np.float32]
    outputs: NDArray[np.float32]
    losses: list[float]


def train(
    words: NDArray[np.int32],
    sentences: NDArray[np.int64],
    counts: NDArray[np.int64],
    subwords: Subwords,
    model: Model,
    *,
    dimensions: Count,
    passes: Count,
    window: Count = 5,
    negative: Count = 5,
    sample: NotNegative = 1e-4,
    learning_rate: Positive = 0.025,
    divided: bool = False,
    threads: Count = 1,
    seed: int = 0,
    progress: Progress | None = None,
) -> Trained:
    """Maximise the objective of `model` by stochastic gradient ascent, one token at a time.

    Args:
        words, sentences: the corpus, of `corpus.read`.
        counts: [V] of the vocabulary.
        dimensions: d.
        window: words to the left and to the right at most; the width is drawn from 1 to this for each token.
        negative: words n that are drawn for each token, the same for all bags; one that is t is left out.
        sample: words with a larger share of the corpus than this are partly left out; 0 leaves out none.
        learning_rate: at first; it falls linearly to 1e-4 of that.
        divided: true takes the gradient as it is, in which a member of a mean of n has the n-th part of the mean's;
            false gives each member the whole, as word2vec does, which learns faster.
        threads: more than one change the same vectors at once (hogwild), and no two runs are alike.
        seed: of the first vectors and of all that is drawn.
        progress: called after each pass with its number and its loss.

    Raises:
        FloatingPointError: a vector is not finite; the learning rate is too high.
    """
    rng = np.random.default_rng(seed)
    inputs = ((rng.random((subwords.rows, dimensions), dtype=np.float32) - 0.5) / dimensions).astype(np.float32)
    outputs = np.zeros((subwords.words, dimensions), dtype=np.float32)
    states = rng.integers(1, 1 << 63, size=(threads, 1), dtype=np.uint64)
    keep, table = keep_probabilities(counts, sample), alias_table(counts**0.75)
    options = (window, negative, model.consistency, divided, learning_rate)
    characters, components = subwords.longest
    longest = (2 * window + 1) * (2 + 2 * characters + components) + 1  # members of all bags of a token
    seen = np.array([0, passes * len(words)])
    cuts = np.searchsorted(sentences, np.linspace(0, len(words), threads + 1)[1:-1])
    shares = [slice(*ends) for ends in zip([0, *cuts], [*(cuts + 1), len(sentences)], strict=True)]
    losses = []

    def one(thread: int) -> tuple[float, int]:
        return updates.train_sentences(
            sentences[shares[thread]], words, keep, *table, subwords.arrays, inputs, outputs, model.kinds, options,
            seen, states[thread], longest,
        )  # fmt: skip

    with ThreadPoolExecutor(threads) as pool:
        for number in range(passes):
            found = list(pool.map(one, range(threads)))
            measured = sum(-(-tokens // updates.MEASURED) for _, tokens in found)
            losses.append(-sum(total for total, _ in found) / max(measured, 1))
            if not np.isfinite(inputs).all():
                raise FloatingPointError(f"pass {number + 1}: a vector is not finite; lower learning_rate")
            if progress:
                progress(number + 1, losses[-1])
    return Trained(inputs, outputs, losses)

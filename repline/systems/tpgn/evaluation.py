"""What one trained model is worth: its captions by BLEU and CIDEr-D, its vectors by what they know of words."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repline.corpora.annotation import parsed
from repline.corpora.captions.caption_corpus import Captions
from repline.evaluation.caption_scores import Caption, bleu_counts, cider_d, corpus_bleu, distinct
from repline.parameters import Count, NotNegative, Section
from repline.systems.tpgn import unbinding_vectors
from repline.systems.tpgn.corpus import Prepared, sentences
from repline.systems.tpgn.decoding import generate, readouts
from repline.systems.tpgn.model import CaptionGenerator
from repline.systems.tpgn.unbinding_vectors import Words

PURITIES = (2, 10, 17)  # clusters: the paper's two numbers, and that of the parts of speech in its figure


class Decoding(Section):
    """How captions are written.

    Attributes:
        beam: width of the search beside the greedy one.
        length_power: α of `repline.layers.beam_search`.
    """

    beam: Count
    length_power: NotNegative


class Analysis(Section):
    """How vectors are examined: `pictures` of training whose captions the clusters are made from."""

    pictures: Count


class Examined(NamedTuple):
    """The words of a model's test captions, the cluster of each for ten clusters, and what was measured."""

    words: Words
    ten: NDArray[np.int64]
    measured: dict[str, Any]


def scores(
    captions: Sequence[Caption], references: Sequence[Sequence[Caption]], weights: NDArray
) -> dict[str, NDArray[np.float64]]:
    """`bleu_1` to `bleu_4`, `cider_d`, `distinct` and `length`, each [1 + R].

    Args:
        weights: [1 + R, N], how often each caption counts.
    """
    total = weights.sum(1)
    lengths = np.array([len(caption) for caption in captions])
    return corpus_bleu(bleu_counts(captions, references), weights) | {
        "cider_d": weights @ cider_d(captions, references) / total,
        "length": weights @ lengths / total,
        "distinct": np.full(len(weights), float(distinct(captions))),
    }


def commonest_caption(captions: Captions) -> list[str]:
    """The caption that is the target of most training pictures, the first in the alphabet among equals."""
    counts: dict[tuple[str, ...], int] = {}
    for targets in captions.targets():
        for caption in targets:
            counts[tuple(caption)] = counts.get(tuple(caption), 0) + 1
    return list(min(counts, key=lambda one: (-counts[one], one)))


def written(
    model: CaptionGenerator, data: Prepared, weights: NDArray, *, longest: int, beam: int, length_power: float
) -> tuple[dict[str, Any], list[list[int]]]:
    """The scores of greedy search and of beam search on the test pictures, and the greedy captions."""
    test = data.parts["test"]
    greedy = generate(model, data.features, test.rows, longest=longest)
    wide = generate(model, data.features, test.rows, longest=longest, beam=beam, length_power=length_power)
    found = {
        name: scores(sentences(captions, data.vocabulary), test.targets(), weights)
        for name, captions in (("greedy", greedy), ("beam", wide))
    }
    return found, greedy


def examined(
    model: CaptionGenerator, data: Prepared, captions: Sequence[Sequence[int]], weights: NDArray, *,
    longest: int, pictures: int,
) -> Examined:  # fmt: skip
    """What the vectors of the words of the test captions know, see `unbinding_vectors`.

    Args:
        captions: of the test pictures.
        pictures: the clusters are made from the captions of so many training pictures.
    """
    test, first = data.parts["test"], data.parts["train"].rows[:pictures]
    learned = readouts(model, data.features, first, generate(model, data.features, first, longest=longest))
    vectors = readouts(model, data.features, test.rows, captions)
    words = unbinding_vectors.tagged_words(sentences(captions, data.vocabulary), vectors, parsed)
    found = {number: unbinding_vectors.clusters(learned, vectors, number) for number in PURITIES}
    measured: dict[str, Any] = unbinding_vectors.linear_readout(words, weights)
    measured |= {f"purity_{number}": unbinding_vectors.purity(words, one, weights) for number, one in found.items()}
    measured["conformity"] = unbinding_vectors.conformity(words, found[2], weights)
    measured["positions"] = unbinding_vectors.position_clusters(words, found[10], weights)
    return Examined(words, found[10], measured)

"""Training of one model on a numbered corpus."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from repline.cards import Source
from repline.files import write_json
from repline.systems.chinese_hybrid import updates
from repline.systems.chinese_hybrid.corpus import Data
from repline.systems.chinese_hybrid.model import kinds_of, word_vectors
from repline.systems.chinese_hybrid.settings import Recipe
from repline.systems.chinese_hybrid.subword_vectors import describe_subwords
from repline.systems.chinese_hybrid.subwords import Subwords, subwords_of
from repline.training.run import Run
from repline.vectors import denormals
from repline.vectors.negative_sampling import alias_table, keep_probabilities
from repline.vectors.store import save

LOSSES = "losses.json"  # in the folder of a run: a number a pass
Components = Mapping[str, Sequence[str]]
Progress = Callable[[int, float], None]


@dataclass(frozen=True)
class Trained:
    """Trained vectors, and the loss of each pass.

    Attributes:
        inputs: float32 [V + C + P, d], of words, characters and components.
        outputs: float32 [V, d].
        losses: of each pass, the mean loss of the first bag's predictions, over every 16th token, before its step.
    """

    inputs: NDArray[np.float32]
    outputs: NDArray[np.float32]
    losses: list[float]


def train(
    recipe: Recipe,
    data: Data,
    components: Components,
    this_run: Run,
    sources: Sequence[Source] = (),
    notes: Sequence[str] = (),
) -> None:
    """Train one model, and save the vectors of words, characters and components, and the losses of the passes.

    Args:
        components: of each character, by `repline.lexicons.hanzi.components.read_components`.
        sources, notes: further ones for the card.
    """
    subwords = subwords_of(data.names, components, None if recipe.composed_names else data.entity)
    words, sentences = drawn_sentences(data.words, data.sentences, recipe.sentences, this_run.seed)
    trained = train_vectors(
        words,
        sentences,
        np.maximum(np.bincount(words, minlength=len(data.names)), 1),  # a word that no drawn sentence has counts once
        subwords,
        recipe,
        seed=this_run.seed,
        progress=lambda number, loss: print(
            f"{this_run.title}, pass {number}: loss of the first bag {loss:.4f}", flush=True
        ),
    )
    save(
        this_run.folder,
        data.names,
        word_vectors(recipe.bags, trained.inputs, subwords),
        counts=data.counts,
        name=this_run.name,
        description=f"Vectors of Chinese words by {this_run.name}",
        licence=data.card["licence"],
        sources=[{"corpus": data.card}, *sources],
        parameters={"language": data.card["parameters"]["language"], "seed": this_run.seed}
        | recipe.model_dump(exclude={"seeds"}),
        totals={"characters": len(subwords.characters), "components": len(subwords.components)},
        notes=notes,
        tools=["numba"],
    )
    write_json(this_run.folder / LOSSES, trained.losses)
    describe_subwords(this_run.folder, recipe.bags, trained.inputs, subwords, components)


def drawn_sentences(
    words: NDArray[np.int32], sentences: NDArray[np.int64], share: float, seed: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """A share of the sentences, drawn at random, as words and offsets; see `corpus.Data` for their form."""
    if share == 1:
        return words, sentences
    lengths = np.diff(sentences)
    drawn = np.random.default_rng(seed).random(len(lengths)) < share
    return words[np.repeat(drawn, lengths)], np.concatenate([[0], np.cumsum(lengths[drawn])])


@denormals.as_zero()
def train_vectors(
    words: NDArray[np.int32],
    sentences: NDArray[np.int64],
    counts: NDArray[np.int64],
    subwords: Subwords,
    recipe: Recipe,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Trained:
    """Maximise the objective of `model` by stochastic gradient ascent, one token at a time.

    Args:
        words, sentences, counts: see `corpus.Data`.
        seed: of the first vectors and of all that is drawn.
        progress: called after each pass with its number and its loss.

    Raises:
        FloatingPointError: a vector is not finite; the learning rate is too high.
    """
    rng = np.random.default_rng(seed)
    d, threads = recipe.dimensions, recipe.threads
    inputs = ((rng.random((subwords.rows, d), dtype=np.float32) - 0.5) / d).astype(np.float32)
    outputs = np.zeros((subwords.words, d), dtype=np.float32)
    states = rng.integers(1, 1 << 63, size=(threads, 1), dtype=np.uint64)
    keep, table = keep_probabilities(counts, recipe.sample), alias_table(counts**0.75)
    kinds = kinds_of(recipe.bags)
    options = (recipe.window, recipe.negative, recipe.consistency, recipe.divided, recipe.learning_rate)
    characters, components = subwords.longest
    longest = (2 * recipe.window + 1) * (2 + 2 * characters + components) + 1  # members of all bags of a token
    seen = np.array([0, recipe.passes * len(words)])
    cuts = np.searchsorted(sentences, np.linspace(0, len(words), threads + 1)[1:-1])
    shares = [slice(*ends) for ends in zip([0, *cuts], [*(cuts + 1), len(sentences)], strict=True)]
    losses = []

    def pass_of(thread: int) -> tuple[float, int]:
        return updates.train_sentences(
            sentences[shares[thread]], words, keep, *table, subwords.arrays, inputs, outputs, kinds, options,
            seen, states[thread], longest,
        )  # fmt: skip

    with ThreadPoolExecutor(threads) as pool:
        for number in range(recipe.passes):
            results = list(pool.map(pass_of, range(threads)))
            measured = sum(-(-tokens // updates.MEASURED) for _, tokens in results)
            losses.append(-sum(total for total, _ in results) / max(measured, 1))
            if not np.isfinite(inputs).all():
                raise FloatingPointError(f"pass {number + 1}: a vector is not finite; lower learning_rate")
            if progress:
                progress(number + 1, losses[-1])
    return Trained(inputs, outputs, losses)

"""Training of words, terms and entities on a numbered corpus."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.cards import read_card
from repline.files import new_folder, write_json
from repline.systems.jet import updates
from repline.systems.jet.corpus import Corpus, read
from repline.systems.jet.disambiguation import CONTEXT
from repline.systems.jet.mentions import Mentions
from repline.systems.jet.model import CANDIDATES, ENTITIES, OFFSETS
from repline.systems.jet.settings import Model, Permuted, Training
from repline.use.folders import describe
from repline.vectors import denormals, store
from repline.vectors.negative_sampling import alias_table, keep_probabilities

Progress = Callable[[int, float], None]
AS_PUBLISHED = Training()
LOSSES = "losses.json"
Candidates = tuple[NDArray[np.int64], NDArray[np.int32]]


@dataclass(frozen=True)
class Trained:
    """Trained vectors, and the losses of the passes.

    Attributes:
        words, terms, entities: float32 [V, d], [T, d] and [E, d], of the corpus; terms and entities may be left out.
        contexts: float32 [V, d].
        losses: of each pass, the mean loss of a target and one of its contexts with the negatives of that context.
    """

    words: NDArray[np.float32]
    terms: NDArray[np.float32]
    entities: NDArray[np.float32]
    contexts: NDArray[np.float32]
    losses: list[float]


def train(name: str, model: Model, corpus: str | Path, folder: str | Path, *, seed: int = 0) -> None:
    """Train one model, and write its vectors, as `repline.vectors.store` has them, and the losses of its passes.

    Args:
        name: of the model, for the cards and the lines of progress.
        corpus: a folder of `repline.systems.jet.corpus`.
        folder: replaces what was there; it appears whole or not at all.
        seed: of the first vectors and of all that is drawn.

    Raises:
        InputError: there is no such corpus.
        FloatingPointError: as `fit`.
    """
    text, card = read(corpus), read_card(corpus)

    def report(number: int, loss: float) -> None:
        print(f"{name}, seed {seed}, pass {number}: loss {loss:.4f}", flush=True)

    trained = fit(text, model, seed=seed, progress=report)
    tables = {
        "words": (text.vocabulary["word"], text.vocabulary["count"], trained.words),
        "terms": (text.terms["term"], text.terms["count"], trained.terms),
        "entities": (text.entities["entity"], text.entities["mentions"], trained.entities),
    }
    with new_folder(folder) as partial:
        for kind, (names, counts, vectors) in tables.items():
            if len(vectors):
                store.save(
                    partial / kind,
                    names.to_pylist(),
                    vectors,
                    counts=counts.to_numpy(),
                    name=f"jet-{name}-{kind}",
                    description=f"Vectors of {kind}, in one space with the others of this training",
                    licence=card["licence"],
                    sources=[{"corpus": card}],
                    parameters={"seed": seed} | model.model_dump(exclude_unset=True, exclude={"seeds"}),
                    tools=["numba"],
                )
        write_json(partial / LOSSES, trained.losses)
        if not len(trained.entities):
            describe(partial, "jet", "words", {})
            return
        offsets, rows = candidates_of(text, model.permuted, seed)
        np.save(partial / OFFSETS, offsets)
        np.save(partial / CANDIDATES, rows)
        pq.write_table(text.entities.select(["entity", "types", "definition"]), partial / ENTITIES, compression="zstd")
        describe(partial, "jet", "entities", {"context": CONTEXT})


@denormals.as_zero()
def fit(corpus: Corpus, recipe: Training = AS_PUBLISHED, *, seed: int = 0, progress: Progress | None = None) -> Trained:
    """Maximise the objective by stochastic gradient ascent, one position of the text at a time.

        sum over positions of O(w, C_w, N_w) + sum over terms that end there of [O(t, C_t, N_t) + mean_e O(e, C_t, N_t)]

    Args:
        recipe: how many dimensions and passes, what is trained, how fast.
        seed: of the first vectors and of all that is drawn.
        progress: called after each pass with its number and its loss.

    Raises:
        FloatingPointError: a vector is not finite; the learning rate is too high.
    """
    counts, term_counts = (table.column("count").to_numpy() for table in (corpus.vocabulary, corpus.terms))
    window, negative, threads = recipe.window, recipe.negative, recipe.threads
    with_entities = recipe.terms and recipe.entities
    sizes = [len(counts), len(term_counts) if recipe.terms else 0, len(corpus.entities) if with_entities else 0]
    candidates = candidates_of(corpus, recipe.permuted, seed) if sizes[2] else _none(len(term_counts))
    terms, first, last = corpus.mentions
    mentions = corpus.mentions if recipe.terms else Mentions(terms[:0], first[:0], last[:0])
    rng = np.random.default_rng(seed)
    vectors, contexts = (
        ((rng.random((rows, recipe.dimensions), dtype=np.float32) - 0.5) / recipe.dimensions).astype(np.float32)
        for rows in (sum(sizes), sizes[0])
    )
    states = rng.integers(1, 1 << 63, size=(threads, 1), dtype=np.uint64)
    tokens = len(corpus.words)
    keep = (
        keep_probabilities(counts, recipe.sample, tokens),
        keep_probabilities(term_counts, recipe.sample_terms, tokens),
    )
    table = alias_table(counts**0.75)
    bases = np.cumsum(sizes)[:2]
    seen = np.array([0, recipe.passes * tokens])
    cuts = np.searchsorted(corpus.sentences, np.linspace(0, tokens, threads + 1)[1:-1])
    shares = [slice(*ends) for ends in zip([0, *cuts], [*(cuts + 1), len(corpus.sentences)], strict=True)]
    room = _room(mentions, candidates, window, negative)
    options = (window, negative, recipe.learning_rate)
    losses = []

    def train_share(thread: int) -> tuple[float, float]:
        return updates.train_sentences(
            corpus.sentences[shares[thread]], corpus.words, *keep, *table, tuple(mentions), candidates, bases, vectors,
            contexts, options, seen, states[thread], room,
        )  # fmt: skip

    with ThreadPoolExecutor(threads) as pool:
        for number in range(recipe.passes):
            totals = list(pool.map(train_share, range(threads)))
            losses.append(-sum(total for total, _ in totals) / max(sum(pairs for _, pairs in totals), 1))
            if not (np.isfinite(vectors).all() and np.isfinite(contexts).all()):
                raise FloatingPointError(f"pass {number + 1}: a vector is not finite; lower learning_rate")
            if progress:
                progress(number + 1, losses[-1])
    words, term_vectors, entities = np.split(vectors, bases)
    return Trained(words, term_vectors, entities, contexts, losses)


def candidates_of(corpus: Corpus, permuted: Permuted | None = None, seed: int = 0) -> Candidates:
    """The entities of each term, as offsets [T + 1] and rows, permuted for the controls.

    Args:
        permuted: "lists": each term has the list of another one, so that entities that shared a term still do;
            "entities": all entries of the lists are permuted at random, and the lists keep their lengths.
    """
    offsets, rows = corpus.candidates()
    rng = np.random.default_rng([seed, 1])
    if permuted == "entities":
        return offsets, rng.permutation(rows)
    if permuted is None:
        return offsets, rows
    order = rng.permutation(len(offsets) - 1)
    sizes = np.diff(offsets)[order]
    moved = np.append(0, np.cumsum(sizes))
    inside = np.arange(moved[-1]) - np.repeat(moved[:-1], sizes)
    return moved, rows[np.repeat(offsets[:-1][order], sizes) + inside]


def _none(terms: int) -> Candidates:
    return np.zeros(terms + 1, np.int64), np.zeros(0, np.int32)


def _room(mentions: Mentions, candidates: Candidates, window: int, negative: int) -> tuple[int, int]:
    """The largest numbers of targets and of context rows that one position can have."""
    last = mentions.last
    longest_run = int(np.diff(np.flatnonzero(np.diff(last, prepend=-1, append=-1))).max()) if len(last) else 0
    most_entities = int(np.diff(candidates[0]).max())
    return 1 + longest_run * (1 + most_entities), (1 + longest_run) * 2 * window * (1 + negative)

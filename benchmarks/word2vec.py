"""word2vec on one and two threads with the same bytes, compared with gensim's one thread: words a second, and quality.

The text has words by Zipf's law, so that batches are as short as in real text. Quality is measured where the novels
and the word tests of sources.yaml are at hand (REPLINE_MIRROR, or the web): rank correlations on six tests, of both
with the same settings and seeds.
"""

import os
import re

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import tempfile
from collections.abc import Iterator
from pathlib import Path

import gensim.models
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from benchmarks.timing import keep, line, paired
from repline.errors import InputError
from repline.evaluation.word_vectors.embedding import Embedding
from repline.evaluation.word_vectors.similarity import similarity
from repline.evaluation.word_vectors.suite import similarity_tests
from repline.sources.acquisition import acquire
from repline.sources.catalogue import find_source, load_sources
from repline.vectors.parallel_word2vec.training import train
from repline.vectors.recipes import Word2Vec
from repline.vectors.tokens import Tokens

WORDS, SENTENCES, LENGTH = 30_000, 60_000, 25
TESTS = ("men", "mturk_771", "rw", "simverb_3500", "wordsim_353_rel", "wordsim_353_sim")
SEEDS = (0, 1)
NOVELS, NOVELS_WIDE = 30, 8
WIDE = {"window": 15, "negative": 15}  # on fewer novels, for gensim takes as many times as long
GOALS = {"one thread": 1.0, "two threads": 1.7}
THREADS_LIMIT = (
    "Half of what a batch adds passes from one core's cache to the other's: two threads take 1.5 times the "
    "core-seconds of one on an Intel machine. On an AMD machine two threads were 1.7 (skip-gram) and 1.49 (CBOW) "
    "times as fast as one."
)
QUALITY_LIMIT = "Within the differences between seeds."


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        _speed(Path(folder))
        try:
            _quality(Path(folder))
        except InputError as error:
            print(f"quality is not measured: {error}")


def _speed(folder: Path) -> None:
    rng = np.random.default_rng(0)
    ranks = np.exp(rng.uniform(0, np.log(WORDS), size=(SENTENCES, LENGTH))).astype(int)
    tokens = _write(folder / "zipf.parquet", [[f"w{rank}" for rank in row] for row in ranks.tolist()])
    words, counts = tokens.vocabulary()
    print(f"{format(int(counts.sum()), ',') + ' tokens':<72} {'repline':>13} {'gensim':>13} {'ratio':>8}")
    for architecture in ("skip-gram", "cbow"):
        recipe = Word2Vec(architecture=architecture, epochs=1)  # type: ignore[arg-type]  # a Literal
        peer = _peer(words, counts, recipe)
        sides = {
            name: paired(
                lambda threads=threads, r=recipe: train(tokens, words, counts, r, threads),
                lambda p=peer: p.train(_Sentences(tokens), total_examples=SENTENCES, epochs=1),
                rounds=3,
            )
            for name, threads in (("one thread", 1), ("two threads", 2))
        }
        for name, (ours, theirs) in sides.items():
            line(f"{architecture}, d = 100, {name}, against gensim's one", ours, theirs, GOALS[name], THREADS_LIMIT)
        gain = sides["one thread"][0] / sides["two threads"][0]
        keep(f"{architecture}, d = 100, two threads, against one", gain, GOALS["two threads"], THREADS_LIMIT)


def _quality(folder: Path) -> None:
    sources = load_sources()
    for name in ("english_novels", "word_benchmarks_en"):
        acquire(find_source(sources, name), folder / name)
    tests = similarity_tests("word_benchmarks_en", folder)
    novels = sorted((folder / "english_novels").glob("*.txt"))
    for name, number, changes in (
        ("skip-gram", NOVELS, {"architecture": "skip-gram"}),
        ("cbow", NOVELS, {"architecture": "cbow"}),
        ("skip-gram, 15 words on either side and 15 negative ones", NOVELS_WIDE, {"architecture": "skip-gram"} | WIDE),
    ):
        rows = [s for path in novels[:number] for s in _sentences(path.read_text(encoding="utf-8-sig"))]
        tokens = _write(folder / "novels.parquet", rows)
        words, counts = tokens.vocabulary(minimum_count=5)
        correlations: dict[str, list[float]] = {"repline": [], "gensim": []}
        for seed in SEEDS:
            recipe = Word2Vec(seed=seed, **changes)  # type: ignore[arg-type]  # a Literal
            peer = _peer(words, counts, recipe)
            peer.train(_Sentences(tokens), total_examples=len(rows), epochs=recipe.epochs)
            vectors = {
                "repline": train(tokens, words, counts, recipe, 1),
                "gensim": np.stack([peer.wv[word] for word in words]),
            }
            for side, matrix in vectors.items():
                embedding = Embedding(words, matrix)
                values = [similarity(embedding, *tests[test])["spearman"] or 0.0 for test in TESTS]
                print(f"  {name}, seed {seed}, {side:<8} {' '.join(f'{value:.3f}' for value in values)}")
                correlations[side].append(float(np.mean(values)))
        ours, theirs = (float(np.mean(values)) for values in correlations.values())
        keep(f"{name}, mean rank correlation on {len(TESTS)} tests, in gensim's", ours / theirs, 1.0, QUALITY_LIMIT)
        print(f"  {name}, mean of {', '.join(TESTS)}: {ours:.3f}, gensim {theirs:.3f}")


def _sentences(text: str) -> Iterator[list[str]]:
    for sentence in re.split(r"(?<=[.!?])\s+", text.lower()):
        if words := re.findall(r"[a-z']+", sentence):
            yield words


def _write(path: Path, rows: list[list[str]]) -> Tokens:
    pq.write_table(pa.table({"tokens": pa.array(rows, pa.list_(pa.string()))}), path, row_group_size=10_000)
    return Tokens(path)


def _peer(words: list[str], counts: NDArray[np.int64], recipe: Word2Vec) -> gensim.models.Word2Vec:
    peer = gensim.models.Word2Vec(
        vector_size=recipe.dimensions, window=recipe.window, min_count=1, sample=recipe.sample, seed=recipe.seed,
        workers=1, sg=int(recipe.architecture == "skip-gram"), negative=recipe.negative, epochs=recipe.epochs,
    )  # fmt: skip
    peer.build_vocab_from_freq(dict(zip(words, counts.tolist(), strict=True)), corpus_count=1)
    return peer


class _Sentences:
    """The sentences of a corpus as gensim reads them: a new iterator for every epoch."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens

    def __iter__(self) -> Iterator[list[str]]:
        return self.tokens.sentences()


if __name__ == "__main__":
    main()

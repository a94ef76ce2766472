"""Tokens a second of compiled CBOW and COWE, compared with gensim's CBOW of the same size, one thread each."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from gensim.models import Word2Vec

from benchmarks.timing import line, paired
from repline.systems.chinese_hybrid.settings import Recipe
from repline.systems.chinese_hybrid.subwords import subwords_of
from repline.systems.chinese_hybrid.training import train_vectors

WORDS, SENTENCES, LENGTH, CHARACTERS, PARTS = 14_000, 8_000, 45, 2_900, 450  # as of People's Daily of a month
COWE = ["context_words", "context_characters", "context_components", "own_characters", "own_components"]
GOALS = {"CBOW": 0.5, "COWE": 0.15}


def main() -> None:
    rng = np.random.default_rng(0)
    characters = [chr(0x4E00 + number) for number in range(CHARACTERS)]
    components = {
        character: tuple(map(str, rng.integers(0, PARTS, size=rng.integers(1, 6)))) for character in characters
    }
    words = list(dict.fromkeys("".join(rng.choice(characters, size=2)) for _ in range(2 * WORDS)))[:WORDS]
    ranks = np.exp(rng.uniform(0, np.log(WORDS), size=SENTENCES * LENGTH)).astype(np.int32)
    text = np.minimum(ranks, WORDS - 1)
    sentences = np.arange(0, len(text) + 1, LENGTH)
    counts = np.maximum(np.bincount(text, minlength=WORDS), 1)
    subwords = subwords_of(words, components)
    plain = [[words[row] for row in text[start : start + LENGTH]] for start in sentences[:-1]]
    print(f"{'one thread, ' + format(len(text), ',') + ' tokens':<72} {'repline':>13} {'gensim':>13} {'ratio':>8}")
    for d in (100, 200):
        peer = Word2Vec(vector_size=d, window=5, min_count=1, sample=1e-4, negative=5, sg=0, workers=1, seed=1)
        peer.build_vocab_from_freq(dict(zip(words, counts.tolist(), strict=True)), corpus_count=len(plain))
        for title, bags in (("CBOW", COWE[:1]), ("COWE", COWE)):
            recipe = Recipe(bags=bags, consistency=title == "COWE", dimensions=d, passes=1)
            ours, theirs = paired(
                lambda r=recipe: train_vectors(text, sentences, counts, subwords, r, seed=1),
                lambda p=peer: p.train(plain, total_examples=len(plain), epochs=1),
                rounds=3,
            )
            line(f"{title}, d = {d}, against gensim's CBOW, share of its tokens a second", ours, theirs, GOALS[title])
            print(f"  {len(text) / ours:,.0f} tokens a second here, {len(text) / theirs:,.0f} in gensim")


if __name__ == "__main__":
    main()

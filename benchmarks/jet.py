"""Mentions of a terminology in text, compared with pyahocorasick and flashtext; words alone with gensim's skip-gram."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchmarks.timing import line, paired
from repline.systems.jet.mentions import find_mentions, trie_of
from repline.systems.jet.plain_text import plain_text, plain_tokens

WORDS, TERMS, TOKENS, LENGTH = 40_000, 100_000, 1_000_000, 20
GOAL = 5


def main() -> None:
    rng = np.random.default_rng(0)
    words = np.array([f"w{number:x}" for number in range(WORDS)])

    def drawn(size: int) -> np.ndarray:
        return words[np.minimum(np.exp(rng.uniform(0, np.log(WORDS), size=size)).astype(np.int64), WORDS - 1)]

    terms = sorted(
        {" ".join(drawn(length)) for length in rng.choice([1, 2, 3, 4, 5], TERMS, p=[0.5, 0.35, 0.1, 0.03, 0.02])}
    )
    text = drawn(TOKENS)
    sentences = np.arange(0, TOKENS + 1, LENGTH)
    lines = [" ".join(text[start : start + LENGTH]) for start in sentences[:-1]]
    flat = pa.array(lines)
    vocabulary = pa.array(sorted({token for term in terms for token in term.split()}))
    tokens, sizes = plain_tokens(pa.array(terms))
    trie = trie_of(_numbers(tokens, vocabulary), np.append(0, np.cumsum(sizes)), len(vocabulary))

    def ours() -> int:
        """From any text: made plain, cut into tokens, numbered, and searched."""
        tokens, lengths = plain_tokens(flat)
        return len(find_mentions(_numbers(tokens, vocabulary), np.append(0, np.cumsum(lengths)), trie).terms)

    print(f"{len(terms):,} terms in {TOKENS:,} tokens, {ours():,} mentions; one thread")
    numbered = _numbers(plain_tokens(flat)[0], vocabulary)
    automaton, keywords = _automaton(terms), _keywords(terms)
    peers = {}
    if automaton is not None:
        mentions, expected = ours(), _searched(automaton, lines)
        if mentions != expected:
            raise AssertionError(f"found {mentions} mentions, pyahocorasick {expected}")
        peers["pyahocorasick"] = lambda some: _searched(automaton, some)
    if keywords is not None:  # the longest matches alone
        peers["flashtext"] = lambda some: [keywords.extract_keywords(text) for text in some]
    for name, search in peers.items():
        fast, slow = paired(lambda: find_mentions(numbered, sentences, trie), lambda: search(lines), rounds=3)  # noqa: B023
        line(f"mentions in a text of numbers, against {name} in plain text", fast, slow, GOAL)
        fast, slow = paired(ours, lambda: search(plain_text(flat).to_pylist()), rounds=3)  # noqa: B023
        line(f"the same with what makes plain text or numbers of any text, against {name}", fast, slow)
    _training()


def _numbers(tokens: pa.Array, vocabulary: pa.Array) -> np.ndarray:
    return pc.fill_null(pc.index_in(tokens, value_set=vocabulary), -1).to_numpy(zero_copy_only=False).astype(np.int32)


def _automaton(terms: list[str]):
    """An automaton over terms between blanks, or None where pyahocorasick is not installed."""
    try:
        import ahocorasick
    except ImportError:
        print("pyahocorasick is not installed: pip install pyahocorasick")
        return None
    automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS)
    for number, term in enumerate(terms):
        automaton.add_word(f" {term} ", number)
    automaton.make_automaton()
    return automaton


def _searched(automaton, lines: list[str]) -> int:
    return sum(sum(1 for _ in automaton.iter(f" {text} ")) for text in lines)


def _keywords(terms: list[str]):
    try:
        from flashtext import KeywordProcessor
    except ImportError:
        print("flashtext is not installed: pip install flashtext")
        return None
    processor = KeywordProcessor(case_sensitive=True)
    processor.add_keywords_from_list(terms)
    return processor


def _training() -> None:
    """Words alone compared with gensim's skip-gram, in share of its tokens a second."""
    import pyarrow.parquet as pq
    from gensim.models import Word2Vec

    from repline.systems.jet import corpus, terminology
    from repline.systems.jet.name_sources import table_names
    from repline.systems.jet.settings import Training
    from repline.systems.jet.training import fit

    rng = np.random.default_rng(1)
    rows = [[f"w{word:x}" for word in np.exp(rng.uniform(0, np.log(8000), size=20)).astype(int)] for _ in range(10_000)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "text").mkdir()
        pq.write_table(pa.table({"tokens": rows}), folder / "text" / "part-00000.parquet")
        (folder / "terms.tsv").write_text("".join(f"w{word:x}\tentity{word}\n" for word in range(0, 8000, 2)))
        card = {"name": "made", "licence": "CC0"}
        terminology.write(table_names(folder / "terms.tsv"), folder / "terms", origin=card)
        corpus.write(folder / "text", folder / "terms", folder / "jet", minimum_count=5)
        text = corpus.read(folder / "jet")
        recipe = Training(passes=1, sample=0, sample_terms=0, terms=False, entities=False)
        peer = Word2Vec(vector_size=100, window=2, min_count=5, sample=0, negative=5, sg=1, workers=1, seed=1)
        peer.build_vocab(rows)
        ours, theirs = paired(
            lambda: fit(text, recipe),
            lambda: peer.train(rows, total_examples=len(rows), epochs=1),
            rounds=3,
        )
        line("words alone, d = 100, against gensim's skip-gram, in share of its tokens a second", ours, theirs)


if __name__ == "__main__":
    main()

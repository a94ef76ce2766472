"""The trained chunker: it learns, finds the best path, is saved and read, and says what is wrong."""

from itertools import product

import numpy as np
import pytest
import torch

from repline.corpora.chunks.chunk_tagger import ChunkTagger
from repline.corpora.chunks.chunk_tagger_training import _loss, train
from repline.corpora.chunks.chunked_sentences import Chunked, as_running_text, read_chunked
from repline.errors import InputError


def _sentences(count=60, seed=0):
    random, found = np.random.default_rng(seed), Chunked()
    parts = [
        (["the", "old", "Dog"], ["DT", "JJ", "NN"], "NP"),
        (["a", "cat"], ["DT", "NN"], "NP"),
        (["has", "seen"], ["VBZ", "VBN"], "VP"),
        (["in"], ["IN"], "PP"),
        ([","], [","], None),
    ]
    for _ in range(count):
        tokens, tags, chunks = [], [], []
        for part in random.integers(0, len(parts), random.integers(1, 6)):
            words, marks, kind = parts[part]
            tokens, tags = tokens + words, tags + marks
            chunks += [f"{'I' if place else 'B'}-{kind}" if kind else "O" for place in range(len(words))]
        found.add(tokens, tags, chunks)
    return found


@pytest.fixture(scope="module")
def tagger():
    text = _sentences()
    return train(text.tokens, text.tags, text.chunks, epochs=8, minimum_count=1, batch=8)


@pytest.mark.parametrize("uses_tags", [True, False])
def test_it_learns_and_is_the_same_each_time(uses_tags):
    text, test = _sentences(), _sentences(seed=1)
    made = [
        train(text.tokens, text.tags if uses_tags else None, text.chunks, epochs=6, minimum_count=1, batch=8, seed=3)
        for _ in range(2)
    ]
    assert made[0].uses_tags is uses_tags
    np.testing.assert_array_equal(made[0].weights, made[1].weights)
    assert made[0].predict(test.tokens, test.tags) == test.chunks


def test_the_path_is_the_best_of_all(tagger):
    random = np.random.default_rng(2)
    made = ChunkTagger(tagger.symbols, tagger.chunks, tagger.keys, random.normal(size=tagger.weights.shape).astype("f"))
    tokens, tags = [["the", "seen", "in", "unheard"]], [["DT", "VBN", "IN", "XX"]]
    kinds = len(made.chunks)
    seen = made.seen(tokens, tags)
    own = seen @ made.weights[: seen.shape[1]] + made.weights[-1]
    steps = made.weights[seen.shape[1] : -1].reshape(kinds + 1, -1, kinds)
    ids = made.tag_ids(tokens, tags)

    def score(path):
        before = kinds
        total = 0.0
        for place, kind in enumerate(path):
            last = made.chunks[before] if before < kinds else "O"
            if made.chunks[kind].startswith("I") and last[2:] != made.chunks[kind][2:]:
                return -np.inf
            total += own[place, kind] + steps[before, ids[place], kind]
            before = kind
        return total

    best = max(product(range(kinds), repeat=4), key=score)
    assert made.predict(tokens, tags) == [[made.chunks[kind] for kind in best]]


def test_the_loss_is_the_likelihood_of_the_gold_paths():
    generator = torch.Generator().manual_seed(0)
    scores, steps = torch.randn(5, 3, generator=generator), torch.randn(4, 2, 3, generator=generator)
    gold, tags, size = torch.tensor([0, 2, 1, 1, 0]), torch.tensor([0, 1, 1, 0, 1]), np.array([3, 2])

    def score(start, path):
        before, total = 3, 0.0
        for place, kind in enumerate(path, start=start):
            total = total + scores[place, kind] + steps[before, tags[place], kind]
            before = kind
        return total

    expected = 0.0
    for start, length in ((0, 3), (3, 2)):
        paths = torch.stack([score(start, path) for path in product(range(3), repeat=length)])
        expected += torch.logsumexp(paths, 0) - score(start, gold[start : start + length].tolist())
    torch.testing.assert_close(_loss(scores, steps, gold, tags, size), expected)


def test_sentences_of_any_length_and_unknown_words(tagger):
    tokens = [[], ["Zürich"], ["the", "qq"], ["in"] * 90]
    found = tagger.predict(tokens, [["NN"] * len(sentence) for sentence in tokens])
    assert list(map(len, found)) == [0, 1, 2, 90]
    assert not any(tags and tags[0].startswith("I") for tags in found)
    assert tagger.predict([], []) == []


def test_it_is_saved_and_read_back(tagger, tmp_path):
    test = _sentences(seed=1)
    tagger.save(tmp_path / "t")
    again = ChunkTagger.load(tmp_path / "t")
    assert again.predict(test.tokens, test.tags) == tagger.predict(test.tokens, test.tags)
    tagger.save(tmp_path / "u")
    assert (tmp_path / "t/weights.npz").read_bytes() == (tmp_path / "u/weights.npz").read_bytes()
    (tmp_path / "t/weights.npz").write_bytes(b"")
    with pytest.raises(InputError, match="not a chunk tagger"):
        ChunkTagger.load(tmp_path / "t")
    with pytest.raises(InputError, match="not a chunk tagger"):
        ChunkTagger.load(tmp_path / "absent")
    np.savez(tmp_path / "u/weights.npz", weights=np.zeros((3, 2)))
    with pytest.raises(InputError, match=r"expected .* weights for each chunk tag, found 3"):
        ChunkTagger.load(tmp_path / "u")


def test_what_it_cannot_learn_from_or_read(tagger):
    with pytest.raises(InputError, match="no sentence with chunks"):
        train([[]], None, [[]])
    with pytest.raises(InputError, match="as many chunks as words"):
        train([["a", "b"]], None, [["O"]])
    with pytest.raises(InputError, match="reads part-of-speech tags"):
        tagger.predict([["a"]])


def test_the_files_of_the_shared_task(tmp_path):
    (tmp_path / "train.txt").write_text("The DT B-NP\ncat NN I-NP\n\n\nsat VBD B-VP\n\n")
    (tmp_path / "test.txt").write_text("It PRP B-NP\n")
    train_part, test = read_chunked(tmp_path)
    assert train_part.chunks == [["B-NP", "I-NP"], ["B-VP"]]
    assert (test.tokens, test.tags) == ([["It"]], [["PRP"]])
    assert len(read_chunked(tmp_path, sentences=1)[0]) == 1
    (tmp_path / "test.txt").write_text("It PRP B-NP\n1 I-NP\n")
    with pytest.raises(
        InputError, match=r"test.txt, line 2: expected a word, its tag and its chunk tag, found '1 I-NP'"
    ):
        read_chunked(tmp_path)
    (tmp_path / "test.txt").write_text("\n")
    with pytest.raises(InputError, match="no sentence with chunks to test on"):
        read_chunked(tmp_path)
    with pytest.raises(InputError, match="there is no such file"):
        read_chunked(tmp_path / "absent")


def test_running_text_keeps_the_chunks_of_what_is_left():
    text = Chunked()
    text.add(
        ["``", "The", "U.S.", "1,200", ",", "fell", "."],
        ["``", "DT", "NNP", "CD", ",", "VBD", "."],
        ["B-NP", "I-NP", "I-NP", "B-NP", "I-NP", "B-VP", "O"],
    )
    text.add(["."], ["."], ["O"])
    made = as_running_text(text, frozenset({"the", "N", "fell"}))
    assert made.tokens == [["the", "<unk>", "N", "fell"]]
    assert made.chunks == [["B-NP", "I-NP", "B-NP", "B-VP"]]
    assert made.tags == [["DT", "NNP", "CD", "VBD"]]

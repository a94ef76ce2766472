"""A chunker for text without a parse: a conditional random field over words, affixes and tags around each word.

    p(y_1 .. y_n) ~ exp sum_t  E[t, y_t] + T[y_{t-1}, p_t, y_t]
    E[t, y]       = sum of the weights of y for what is seen around place t

where y are IOB2 chunk tags and p the part-of-speech tag (one for all where there are none). The answer is the best path
(Viterbi) over tags that may follow each other. `repline.corpora.chunks.chunk_tagger_training` learns the weights.

Source: Lafferty, McCallum & Pereira 2001 for the field, Sha & Pereira 2003 for chunks by it.
"""

import json
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from repline.errors import InputError
from repline.files import new_folder, write_json

WORDS = ((-2,), (-1,), (0,), (1,), (2,), (-2, -1), (-1, 0), (0, 1), (1, 2))  # which places make one feature
TAGS = (
    *((-2,), (-1,), (0,), (1,), (2,), (-2, -1), (-1, 0), (0, 1), (1, 2)),
    *((-2, -1, 0), (-1, 0, 1), (0, 1, 2)),
)
AFFIXES = (-1, -2, -3, -4, 1, 2, 3)  # letters from the end, and from the beginning
UNKNOWN, EDGE = 0, 1  # what training did not have, and what stands outside a sentence
REACH = 2  # places to the left and right
BLOCK = 512  # sentences that are tagged at once

Ids = NDArray[np.int64]
Lists = Sequence[Sequence[str]]


class ChunkTagger:
    """Made by `repline.corpora.chunks.chunk_tagger_training.train` or `load`.

    Attributes:
        symbols: the known words, shapes, affixes and, where they are used, part-of-speech tags.
        chunks: the K chunk tags.
        keys: for each template the numbers of what has weights, in order; together F.
        weights: [F + (K + 1) P + 1, K]: of what is seen, of the tag before with the part of speech, and constant.
        uses_tags: whether `predict` needs part-of-speech tags.
    """

    def __init__(self, symbols: dict[str, list[str]], chunks: list[str], keys: list[Ids], weights: NDArray[np.float32]):
        self.symbols, self.chunks, self.keys, self.weights = symbols, chunks, keys, weights
        self.uses_tags = "tag" in symbols
        self._index = {kind: {value: number for number, value in enumerate(known)} for kind, known in symbols.items()}

    def predict(self, tokens: Lists, tags: Lists | None = None) -> list[list[str]]:
        """The IOB2 chunk tags of sentences.

        Raises:
            InputError: the tagger needs part-of-speech tags, and there are none.
        """
        if self.uses_tags and tags is None:
            raise InputError("this chunk tagger reads part-of-speech tags; give them, or train one on words alone")
        found: list[list[str]] = []
        for start in range(0, len(tokens), BLOCK):
            block = slice(start, start + BLOCK)
            found += self._paths(tokens[block], tags[block] if self.uses_tags else None)
        return found

    def save(self, folder: str | Path) -> None:
        """Write `weights.npz` and `tagger.json` into `folder`, all or nothing."""
        with new_folder(folder) as partial:
            arrays = {f"keys_{number}": keys for number, keys in enumerate(self.keys)}
            np.savez(partial / "weights.npz", weights=self.weights, **arrays)
            write_json(partial / "tagger.json", {"chunks": self.chunks, "symbols": self.symbols})

    @classmethod
    def load(cls, folder: str | Path) -> "ChunkTagger":
        """Read what `save` wrote; InputError if it is not there or broken."""
        try:
            names = json.loads((Path(folder) / "tagger.json").read_text(encoding="utf-8"))
            with np.load(Path(folder) / "weights.npz", allow_pickle=False) as arrays:
                keys = [arrays[f"keys_{number}"] for number in range(len(arrays.files) - 1)]
                made = cls(names["symbols"], names["chunks"], keys, arrays["weights"])
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise InputError(f"{folder}: this is not a chunk tagger ({error}); train it again") from None
        rows = sum(map(len, made.keys)) + (len(made.chunks) + 1) * made.tag_count + 1
        if made.weights.shape != (rows, len(made.chunks)):
            raise InputError(f"{folder}: expected {rows} weights for each chunk tag, found {made.weights.shape[0]}")
        return made

    @property
    def tag_count(self) -> int:
        """P."""
        return len(self.symbols["tag"]) if self.uses_tags else 1

    def _paths(self, tokens: Lists, tags: Lists | None) -> list[list[str]]:
        kinds = len(self.chunks)
        seen = self.seen(tokens, tags)
        own = np.asarray(seen @ self.weights[: seen.shape[1]]) + self.weights[-1]  # E [N, K]
        steps = self.weights[seen.shape[1] : -1].reshape(kinds + 1, self.tag_count, kinds)  # T [K + 1, P, K]
        steps = np.where(self._allowed()[:, None], steps, -np.inf).transpose(1, 0, 2)  # [P, K + 1, K]
        tag_ids = self.tag_ids(tokens, tags)
        lengths = np.array([len(sentence) for sentence in tokens])
        first = np.cumsum(lengths) - lengths
        order = np.argsort(-lengths, kind="stable")
        best = np.zeros((len(tokens), kinds), np.float32)
        back = np.zeros((len(own), kinds), np.int8)
        for place in range(int(lengths.max(initial=0))):
            rows = order[: int((lengths > place).sum())]  # the sentences that go on
            at = first[rows] + place
            step = steps[tag_ids[at]]  # [B, K + 1, K]
            if place == 0:
                best[rows] = own[at] + step[:, kinds]
                continue
            scores = best[rows][:, :, None] + step[:, :kinds]  # [B, K, K]
            back[at] = scores.argmax(1)
            best[rows] = own[at] + scores.max(1)
        found = []
        for row, (start, length) in enumerate(zip(first, lengths, strict=True)):
            path, last = [], int(best[row].argmax())
            for at in range(start + length - 1, start - 1, -1):
                path.append(self.chunks[last])
                last = int(back[at, last])
            found.append(path[::-1])
        return found

    def _allowed(self) -> NDArray[np.bool_]:
        """Which tag may follow which, [K + 1, K]: I-X only B-X and I-X, and nothing begins with I."""
        allowed = np.ones((len(self.chunks) + 1, len(self.chunks)), bool)
        for column, tag in enumerate(self.chunks):
            if tag.startswith("I-"):
                allowed[:, column] = [before[2:] == tag[2:] and before != "O" for before in [*self.chunks, "O"]]
        return allowed

    def seen(self, tokens: Lists, tags: Lists | None) -> sparse.csr_matrix:
        """What is seen around each place, [N, F], ones and zeros."""
        columns, offset = [], 0
        for keys, values in zip(self.keys, self.templates(tokens, tags), strict=True):
            where = np.searchsorted(keys, values)
            where[where == len(keys)] = 0
            known = keys[where] == values if len(keys) else np.zeros(len(values), bool)
            columns.append(np.where(known, where + offset, -1))
            offset += len(keys)
        table = np.stack(columns, axis=1)  # [N, templates]
        known = table >= 0
        rows = np.concatenate([[0], np.cumsum(known.sum(1))])
        return sparse.csr_matrix((np.ones(rows[-1], np.float32), table[known], rows), (len(table), offset))

    def templates(self, tokens: Lists, tags: Lists | None) -> Iterator[Ids]:
        """For each template, a number per place that says what it sees there, [N]."""
        yield from self._around(tokens, "word", WORDS)
        yield from self._around([list(map(_shape, sentence)) for sentence in tokens], "shape", ((-1,), (0,), (1,)))
        for letters in AFFIXES:
            yield from self._around(
                [[_affix(word, letters) for word in sentence] for sentence in tokens], "affix", [(0,)]
            )
        if self.uses_tags:
            yield from self._around(tags, "tag", TAGS)

    def _around(self, values: Lists, kind: str, templates: Sequence[tuple[int, ...]]) -> Iterator[Ids]:
        index, edge = self._index[kind], [EDGE] * REACH
        ids: list[int] = []
        for sentence in values:
            ids += [*edge, *(index.get(value, UNKNOWN) for value in sentence), *edge]
        padded = np.array(ids, np.int64)
        inside = np.repeat(np.arange(len(values)) * 2 * REACH + REACH, [len(sentence) for sentence in values])
        inside += np.arange(len(inside))
        for places in templates:
            number = np.zeros(len(inside), np.int64)
            for place in places:
                number = number * len(index) + padded[inside + place]
            yield number

    def tag_ids(self, tokens: Lists, tags: Lists | None) -> Ids:
        """The number of the part of speech at each place, [N]."""
        if not self.uses_tags:
            return np.zeros(sum(map(len, tokens)), np.int64)
        return np.array([self._index["tag"].get(tag, UNKNOWN) for sentence in tags for tag in sentence], np.int64)


def known_symbols(tokens: Lists, tags: Lists | None) -> dict[str, list[str]]:
    """The `symbols` of a tagger, from the sentences it learns from; tags None for words alone."""
    words = sorted({word for sentence in tokens for word in sentence})
    found = {
        "word": words,
        "shape": sorted(set(map(_shape, words))),
        "affix": sorted({_affix(word, letters) for word in words for letters in AFFIXES}),
    }
    if tags is not None:
        found["tag"] = sorted({tag for sentence in tags for tag in sentence})
    return {kind: ["", " ", *(value for value in known if value.strip())] for kind, known in found.items()}


def _affix(word: str, letters: int) -> str:
    return f"-{word[letters:]}" if letters < 0 else f"{word[:letters]}-"


def _shape(word: str) -> str:
    """Capitals, small letters, digits and signs, without repetitions: `Xx`, `d.d`."""
    shape = ""
    for letter in word:
        mark = "d" if letter.isdigit() else "X" if letter.isupper() else "x" if letter.isalpha() else letter
        if not shape.endswith(mark):
            shape += mark
    return shape

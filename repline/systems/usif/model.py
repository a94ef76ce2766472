"""uSIF: sentence vectors from word vectors and word counts alone, without a parameter to tune.

    M_wj = v_wj / g_j,    g_j = (Σ_{w in s} v_wj²)^½                   each dimension by its norm over the sentence
    u(w) = a / (p(w) + a/2),    a = (1 - α) / (α Z),    Z = |V| / 2
    α    = share of the words of V with p(w) > 1 - (1 - 1/|V|)^n       n words of an average sentence
    c̃_s  = (1/|s|) Σ_{w in s} u(w) M_w
    c_s  = c̃_s - Σ_{i≤m} λ_i ⟨c̃_s, c'_i⟩ c'_i,    λ_i = σ_i² / Σ_{j≤m} σ_j²

c'_i and σ_i are the first right singular vectors and values of all c̃, not centred. The paper's text multiplies by g;
the author's program divides, and `normalization` has both.

Notation: V words, d dimensions, N sentences of T words in all, m = 5 components. v is `vectors` [V, d], u `weights`
[V], c̃ `weighted_averages` [N, d], c' `CommonComponents.directions` [m, d], σ and λ `singular_values` and `shares` [m],
c `CommonComponents.remove` [N, d].

u follows from a random walk: `repline.systems.usif.random_walk` has p, α, Z and a.

Source: Ethayarajh 2018, *Unsupervised Random Walk Sentence Embeddings: A Strong but Simple Baseline*, section 3,
equation 9 and algorithm 1.
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import BinaryIO

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import embedding_bag

from repline.errors import InputError, Notice
from repline.files import new_file
from repline.systems.usif.random_walk import SIF_SMOOTHING
from repline.systems.usif.settings import Normalization, Removal

COMPONENTS = 5  # m
BLOCK = 8192  # sentences


def index_sentences(sentences: Iterable[Sequence[str]], index: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Sentences as rows of a word matrix, without the words that have none.

    Args:
        sentences: N lists of words.
        index: word -> row.

    Returns:
        rows int64 [T], and offsets int64 [N + 1]: sentence i is `rows[offsets[i] : offsets[i + 1]]`.
    """
    sentences = list(sentences)
    lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
    rows = np.fromiter(
        map(index.get, chain.from_iterable(sentences), repeat(-1)), dtype=np.int64, count=int(lengths.sum())
    )
    has_vector = rows >= 0
    before = np.concatenate([[0], np.cumsum(has_vector)])
    return rows[has_vector], before[np.concatenate([[0], np.cumsum(lengths)])]


def weighted_averages(
    rows: np.ndarray,
    offsets: np.ndarray,
    vectors: np.ndarray,
    weights: np.ndarray | None,
    *,
    normalization: Normalization = "divide",
    empty: float = SIF_SMOOTHING,
    block: int = BLOCK,
) -> np.ndarray:
    """Sentence vectors before the common components are removed.

        c̃_s = (1/|s|) Σ_{w in s} u(w) M_w,      g_j = (Σ_{w in s} v_wj²)^½
        M_wj = v_wj / g_j (divide),   v_wj g_j (multiply),   v_wj / ‖v_w‖ (unit),   v_wj (none)

    Both sums run over a table of the distinct words of a block, so that nothing but the result is larger than the
    vectors of a block's words.

    Args:
        rows, offsets: of `index_sentences`; words that occur twice count twice.
        vectors: [V, d], may be memory-mapped.
        weights: u, [V]; None for the plain average.
        normalization: divide is what the author's program does; multiply is what the paper prints.
        empty: every entry of the vector of a sentence without a known word (a, in the author's program).
        block: sentences at a time; the result does not depend on it.

    Returns:
        float32 [N, d].

    Source: Ethayarajh 2018, eq. 9 and the paragraph "Normalization".
    """
    averages = np.empty((len(offsets) - 1, vectors.shape[1]), dtype=np.float32)
    lengths = np.maximum(np.diff(offsets), 1)
    row_in_table = np.zeros(len(vectors), dtype=np.int64)  # of a word in the block's table
    for start in range(0, len(averages), block):
        stop = min(start + block, len(averages))
        inside = rows[offsets[start] : offsets[stop]]
        words = np.flatnonzero(np.bincount(inside, minlength=len(vectors)))
        row_in_table[words] = np.arange(len(words))
        local = torch.from_numpy(row_in_table[inside])
        starts = torch.from_numpy(offsets[start : stop + 1] - offsets[start])
        table = np.asarray(vectors[words], dtype=np.float32)  # [W, d]
        if normalization == "unit":
            table /= _at_least(np.linalg.norm(table, axis=1, keepdims=True))
        u = np.ones(len(inside)) if weights is None else np.asarray(weights)[inside]
        share = u / np.repeat(lengths[start:stop], np.diff(offsets[start : stop + 1]))
        part = averages[start:stop]
        part[:] = _sums(local, table, starts, share.astype(np.float32))  # [n, d]
        if normalization in ("divide", "multiply"):
            norms = np.sqrt(_sums(local, np.square(table, out=table), starts))
            if normalization == "divide":
                part /= _at_least(norms)
            else:
                part *= norms
    averages[np.diff(offsets) == 0] = empty
    return averages


class CommonComponents:
    """The common discourse vectors: the first right singular vectors of the sentence vectors, not centred.

    Attributes:
        directions: c', float64 [m, d], orthonormal.
        singular_values: σ, float64 [m], descending.
        shares: λ_i = σ_i² / Σ_{j≤m} σ_j², float64 [m]; they sum to 1.

    Source: Ethayarajh 2018, section 3.3; SIF's single component with m = 1.
    """

    def __init__(self, directions: np.ndarray, singular_values: np.ndarray):
        self.directions, self.singular_values = directions, singular_values
        variance = np.square(singular_values)
        self.shares = variance / variance.sum() if variance.sum() else np.zeros_like(variance)

    @classmethod
    def of(cls, averages: np.ndarray | Iterable[np.ndarray], m: int = COMPONENTS, block: int = BLOCK):
        """Find m components of sentence vectors [N, d], or of an iterable of such blocks; memory is one block.

        An exact eigendecomposition of the d x d matrix Σ c̃ c̃ᵀ: a randomised one would change the third decimal.

        Raises:
            InputError: m below 0 or above d, no sentence, or a vector that is not finite.
        """
        blocks = _rows(averages, block) if isinstance(averages, np.ndarray) else averages
        gram, sentences = None, 0
        for part in blocks:
            part = np.asarray(part)
            gram = np.zeros((part.shape[1],) * 2) if gram is None else gram
            for rows in _rows(part, 1024):  # sums of single precision stay short
                gram += rows.T @ rows
            sentences += len(part)
        if gram is None or not sentences:
            raise InputError("common components need at least one sentence, found none")
        if not np.isfinite(gram).all():
            raise InputError("a sentence vector is not finite; check the word vectors for NaN and infinity")
        if not 0 <= m <= len(gram):
            raise InputError(f"the number of common components should be 0 to {len(gram)}, found {m}")
        if sentences <= m:
            warnings.warn(
                f"{m} common components of only {sentences} sentences hold nearly all there is; use m = 0, or "
                "components of other text",
                Notice,
                stacklevel=2,
            )
        values, directions = np.linalg.eigh(gram)  # ascending
        first = slice(len(gram) - m, None)
        return cls(directions[:, first].T[::-1].copy(), np.sqrt(np.maximum(values[first][::-1], 0)))

    def remove(self, averages: np.ndarray, removal: Removal = "piecewise", out: np.ndarray | None = None) -> np.ndarray:
        """Sentence vectors without their common components.

            c_s = c̃_s - Σ_i λ_i ⟨c̃_s, c'_i⟩ c'_i

        Args:
            averages: [N, d].
            removal: piecewise, with λ; full, with λ = 1 for all m; first, the first component alone and whole, as in
                SIF (the same as piecewise with m = 1); none.
            out: where the result goes, which may be `averages` itself; a new array by default.

        Returns:
            `out`, [N, d], of the type of `averages`.
        """
        out = averages.copy() if out is None else out
        if removal == "none":
            out[:] = averages
            return out
        directions = self.directions[:1] if removal == "first" else self.directions
        shares = self.shares if removal == "piecewise" else np.ones(len(directions))
        to, back = directions.T.astype(averages.dtype), (shares[:, None] * directions).astype(averages.dtype)
        for start in range(0, len(averages), BLOCK):
            rows = averages[start : start + BLOCK]
            out[start : start + BLOCK] = rows - (rows @ to) @ back  # [n, d] @ [d, m] @ [m, d]
        return out


def embed(
    rows: np.ndarray,
    offsets: np.ndarray,
    vectors: np.ndarray,
    weights: np.ndarray | None,
    *,
    normalization: Normalization = "divide",
    removal: Removal = "piecewise",
    m: int = COMPONENTS,
    empty: float = SIF_SMOOTHING,
    block: int = BLOCK,
) -> np.ndarray:
    """Sentence vectors, with the common components of these very sentences removed; arguments as in the parts.

    Returns:
        float32 [N, d].

    Source: Ethayarajh 2018, algorithm 1.
    """
    averages = weighted_averages(rows, offsets, vectors, weights, normalization=normalization, empty=empty, block=block)
    if removal == "none":
        return averages
    return CommonComponents.of(averages, m, block).remove(averages, removal, out=averages)


def embed_stream(
    blocks: Iterable[tuple[np.ndarray, np.ndarray]],
    path: str | Path,
    vectors: np.ndarray,
    weights: np.ndarray | None,
    *,
    normalization: Normalization = "divide",
    removal: Removal = "piecewise",
    m: int = COMPONENTS,
    empty: float = SIF_SMOOTHING,
    components: CommonComponents | None = None,
) -> CommonComponents | None:
    """Embed more sentences than memory holds into one .npy file, float32 [N, d], which appears when it is whole.

    One pass over the sentences, one over the file; memory is that of a block.

    Args:
        blocks: (rows, offsets) of `index_sentences`, a block of sentences each.
        path: of the file.
        components: those of other text; None finds them in these sentences.
        others: as in `embed`.

    Returns:
        the components that were removed; None with removal "none".
    """
    d = vectors.shape[1]
    if removal == "none":
        components = None
    with new_file(path) as partial:
        with open(partial, "wb") as file:
            _write_header(file, (0, d))
            start = file.tell()

            def averages() -> Iterator[np.ndarray]:
                for rows, offsets in blocks:
                    part = weighted_averages(rows, offsets, vectors, weights, normalization=normalization, empty=empty)
                    file.write(part.data)
                    yield part

            if removal == "none" or components is not None:
                for _ in averages():
                    pass
            else:
                components = CommonComponents.of(averages(), m)
            sentences = (file.tell() - start) // (4 * d)
            file.seek(0)
            _write_header(file, (sentences, d))
        if components is not None and sentences:
            written = np.load(partial, mmap_mode="r+")
            components.remove(written, removal, out=written)
            written.flush()
    return components


def _rows(array: np.ndarray, size: int) -> Iterator[np.ndarray]:
    return (array[start : start + size] for start in range(0, len(array), size))


def _sums(local: Tensor, table: np.ndarray, starts: Tensor, weights: np.ndarray | None = None) -> np.ndarray:
    """The (weighted) sum of the rows of each sentence: rows [T] of the table [W, d] -> [n, d]."""
    if not len(local):
        return np.zeros((len(starts) - 1, table.shape[1]), dtype=np.float32)
    per_word = None if weights is None else torch.from_numpy(weights)
    return embedding_bag(
        local, torch.from_numpy(table), starts, mode="sum", per_sample_weights=per_word, include_last_offset=True
    ).numpy()


def _at_least(norms: np.ndarray) -> np.ndarray:
    """Norms to divide by, in place: 1 in place of 0."""
    norms[norms == 0] = 1
    return norms


def _write_header(file: BinaryIO, shape: tuple[int, int]) -> None:
    """The format leaves room for the number of rows to grow, so that a later header takes the same place."""
    np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": shape})

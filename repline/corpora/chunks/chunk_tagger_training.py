"""Learn a chunk tagger: CRFsuite maximises the likelihood of the gold paths, less c1 |w|_1 + c2 |w|_2^2, by L-BFGS.

Source: Lafferty, McCallum & Pereira 2001; Andrew & Gao 2007 for L-BFGS with c1 (OWL-QN); Okazaki 2007, CRFsuite.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pycrfsuite

from repline.corpora.chunks.chunk_tagger import ChunkTagger, Lists, seen
from repline.errors import InputError


def train(
    tokens: Lists,
    tags: Lists | None,
    chunks: Lists,
    *,
    c1: float = 0.1,
    c2: float = 0.1,
    max_iterations: int = 100,
    minimum_count: int = 1,
    progress: Callable[[int, float], None] | None = None,
) -> ChunkTagger:
    """Learn from sentences with chunks.

    Args:
        tokens, tags, chunks: equally long lists of equally long sentences; tags None for words alone.
        c1, c2: of the penalties on the weights, as a sum and as a sum of squares.
        max_iterations: of L-BFGS, which ends earlier where the loss stands still.
        minimum_count: what is seen more rarely with a chunk tag gets no weight for it.
        progress: called with the iteration and its loss, penalties included, per sentence.

    Raises:
        InputError: no sentence, sentences and their tags or chunks that differ in length, or a number out of range.
    """
    if c1 < 0 or c2 < 0 or max_iterations < 1:
        raise InputError(
            f"chunks.tagger: expected c1 and c2 from 0 up and at least 1 iteration, found {c1}, {c2}, {max_iterations}"
        )
    for name, other in (("tags", tags), ("chunks", chunks)):
        if other is not None and list(map(len, tokens)) != list(map(len, other)):
            raise InputError(f"a chunk tagger needs as many {name} as words in each sentence; the two differ")
    sentences = [row for row in zip(tokens, tags or [None] * len(tokens), chunks, strict=True) if len(row[0])]
    if not sentences:
        raise InputError("there is no sentence with chunks to train a chunk tagger on")
    trainer = _Trainer(algorithm="lbfgs", verbose=False)
    trainer.progress, trainer.sentences = progress, len(sentences)
    trainer.set_params({"c1": c1, "c2": c2, "max_iterations": max_iterations, "feature.minfreq": minimum_count})
    for words, marks, gold in sentences:
        trainer.append(seen(words, marks), gold)
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(str(Path(folder) / "model"))
        return ChunkTagger((Path(folder) / "model").read_bytes(), uses_tags=tags is not None)


class _Trainer(pycrfsuite.Trainer):
    progress: Callable[[int, float], None] | None = None
    sentences = 1

    def message(self, message: str) -> None:
        """Each piece of CRFsuite's log."""
        if self.logparser.feed(message) == "iteration" and self.progress:
            last = self.logparser.last_iteration
            self.progress(last["num"], last["loss"] / self.sentences)

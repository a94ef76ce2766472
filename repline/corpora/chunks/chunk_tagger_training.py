"""Learn a chunk tagger: CRFsuite maximises the likelihood of the gold paths, less c1 |w|_1 + c2 |w|_2^2, by L-BFGS.

Source: Lafferty, McCallum & Pereira 2001; Andrew & Gao 2007 for L-BFGS with c1 (OWL-QN); Okazaki 2007, CRFsuite.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pycrfsuite

from repline.corpora.chunks.chunk_tagger import ChunkTagger, Lists, seen
from repline.corpora.chunks.recipes import TaggerRecipe
from repline.errors import InputError

BY_DEFAULT = TaggerRecipe()


def train(
    tokens: Lists,
    tags: Lists | None,
    chunks: Lists,
    recipe: TaggerRecipe = BY_DEFAULT,
    progress: Callable[[int, float], None] | None = None,
) -> ChunkTagger:
    """Learn from sentences with chunks.

    Args:
        tokens, tags, chunks: equally long lists of equally long sentences; tags None for words alone.
        progress: called with the iteration and its loss, penalties included, per sentence.

    Raises:
        InputError: no sentence, sentences and their tags or chunks that differ in length.
    """
    for name, column in (("tags", tags), ("chunks", chunks)):
        if column is not None and list(map(len, tokens)) != list(map(len, column)):
            raise InputError(f"a chunk tagger needs as many {name} as words in each sentence; in one they differ")
    tag_rows: Sequence[Sequence[str] | None] = tags or [None] * len(tokens)
    sentences = [row for row in zip(tokens, tag_rows, chunks, strict=True) if len(row[0])]
    if not sentences:
        raise InputError("there is no sentence with chunks to train a chunk tagger on")
    trainer = _Trainer(algorithm="lbfgs", verbose=False)
    trainer.progress, trainer.sentences = progress, len(sentences)
    trainer.set_params(
        {
            "c1": recipe.c1,
            "c2": recipe.c2,
            "max_iterations": recipe.max_iterations,
            "feature.minfreq": recipe.minimum_count,
        }
    )
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

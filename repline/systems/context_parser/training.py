"""Train a parser by MIRA on complete sentences.

Source: Rekaby Salama et al. (2018), section 3; the options of the authors' models.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from repline.corpora.scenes.scene import SceneSentence
from repline.errors import InputError, shown
from repline.systems.context_parser.corpus import Fold
from repline.systems.context_parser.mira import mira_update
from repline.systems.context_parser.model import ContextParser, encode, vocabularies
from repline.systems.context_parser.relations import context_of, gold_relations
from repline.systems.context_parser.settings import CONTEXT, UNI, Recipe
from repline.systems.context_parser.sparse_weights import FREE, new_table
from repline.use.folders import describe

FIRST_BITS = 18  # of the table of weights, which grows


def train(
    recipe: Recipe, folds: Sequence[Fold], folder: str | Path, *, progress: Callable[[int, int], None] | None = None
) -> None:
    """Train the parsers of every fold, with the context and without, and one with it that sees all sentences.

    They are saved in `folder`: fold-1/context, fold-1/uni, ..., all.

    Args:
        progress: of the last one, see `fitted`.
    """
    for number, fold in enumerate(folds, start=1):
        for kind in (CONTEXT, UNI):
            parser = fitted(recipe, fold.train, context=kind == CONTEXT)
            _save(parser, fold.train, Path(folder) / f"fold-{number}" / kind)
    # every sentence once, in the order in which the folds bring them
    sentences = list(dict.fromkeys(sentence for fold in folds for sentence in fold.train))
    train_parser(recipe, sentences, Path(folder) / "all", progress=progress)


def train_parser(
    recipe: Recipe,
    sentences: Sequence[SceneSentence],
    folder: str | Path,
    *,
    context: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Train one parser and save it, with what raw sentences need; arguments and errors as of `fitted`."""
    _save(fitted(recipe, sentences, context=context, progress=progress), sentences, Path(folder))


def analyses(sentences: Sequence[SceneSentence]) -> dict[str, dict[str, tuple[str, str, str]]]:
    """The lemma, coarse tag and tag that each form most often has, for raw sentences; of equally many the first.

    Returns:
        analyses: by form, also in lower case; after: by "word before TAB form", where that is another.
    """
    by_form: dict[str, Counter[tuple[str, str, str]]] = {}
    by_pair: dict[str, Counter[tuple[str, str, str]]] = {}
    for sentence in sentences:
        before = ""
        for word in sentence.words:
            analysis = (word.lemma, word.coarse, word.tag)
            for form in {word.form, word.form.lower()}:
                by_form.setdefault(form, Counter())[analysis] += 1
            by_pair.setdefault(f"{before}\t{word.form}", Counter())[analysis] += 1
            before = word.form
    commonest = {form: counts.most_common(1)[0][0] for form, counts in by_form.items()}
    after = {pair: counts.most_common(1)[0][0] for pair, counts in by_pair.items()}
    differing = {pair: analysis for pair, analysis in after.items() if analysis != commonest[pair.partition("\t")[2]]}
    return {"analyses": commonest, "after": differing}


def _save(parser: ContextParser, sentences: Sequence[SceneSentence], folder: Path) -> None:
    """Save a parser with what raw sentences need."""
    parser.save(folder)
    describe(folder, "context_parser", "parser", analyses(sentences))


def fitted(
    recipe: Recipe,
    sentences: Sequence[SceneSentence],
    *,
    context: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> ContextParser:
    """A parser with the mean weights of all updates.

    Args:
        sentences: complete, with trees and references, in the order in which they are learned.
        context: whether arcs have features of the context, with weight 1; else the parser is uni-modal.
        progress: called with sentences seen and updates made, after each of them.

    Raises:
        InputError: no sentence, or one with a gap.
    """
    if not sentences:
        raise InputError("there is no sentence to train the parser on")
    for sentence in sentences:
        if sentence.gaps:
            raise InputError(f"scene {sentence.scene}: a sentence to train on has a gap: {shown(sentence.text)}")
    words, tags = vocabularies(sentences)
    prepared = []
    for sentence in sentences:
        encoded = encode(sentence.words, words, tags)
        related = np.zeros((len(sentence.words) + 1, len(sentence.words) + 1), np.uint8)
        if context:
            related = gold_relations(
                sentence.words, context_of(sentence.triplets, sentence.words, next_to=recipe.next_to)
            )
        prepared.append((encoded, related, np.array([0, *(word.head for word in sentence.words)], np.int64)))
    keys, values, sums = new_table(FIRST_BITS)
    used, updates = 0, 0
    for epoch in range(recipe.epochs):
        for number, (encoded, related, gold) in enumerate(prepared, start=1):
            keys, values, sums, used, updates, _ = mira_update(
                keys, values, sums, used, updates, encoded, related, gold, float(recipe.c)
            )
            if progress is not None:
                progress(epoch * len(prepared) + number, updates)
    return ContextParser(words, tags, *_mean(keys, values, sums, updates), context=context, next_to=recipe.next_to)


def _mean(keys: np.ndarray, values: np.ndarray, sums: np.ndarray, updates: int) -> tuple[np.ndarray, np.ndarray]:
    """The features whose mean weight over all updates is not zero, sorted, and these means.

    An update that came after u others is part of T - u of the T weights whose mean is taken.
    """
    is_used = keys != FREE
    features = keys[is_used]
    means = values[is_used] - sums[is_used] / max(updates, 1)
    order = np.argsort(features)
    order = order[means[order] != 0.0]
    return features[order], means[order]

"""Which sentences a parser learns from and which gaps it fills: folds of scenes, and a control with wrong triplets."""

from pathlib import Path
from random import Random
from typing import NamedTuple

from repline.corpora.scenes.scene import SceneSentence, Triplet
from repline.corpora.scenes.scene_corpus import read_scene_corpus, scenes_of
from repline.errors import InputError
from repline.systems.context_parser.settings import Corpus


class Fold(NamedTuple):
    """Complete sentences to train on, and sentences with a gap from other scenes."""

    train: list[SceneSentence]
    test: list[SceneSentence]


def read_folds(corpus: Corpus, data: str | Path = "data") -> list[Fold]:
    """The folds of a corpus of scenes, a folder of `data`.

    Raises:
        InputError: there is no such corpus, it has fewer scenes than folds, or no folds of its own.
    """
    folder, folds = Path(data) / corpus.corpus, corpus.folds
    parts = read_scene_corpus(folder)
    if corpus.shipped:
        try:
            return [Fold(parts[f"train-{number}"], parts[f"test-{number}"]) for number in range(1, folds + 1)]
        except KeyError as error:
            raise InputError(f"{folder}: the corpus has no part {error}; take `shipped: false`") from None
    scenes = scenes_of(parts[""])[: corpus.scenes]
    if len(scenes) < folds:
        raise InputError(f"{folder}: expected {folds} scenes or more, one for each fold, found {len(scenes)}")
    bounds = [round(position * len(scenes) / folds) for position in range(folds + 1)]
    dealt = []
    for start, stop in zip(bounds[-2::-1], bounds[:0:-1], strict=True):
        rest = [*scenes[:start], *scenes[stop:]]
        fold = Fold(
            [sentence for scene in rest for sentence in scene.sentences],
            [sentence for scene in scenes[start:stop] for sentence in scene.gapped],
        )
        if not fold.test:
            held_out = ", ".join(scene.name for scene in scenes[start:stop])
            raise InputError(f"{folder}: no sentence of the scenes {held_out} has a gap")
        dealt.append(fold)
    return dealt


def shuffled(sentence: SceneSentence, seed: int) -> SceneSentence:
    """The sentence with a scene in which, within each type of relation, the predicates have changed places.

    Items and types stay as they are, what is true of them does not. All sentences of a scene are shuffled alike.
    """
    random = Random(f"{seed}-{sentence.scene}")
    changed = list(sentence.triplets)
    for kind in dict.fromkeys(triplet.relation for triplet in changed):
        positions = [position for position, triplet in enumerate(changed) if triplet.relation == kind]
        predicates = [changed[position].predicate for position in positions]
        random.shuffle(predicates)
        for position, predicate in zip(positions, predicates, strict=True):
            changed[position] = Triplet(changed[position].argument, kind, predicate)
    return SceneSentence(sentence.words, tuple(changed), sentence.scene, sentence.kind, sentence.asserted)

"""All that is measured on one space: `python -m stages.morph2vec.measure english`.

data/corpora/morph2vec/english, data/models/morph2vec, files of tests -> data/evaluation/morph2vec/spaces/english
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from repline.cards import read_card
from repline.evaluation.replication.replicate_files import write as write_replicates
from repline.evaluation.replication.weighted_draws import as_parts
from repline.files import new_folder, write_json
from repline.segmentation.morphology.allomorphs import labelled_allomorphs
from repline.segmentation.morphology.segmentation_files import labels
from repline.segmentation.morphology.segmentation_files import read as read_segmentations
from repline.systems.morph2vec import measurement
from repline.systems.morph2vec.allomorph_neighbours import allomorph_test, neighbours
from repline.systems.morph2vec.composition import Words, read_words, splitter
from repline.systems.morph2vec.corpus import Splitter
from repline.systems.morph2vec.printed import FORMS, PAIRS, QUESTIONS
from repline.systems.morph2vec.segments import cut_quality
from repline.systems.morph2vec.settings import Space, Tests, read, space_of
from repline.systems.morph2vec.word_tests import (
    analogy_test,
    matrix_of,
    printed_cosines,
    read_questions,
    read_similarity,
    similarity_test,
    words_of,
)
from stages import run, word_vectors
from stages.morph2vec.inputs import CORPORA, DATA, named, segmentations, trained

SPACES = Path("data/evaluation/morph2vec/spaces")


def main() -> None:
    settings = read()
    name = named(sys.argv[1:], settings.spaces, "a space")
    space = space_of(settings, name)
    tests = settings.tests.get(name, Tests())
    listed = segmentations(space.segmentations, space.language)
    prepared = read_words(CORPORA / name)
    blind = splitter(CORPORA / name, prepared, listed)
    models = trained(settings, name)
    card = read_card(CORPORA / name)
    numbers: dict[str, Any] = dict(card["counts"]) | {"threshold": card["parameters"]["threshold"]}
    repeated: dict[str, Any] = {}

    def keep(part: str, measured: measurement.Measured) -> None:
        numbers[part], repeated[part] = measured
        print(f"{name}: {part} measured", flush=True)

    ridge = settings.ridge.model_dump()
    keep("held_out", measurement.held_out_words(prepared, models, ridge))
    gold = {key: read_segmentations(DATA / place, space.language) for key, place in tests.gold.items()}
    chosen = measurement.chosen_segmentations(prepared, models)
    keep("cuts", _each(gold, lambda one: cut_quality(one, prepared, chosen)))
    keep(
        "gold_segments",
        _each(gold, lambda one: measurement.gold_against_unsupervised(prepared, models, one)),
    )
    if tests.similarity or tests.analogies:
        for part, measured in _word_tests(space, tests, prepared, blind, models).items():
            keep(part, measured)
    if tests.allomorphs:
        keep("allomorphs", _allomorphs(space, tests, models, numbers))
    with new_folder(SPACES / name) as folder:
        write_json(folder / "scores.json", numbers)
        write_replicates(folder / "replicates.parquet", as_parts(repeated))


def _each(files: dict[str, Any], measure: Any) -> measurement.Measured:
    found = {key: measure(one) for key, one in files.items()}
    return {key: one for key, (one, _) in found.items()}, {key: one for key, (_, one) in found.items()}


def _word_tests(
    space: Space, tests: Tests, prepared: Words, blind: Splitter, models: dict[str, Any]
) -> dict[str, measurement.Measured]:
    """Similarity, analogies and the printed examples, of the targets, the models and subword vectors."""
    pairs = {key: read_similarity(DATA / place, space.language) for key, place in tests.similarity.items()}
    questions = {key: read_questions(DATA / place, space.language) for key, place in tests.analogies.items()}
    tested = words_of(pairs.values(), questions.values())
    printed = [word for item in (*PAIRS.values(), *QUESTIONS.values()) for word in item] if tests.printed else []
    inside = set(prepared.words)
    words = [*prepared.words, *(word for word in dict.fromkeys([*tested, *printed]) if word not in inside)]
    supervised = None
    if tests.supervised:
        found = segmentations([tests.supervised], space.language)
        supervised = Splitter(blind.prefixes, {}, found, blind.knobs)
    methods = {"targets": [_looked_up(words, space.vectors)]}
    if space.subwords != space.vectors:
        methods["subwords"] = [_looked_up(words, space.subwords)]
    methods |= measurement.composed_words(prepared, words, models, blind, supervised, tested)
    result = {
        "similarity": _each(pairs, lambda test: similarity_test(words, methods, test)),
        "analogies": _each(questions, lambda test: analogy_test(words, methods, test)),
    }
    if tests.printed:
        found = {key: printed_cosines(words, runs[0], PAIRS, QUESTIONS) for key, runs in methods.items()}
        result["printed"] = (found, {})
    return result


def _looked_up(words: list[str], place: str) -> np.ndarray:
    """The vectors of words in a folder, zeros where it has none."""
    known, matrix = word_vectors.vectors(place, None)
    rows = {word: row for row, word in enumerate(known)}
    return matrix_of(words, lambda word: matrix[rows[word]] if word in rows else None, matrix.shape[1])


def _allomorphs(space: Space, tests: Tests, models: dict[str, Any], numbers: dict[str, Any]) -> measurement.Measured:
    """Forms of one morpheme as neighbours among all listed forms, and in the whole tables of the models."""
    forms = labels(DATA / tests.allomorphs)
    sets = labelled_allomorphs(forms)
    tables = [set(model.morphs) for runs in models.values() for model in runs]
    names = sorted(set().union(*forms.values()).intersection(*tables))
    methods: dict[str, list[np.ndarray]] = measurement.morph_vectors(models, names)
    if space.subwords != space.vectors:
        methods["subwords"] = [_looked_up(names, space.subwords)]
    listed, repeated = allomorph_test(sets, names, methods)
    whole = {}
    for name, runs in models.items():
        table = [model.table.weight.detach().numpy() for model in runs]
        whole[name] = allomorph_test(sets, runs[0].morphs, {name: table})[0]
        listed.setdefault("examples", {})[name] = neighbours(names, methods[name][0], FORMS, 7)
    return {"listed": listed, "whole": whole}, {"listed": repeated}


if __name__ == "__main__":
    run(main)

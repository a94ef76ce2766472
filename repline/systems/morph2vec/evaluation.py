"""Evaluate all models of one space: held-out words, cuts, similarity, analogies, allomorphs, with replicates."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from repline.cards import read_card
from repline.evaluation.evaluations import Evaluation, Metrics
from repline.evaluation.nested_measures import Array, Metric
from repline.evaluation.replication.weighted_draws import as_parts
from repline.pretrained import pretrained
from repline.segmentation.morphology import segmentation_files
from repline.segmentation.morphology.allomorphs import labelled_allomorphs
from repline.systems.morph2vec import measurement
from repline.systems.morph2vec.allomorph_neighbours import allomorph_test, neighbours
from repline.systems.morph2vec.composition import splitter
from repline.systems.morph2vec.corpus import Splitter, Words, listed_segmentations, read_words, segmentations
from repline.systems.morph2vec.gold_segments import cut_quality
from repline.systems.morph2vec.measurement import Measured, Models
from repline.systems.morph2vec.model import Morph2Vec
from repline.systems.morph2vec.settings import Ridge, Space, Tests
from repline.systems.morph2vec.word_tests import (
    PRINTED_FORMS,
    PRINTED_PAIRS,
    PRINTED_QUESTIONS,
    analogy_test,
    matrix_of,
    printed_cosines,
    printed_scores,
    read_questions,
    read_similarity,
    similarity_test,
    words_of,
)
from repline.training.convergence import not_converged
from repline.vectors.formats import readers

SHOWN_NEIGHBOURS = 7
File = TypeVar("File")


def evaluate(
    models: Mapping[str, Sequence[Path]],
    folder: str | Path,
    space: Space,
    tests: Tests,
    ridge: Ridge,
    data: str | Path = "data",
) -> Evaluation:
    """All models of one space, and the baselines.

    Args:
        models: by name, the folder of each seed's model.
        folder: of `repline.systems.morph2vec.corpus.write_data`.
        space: what was prepared there.
        tests: files of `data`.
        ridge: the baseline on n-grams.
        data: the folder that the paths of space and tests are relative to.

    Returns:
        metrics: the counts of the words and the threshold of their candidates; `held_out`; `cuts` and `gold_segments`
        by gold segmentation; `similarity`, `analogies`, `printed` and `allomorphs` where there are such tests.

    Raises:
        InputError: a file or a model is not there or broken.
    """
    words, card = read_words(folder), read_card(folder)
    unseen = splitter(folder, words, listed_segmentations(space, data))
    trained = {name: [pretrained(Morph2Vec, path) for path in runs] for name, runs in models.items()}
    gold = {name: segmentation_files.read(Path(data) / path, space.language) for name, path in tests.gold.items()}
    selected = measurement.attended_segmentations(words, trained)
    parts = {
        "held_out": measurement.held_out_words(words, trained, ridge),
        "cuts": _each(gold, lambda listed: cut_quality(listed, words, selected)),
        "gold_segments": _each(gold, lambda listed: measurement.gold_against_unsupervised(words, trained, listed)),
    }
    if tests.similarity or tests.analogies:
        parts |= word_tests(trained, words, unseen, space, tests, data)
    if tests.allomorphs:
        parts["allomorphs"] = allomorphs(trained, Path(data) / tests.allomorphs, space, data)
    metrics: Metrics = dict(card["counts"]) | {"threshold": card["parameters"]["threshold"]}
    metrics |= {name: numbers for name, (numbers, _) in parts.items()}
    replicates = as_parts({name: replicates for name, (_, replicates) in parts.items()})
    return Evaluation(metrics, replicates, not_converged=groups_of(not_converged(models), metrics))


def groups_of(models: Collection[str], metrics: Metrics, above: str = "") -> list[str]:
    """The groups of metrics that are of one of these models, as "held_out.bag_unseen"."""
    groups: list[str] = []
    for name, numbers in metrics.items():
        if isinstance(numbers, dict):
            is_of_one = name in models or name.removesuffix("_unseen") in models
            groups += [above + name] if is_of_one else groups_of(models, numbers, f"{above}{name}.")
    return groups


def word_tests(
    models: Models, space_words: Words, unseen: Splitter, space: Space, tests: Tests, data: str | Path = "data"
) -> dict[str, Measured]:
    """Similarity, analogies and the printed examples, of the targets, the models and subword vectors.

    Args:
        unseen: the candidates of words outside the space.
        space, tests, data: as of `evaluate`.
    """
    language = space.language
    pairs = {name: read_similarity(Path(data) / path, language) for name, path in tests.similarity.items()}
    questions = {name: read_questions(Path(data) / path, language) for name, path in tests.analogies.items()}
    tested = words_of(pairs.values(), questions.values())
    printed = (
        [word for item in (*PRINTED_PAIRS.values(), *PRINTED_QUESTIONS.values()) for word in item]
        if tests.printed
        else []
    )
    inside = set(space_words.words)
    words = [*space_words.words, *(word for word in dict.fromkeys([*tested, *printed]) if word not in inside)]
    supervised = None
    if tests.supervised:
        listed = segmentations([Path(data) / tests.supervised], language)
        supervised = Splitter(unseen.prefixes, {}, listed, unseen.knobs)
    methods = {"targets": [looked_up(words, Path(data) / space.vectors)]}
    if space.subwords != space.vectors:
        methods["subwords"] = [looked_up(words, Path(data) / space.subwords)]
    methods |= measurement.composed_words(space_words, words, models, unseen, supervised, tested)
    parts = {
        "similarity": _each(pairs, lambda test: similarity_test(words, methods, test)),
        "analogies": _each(questions, lambda test: analogy_test(words, methods, test)),
    }
    if tests.printed:
        cosines: dict[str, Metric] = {
            name: printed_cosines(words, runs[0], PRINTED_PAIRS, PRINTED_QUESTIONS) for name, runs in methods.items()
        }
        parts["printed"] = (cosines | {"people": printed_scores(pairs.values(), PRINTED_PAIRS)}, {})
    return parts


def allomorphs(models: Models, file: Path, space: Space, data: str | Path = "data") -> Measured:
    """Forms of one morpheme as neighbours among all listed forms, and in the whole tables of the models.

    Args:
        file: a labelled segmentation.
        space, data: as of `evaluate`.
    """
    forms = segmentation_files.labels(file)
    sets = labelled_allomorphs(forms)
    tables = [set(model.morphs) for runs in models.values() for model in runs]
    morphs = sorted(set().union(*forms.values()).intersection(*tables))
    methods: dict[str, list[NDArray]] = measurement.morph_vectors(models, morphs)
    if space.subwords != space.vectors:
        methods["subwords"] = [looked_up(morphs, Path(data) / space.subwords)]
    listed, replicates = allomorph_test(sets, morphs, methods)
    whole, examples = dict[str, Metric](), dict[str, Metric]()
    for name, runs in models.items():
        table = [model.table.weight.detach().numpy() for model in runs]
        whole[name] = allomorph_test(sets, runs[0].morphs, {name: table})[0]
        examples[name] = neighbours(morphs, methods[name][0], PRINTED_FORMS, SHOWN_NEIGHBOURS)
    if examples:
        listed["examples"] = examples
    return {"listed": listed, "whole": whole}, {"listed": replicates}


def looked_up(words: Sequence[str], vectors: Path) -> NDArray[np.float32]:
    """The vectors of words in a file or folder, zeros where it has none."""
    words_with_vector, matrix = readers.read(vectors)
    rows = {word: row for row, word in enumerate(words_with_vector)}
    return matrix_of(words, lambda word: matrix[rows[word]] if word in rows else None, matrix.shape[1])


def _each(files: Mapping[str, File], measure: Callable[[File], Measured]) -> Measured:
    """Apply a measurement to each of several files."""
    numbers, replicates = dict[str, Metric](), dict[str, Array]()
    for name, file in files.items():
        numbers[name], replicates[name] = measure(file)
    return numbers, replicates

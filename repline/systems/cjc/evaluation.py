"""Translations, parallel sentences and analogies: rates of every variant, the mean over its seeds."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from numpy.typing import NDArray

from repline.evaluation.evaluations import Evaluation
from repline.evaluation.nested_measures import Replicate
from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.weighted_draws import numbers, weights_of
from repline.evaluation.replication.weighted_draws import replicates as drawn_replicates
from repline.systems.cjc.corpus import Data, Tests
from repline.systems.cjc.mixed_analogies import Analogies, analogy_scores, by_mix, question_weights, questions
from repline.systems.cjc.rates import Means, alignment_scores, directions, synonym_scores, synonyms
from repline.vectors.store import load_matrix

FEWEST = 10  # words or sentences that another origin is tested with


def evaluate(models: Mapping[str, Mapping[str, Sequence[Path]]], data: Data, analogy_pairs: int) -> Evaluation:
    """All tests of all variants; replicates draw seeds and test items, the same ones for all.

    Args:
        models: by method and variant, the folder of each seed's vectors.
        data: what they were trained on.
        analogy_pairs: largest number of pairs of words that analogies are made of.
    """
    analogies = questions(data.vocabulary, max_pairs=analogy_pairs)
    tests = {name: data.tests(name) for name in ("", *data.elsewhere)}
    evaluations = {}
    for method, variants in models.items():
        parts = {
            variant: evaluate_vectors([load_matrix(folder) for folder in folders], data.n, tests, analogies)
            for variant, folders in variants.items()
        }
        evaluations[method] = Evaluation.side_by_side(parts)
    evaluation = Evaluation.side_by_side(evaluations)
    held_out = tests[""]
    counts = {
        "synonyms": len(held_out.lexicon),
        "sharing": int(held_out.sharing.sum()),
        "questions": len(analogies.words),
    }
    return Evaluation(evaluation.metrics | {"data": counts}, evaluation.replicates)


def evaluate_vectors(runs: Sequence[NDArray], n: int, tests: Mapping[str, Tests], analogies: Analogies) -> Evaluation:
    """All tests of one variant.

    Args:
        runs: the vectors of each seed, [n + t, d].
        n: words of the first language.
        tests: by origin; the one of no name is that of the training.
    """
    by_origin = {name: evaluate_tests(runs, n, test) for name, test in tests.items()}
    evaluation = by_origin.pop("")
    elsewhere = Evaluation.side_by_side(by_origin)
    metrics = evaluation.metrics | {"elsewhere": elsewhere.metrics}
    replicates = list(evaluation.replicates)
    if by_origin:
        replicates = _with_part(replicates, "elsewhere", elsewhere.replicates)
    if len(analogies.words):
        weights = question_weights(analogies, weights_of(int(analogies.pairs.max()) + 1))
        for name, exclude in (("analogies", False), ("analogies_excluding", True)):
            scores = [analogy_scores(analogies, vectors, n, exclude=exclude) for vectors in runs]
            measured = [by_mix(run_scores, weights) for run_scores in scores]
            metrics[name] = numbers(measured)
            replicates = _with_part(replicates, name, drawn_replicates(measured))
    return Evaluation(metrics, replicates)


def evaluate_tests(runs: Sequence[NDArray], n: int, test: Tests) -> Evaluation:
    """Synonyms and sentences, where there are enough."""
    measured: dict[str, list[dict[str, Means]]] = {}
    if len(test.lexicon) >= FEWEST:
        weights = weights_of(len(test.lexicon))
        measured["synonyms"] = [
            synonyms(synonym_scores(vectors, n, test.lexicon), test.sharing, weights) for vectors in runs
        ]
    if len(test.first) >= FEWEST:
        weights = weights_of(len(test.first))
        measured["sentences"] = [
            directions(alignment_scores(vectors, test.first, test.second), weights) for vectors in runs
        ]
    return Evaluation(
        {name: numbers(run_scores) for name, run_scores in measured.items()},
        side_by_side(**{name: drawn_replicates(run_scores) for name, run_scores in measured.items()}),
    )


def _with_part(replicates: Sequence[Replicate], name: str, parts: Sequence[Replicate]) -> list[Replicate]:
    return [{**replicate, name: part} for replicate, part in zip(replicates, parts, strict=True)]

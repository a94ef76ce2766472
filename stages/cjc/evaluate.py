"""data/corpora/cjc, data/models/cjc -> data/evaluation/cjc: metrics, claims, plots, figures."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repline.cards import read_card
from repline.evaluation.replication.bootstrap import bootstrap, side_by_side
from repline.evaluation.replication.seed_means import mean_of_runs
from repline.systems.cjc.evaluation import alignment_scores, directions, synonym_scores, synonyms
from repline.systems.cjc.mixed_analogies import Analogies, analogy_scores, by_mix, questions
from repline.systems.cjc.prepared import Prepared, Tests
from repline.systems.cjc.settings import METHODS, read, variants
from repline.vectors.store import load_matrix
from stages import run
from stages.cjc import figures
from stages.cjc.prepare import FOLDER
from stages.cjc.train import MODELS
from stages.conclusion import conclude

FEWEST = 10  # words or sentences that another origin is tested with

Measured = tuple[Any, list[Any]]  # metrics, and their replicates


def main() -> None:
    settings = read()
    prepared = Prepared(FOLDER)
    asked = questions(prepared.vocabulary, most=settings.test.analogy_pairs)
    tests = {name: prepared.tests(name) for name in ("", *prepared.elsewhere)}
    characters = json.loads((FOLDER / "characters.json").read_text(encoding="utf-8"))
    own = tests[""]
    metrics: dict[str, Any] = {
        "characters": {Path(settings.characters).name: characters},
        "data": read_card(FOLDER)["counts"]
        | {"synonyms": len(own.lexicon), "sharing": int(own.sharing.sum()), "questions": len(asked.words)},
    }
    repeated = {}
    for method in METHODS:
        found = {}
        for variant in variants(settings, method):
            runs = [load_matrix(MODELS / method / variant / f"seed-{seed}") for seed in settings.seeds]
            found[variant] = measure(runs, prepared.n, tests, asked)
            shown = [
                f"{name} {found[variant][0][name]['both']['rate']:.1f} %"
                for name in ("synonyms", "sentences")
                if name in found[variant][0]
            ]
            print(f"{variant}: {', '.join(shown) or 'too few words and sentences to test'}", flush=True)
        metrics[method] = {variant: values for variant, (values, _) in found.items()}
        repeated[method] = side_by_side(**{variant: parts for variant, (_, parts) in found.items()})
    conclude("cjc", metrics, figures.figures(metrics), figures.plots(metrics), side_by_side(**repeated))


def measure(runs: list[NDArray], n: int, tests: dict[str, Tests], asked: Analogies) -> Measured:
    """All tests of the vectors of one variant, the mean over its seeds; the replicates draw seeds and test items."""
    found = {name: measure_tests(runs, n, test) for name, test in tests.items()}
    metrics, repeated = found.pop("")
    metrics |= {"elsewhere": {name: values for name, (values, _) in found.items()}}
    groups = {name: parts for name, (_, parts) in found.items()}
    repeated = (
        [own | {"elsewhere": other} for own, other in zip(repeated, side_by_side(**groups), strict=True)]
        if groups
        else repeated
    )
    if len(asked.words):
        for name, exclude in (("analogies", False), ("analogies_excluding", True)):
            scores = [analogy_scores(asked, vectors, n, exclude=exclude) for vectors in runs]
            metrics[name], parts = resampled(scores, lambda one, items: by_mix(one[items]))
            repeated = [own | {name: part} for own, part in zip(repeated, parts, strict=True)]
    return metrics, repeated


def measure_tests(runs: list[NDArray], n: int, test: Tests) -> Measured:
    """Synonyms and sentences, where there are enough."""
    metrics: dict[str, Any] = {}
    groups = {}
    if len(test.lexicon) >= FEWEST:
        scores = [synonym_scores(vectors, n, test.lexicon) for vectors in runs]
        found = resampled(scores, lambda one, items: synonyms(one[items], test.sharing[items]))
        metrics["synonyms"], groups["synonyms"] = found
    if len(test.first) >= FEWEST:
        scores = [alignment_scores(vectors, test.first, test.second) for vectors in runs]
        metrics["sentences"], groups["sentences"] = resampled(scores, lambda one, items: directions(one[items]))
    return metrics, side_by_side(**groups)


def resampled(scores: list[NDArray], means: Callable[[NDArray, NDArray], dict[str, Any]]) -> Measured:
    """The means of item scores, one array a seed, and of drawn seeds and items."""
    items = np.arange(len(scores[0]))
    return mean_of_runs([means(one, items) for one in scores]), bootstrap(means, scores, len(items))


if __name__ == "__main__":
    run(main)

"""Measure one lexicon on one source of tests: `python -m stages.extrofitting.measure wordnet_all word_benchmarks`.

data/models/extrofitting, data/raw/<source> -> data/evaluation/extrofitting/lexicons/<lexicon>-<source>/: scores.json,
and replicates.parquet, the scores on resampled pairs; both by the name of the vectors.
"""

from repline.evaluation.evaluations import Evaluation
from repline.evaluation.word_vectors.suite import similarity_tests
from repline.systems.extrofitting.evaluation import measure, printed_neighbours
from repline.systems.extrofitting.settings import START, load
from repline.systems.extrofitting.training import read
from stages import run
from stages.argument import arguments
from stages.folders import EVALUATION, MODELS, RAW


def main() -> None:
    settings = load()
    lexicon, source = arguments({"a lexicon": settings.lexicons, "a source of tests": settings.benchmarks})
    tests, cues = similarity_tests(source, RAW), printed_neighbours("stages/extrofitting/published.yaml")
    models = MODELS / "extrofitting"
    parts = {}
    for vectors in settings.vectors:
        fitted = read(models / lexicon / vectors, models / START / vectors)
        parts[vectors] = measure(fitted, tests, settings, cues)
        print(f"{vectors}, {lexicon}: measured on {', '.join(tests)}", flush=True)
    Evaluation.side_by_side(parts).save(EVALUATION / "extrofitting" / "lexicons" / f"{lexicon}-{source}")


if __name__ == "__main__":
    run(main)

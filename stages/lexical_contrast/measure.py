"""Measure all configurations on one source of similarity tests: `python -m stages.lexical_contrast.measure SOURCE`.

data/models/lexical_contrast, data/raw/SOURCE -> data/evaluation/lexical_contrast/similarity/SOURCE/: scores.json, and
replicates.parquet, the scores on resampled pairs and runs.
"""

from repline.evaluation.word_vectors.suite import similarity_tests
from repline.systems.lexical_contrast.corpus import read_space
from repline.systems.lexical_contrast.evaluation import measure_similarity
from repline.systems.lexical_contrast.settings import load
from repline.training.run_folders import runs
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, EVALUATION, MODELS, RAW


def main() -> None:
    settings = load()
    source = argument("a source of tests", settings.benchmarks)
    models = {name: runs(MODELS / "lexical_contrast" / name) for name in settings.configurations}
    space = read_space(CORPORA / "lexical_contrast", settings)
    similarity = measure_similarity(models, space, settings, similarity_tests(source, RAW))
    similarity.save(EVALUATION / "lexical_contrast" / "similarity" / source)
    print(f"{source}: {', '.join(similarity.metrics)} of {len(models)} configurations")


if __name__ == "__main__":
    run(main)

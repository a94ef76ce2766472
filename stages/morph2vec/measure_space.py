"""Evaluate all models of one space: `python -m stages.morph2vec.measure_space english`.

data/corpora/morph2vec/english, data/models/morph2vec, files of tests -> data/evaluation/morph2vec/spaces/english
"""

from repline.systems.morph2vec.evaluation import evaluate
from repline.systems.morph2vec.settings import Tests, load
from repline.training.run import runs
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, EVALUATION, MODELS


def main() -> None:
    settings = load()
    name = argument("the name of a space", settings.spaces)
    models = {model: runs(MODELS / "morph2vec" / model) for model in settings.models_of(name)}
    tests = settings.tests.get(name, Tests())
    evaluation = evaluate(models, CORPORA / "morph2vec" / name, settings.spaces[name], tests, settings.ridge)
    evaluation.save(EVALUATION / "morph2vec" / "spaces" / name)


if __name__ == "__main__":
    run(main)

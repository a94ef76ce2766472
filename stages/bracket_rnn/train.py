"""Train one entry of `runs`, once per seed: `python -m stages.bracket_rnn.train linear`.

data/<corpus>, data/corpora/optional_constituents -> data/models/bracket_rnn/<run>/seed-<s>/ (config.json,
model.safetensors, training.json).
"""

from repline.systems.bracket_rnn.settings import load
from repline.systems.bracket_rnn.training import open_corpus, train
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    name = argument("the name of a run", settings.runs)
    recipe = settings.runs[name]
    text = open_corpus(DATA / settings.corpus, CORPORA / "optional_constituents", recipe)
    with trained_runs("bracket_rnn", name) as runs:
        for seed in settings.seeds:
            train(recipe, text, runs.run(seed))


if __name__ == "__main__":
    run(main)

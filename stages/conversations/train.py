"""Train one variant, once per seed: `python -m stages.conversations.train NAME`.

data/corpora/conversations, pairs of inference -> data/models/conversations/<variant>/seed-<s>
"""

from repline.systems.conversations.corpus import read_inference, read_turns
from repline.systems.conversations.settings import load
from repline.systems.conversations.training import Data, train
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA, VECTORS
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    variant = argument("the name of a variant", settings.variants)
    turns = read_turns({source: CORPORA / "conversations" / source for source in settings.sources})
    data = Data(turns, read_inference(DATA / settings.inference), VECTORS / settings.vectors)
    with trained_runs("conversations", variant) as runs:
        for seed in settings.seeds:
            train(settings.variants[variant], data, runs.run(seed))


if __name__ == "__main__":
    run(main)

"""Train one variant on the relation between two formulas: `python -m stages.rrnet.train_relations supervised`.

data/corpora/propositional_logic -> data/models/rrnet/relations-<variant>/seed-<s>/after-<n>/ for every number n of
epochs.
"""

from repline.systems.rrnet.settings import load
from repline.systems.rrnet.training import train_relations
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    variants = load().relations.variants
    variant = argument("a variant", variants)
    with trained_runs("rrnet", f"relations-{variant}") as runs:
        for seed in variants[variant].seeds:
            train_relations(variants[variant], CORPORA / "propositional_logic", runs.run(seed))


if __name__ == "__main__":
    run(main)

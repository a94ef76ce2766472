"""Train one variant on the values of expressions: `python -m stages.rrnet.train_expressions supervised`.

data/corpora/math_expressions -> data/models/rrnet/expressions-<variant>/seed-<s>/after-<n>/ for every number n of
epochs.
"""

from repline.systems.rrnet.settings import load
from repline.systems.rrnet.training import train_expressions
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    variants = load().expressions.variants
    variant = argument("a variant", variants)
    with trained_runs("rrnet", f"expressions-{variant}") as runs:
        for seed in variants[variant].seeds:
            train_expressions(variants[variant], CORPORA / "math_expressions", runs.run(seed))


if __name__ == "__main__":
    run(main)

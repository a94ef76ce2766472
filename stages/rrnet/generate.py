"""Make the data of one task: `python -m stages.rrnet.generate math_expressions`.

params.yaml:math_expressions -> data/corpora/math_expressions, params.yaml:propositional_logic -> data/corpora/...
"""

import sys

from repline import parameters
from repline.cards import read_card
from repline.errors import InputError
from repline.systems.rrnet import math_expressions, propositional_logic
from stages import run

GENERATORS = {
    "math_expressions": math_expressions.generate,
    "propositional_logic": propositional_logic.generate,
}


def main() -> None:
    if len(sys.argv) != 2 or sys.argv[1] not in GENERATORS:
        raise InputError(f"expected what to make, one of: {', '.join(GENERATORS)}")
    (name,) = sys.argv[1:]
    generate, folder = GENERATORS[name], f"data/corpora/{name}"
    generate(folder, **parameters.bind(generate, parameters.section(parameters.read(), name), name))
    counts = read_card(folder)["counts"]
    named = [key for key in sorted(counts) if key.startswith(("train_", "test_"))]
    sizes = [f"{counts[key]:,} {key.replace('_', ' ')}" for key in named]
    print(f"{folder}: {', '.join(sizes)}")


if __name__ == "__main__":
    run(main)

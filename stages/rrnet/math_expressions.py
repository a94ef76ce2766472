"""rrnet.corpora.math_expressions -> data/corpora/math_expressions: bracketed expressions with values of two digits."""

from repline.systems.rrnet import math_expressions
from stages import run
from stages.rrnet.generate import make


def main() -> None:
    make("math_expressions", math_expressions.generate)


if __name__ == "__main__":
    run(main)

"""Train one variant on the values of expressions: `python -m stages.rrnet.train_expressions supervised`."""

from repline.systems.rrnet.training import train_expressions
from stages import run
from stages.rrnet.train import train


def main() -> None:
    train("expressions", train_expressions)


if __name__ == "__main__":
    run(main)

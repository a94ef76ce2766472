"""Train one variant on the relations of formulas: `python -m stages.rrnet.train_relations supervised`."""

from repline.systems.rrnet.training import train_relations
from stages import run
from stages.rrnet.train import train


def main() -> None:
    train("relations", train_relations)


if __name__ == "__main__":
    run(main)

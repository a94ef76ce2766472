"""Train the linear peers on TF-IDF: `python -m stages.hcan.train_linear chapters`.

data/corpora/classification/<texts> -> data/models/hcan/linear/<corpus>/<peer>.npz
"""

from repline.systems.hcan.settings import load
from stages import run
from stages.linear_peers import train_peers


def main() -> None:
    train_peers("hcan", load())


if __name__ == "__main__":
    run(main)

"""Train the linear peers on TF-IDF: `python -m stages.complex_embedding.train_linear reviews`.

data/corpora/classification/<texts> -> data/models/complex_embedding/linear/<corpus>/<peer>.npz
"""

from repline.systems.complex_embedding.settings import load
from stages import run
from stages.linear_peers import train_peers


def main() -> None:
    train_peers("complex_embedding", load())


if __name__ == "__main__":
    run(main)

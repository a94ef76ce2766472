"""data/<source> -> data/corpora/<name>: hand features of pictures. `python -m stages.pictures.hand NAME`."""

from repline.corpora.pictures.picture_features import HAND
from stages import run
from stages.argument import argument
from stages.pictures.extraction import extract
from stages.pictures.settings import load


def main() -> None:
    features = load().hand
    name = argument("the name of hand features", features)
    extract(name, features[name], HAND)


if __name__ == "__main__":
    run(main)

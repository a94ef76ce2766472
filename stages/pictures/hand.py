"""data/<source> -> data/corpora/<name>: hand features of pictures. `python -m stages.pictures.hand NAME`."""

from repline.corpora.pictures.picture_features import HAND
from stages import run
from stages.argument import argument
from stages.pictures import settings
from stages.pictures.extraction import extract


def main() -> None:
    hand = settings.read().hand
    name = argument("the name of hand features", hand)
    extract(name, HAND, **hand[name])


if __name__ == "__main__":
    run(main)

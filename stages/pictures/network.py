"""data/<source>, weights -> data/corpora/<name>: features by a network. `python -m stages.pictures.network NAME`."""

from pathlib import Path

import torch

from repline.corpora.pictures.efficientnet_lite import SIZE, load
from repline.corpora.pictures.picture_features import Extractor
from stages import run, threads
from stages.argument import argument
from stages.pictures import settings
from stages.pictures.extraction import extract


def main() -> None:
    network = settings.read().network
    name = argument("the name of features by a network", network)
    torch.set_num_threads(threads())
    knobs = dict(network[name])
    weights = knobs.pop("weights")
    model = load(Path("data/models/pictures") / weights)
    extract(name, Extractor(weights, SIZE, model.features, tools=("torch",)), **knobs)


if __name__ == "__main__":
    run(main)

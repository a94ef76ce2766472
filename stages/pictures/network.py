"""data/<source>, weights -> data/corpora/<name>: features by a network. `python -m stages.pictures.network NAME`."""

import torch

from repline.corpora.pictures import efficientnet_lite
from repline.corpora.pictures.picture_features import Extractor
from stages import run, threads
from stages.argument import argument
from stages.folders import MODELS
from stages.pictures.extraction import extract
from stages.pictures.settings import load


def main() -> None:
    features = load().network
    name = argument("the name of features by a network", features)
    torch.set_num_threads(threads())
    weights = features[name].weights
    model = efficientnet_lite.load(MODELS / "pictures" / weights)
    extract(name, features[name], Extractor(weights, efficientnet_lite.SIZE, model.features, tools=("torch",)))


if __name__ == "__main__":
    run(main)

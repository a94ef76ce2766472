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
    folder = MODELS / "pictures" / weights
    model = efficientnet_lite.load(folder)
    file = folder / efficientnet_lite.WEIGHTS
    extractor = Extractor(weights, efficientnet_lite.SIZE, model.features, tools=("torch",), weights=file)
    extract(name, features[name], extractor)


if __name__ == "__main__":
    run(main)

"""Where this system's data, models and numbers are."""

from pathlib import Path

CORPORA = Path("data/corpora/supervised_unsupervised")
MODELS = Path("data/models/supervised_unsupervised")
TRANSFER = Path("data/evaluation/supervised_unsupervised/transfer")

"""Where this system's data and models are."""

from pathlib import Path

CORPORA = Path("data/corpora/rnn_cnn")
MODELS = Path("data/models/rnn_cnn")
SCORES = Path("data/evaluation/rnn_cnn/scores")

"""Where this system's data and models are."""

from pathlib import Path

CORPORA = Path("data/corpora/multilingual_seq2seq")  # corpora and tests by their names
MODELS = Path("data/models/multilingual_seq2seq")

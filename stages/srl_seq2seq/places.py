"""Where this system's data and models are."""

from pathlib import Path

CORPORA = Path("data/corpora/srl_seq2seq")
MODELS = Path("data/models/srl_seq2seq")

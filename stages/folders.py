"""Where data lies: corpora and vectors, models, evaluation; a system has a folder of its name in each."""

from pathlib import Path

DATA = Path("data")
CORPORA = DATA / "corpora"
VECTORS = DATA / "vectors"
MODELS = DATA / "models"
EVALUATION = DATA / "evaluation"

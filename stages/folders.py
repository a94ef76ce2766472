"""Where data lies; a system has a folder of its name among the corpora, models and evaluations."""

from pathlib import Path

DATA = Path("data")
CORPORA = DATA / "corpora"
VECTORS = DATA / "vectors"
MODELS = DATA / "models"
EVALUATION = DATA / "evaluation"
RAW = DATA / "raw"
LEXICONS = DATA / "lexicons"

"""repline: corpora, models and evaluation of published representation-learning systems."""

__version__ = "0.1.0"

"""Extrofitting: word vectors re-projected by linear discriminant analysis over a synonym lexicon. Read `model.py`."""

"""Concreteness and imageability of words, predicted from word vectors within and across languages.

Read `regressors.py` first (the models), then `folds.py` (prediction out of fold) and `alignment.py` (across languages).
"""

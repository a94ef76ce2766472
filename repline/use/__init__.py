"""Trained models that take raw input: what a saved folder says of itself, and what the kinds of models share.

Read `loading.py` first: `repline.load(folder)`. `folders.py` is what a training writes next to its weights, `inputs.py`
checks raw input, and each of `text_classifier.py`, `text_encoder.py`, `word_space.py` and `text_scorer.py` is a
kind of model with the methods of its field. What only one system does is in `repline/systems/<system>/use.py`.
"""

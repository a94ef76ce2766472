"""Extrofitting: word vectors re-projected by linear discriminant analysis over a synonym lexicon.

Read settings, corpus, model, training, evaluation; random_missing is the published measure.
"""

"""Lexical contrast: antonyms pushed apart in a space of word vectors.

Read settings, attract_repel, corpus, training, evaluation. counter_fitting is compared with; antonyms has the tests.
"""

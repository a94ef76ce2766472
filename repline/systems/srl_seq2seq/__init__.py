"""Semantic roles by rewriting. Read corpus, model, numbering, decoding, tagger, training, evaluation, settings."""

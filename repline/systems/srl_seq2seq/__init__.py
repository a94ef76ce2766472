"""Roles by rewriting: corpus, model, numbering, decoding, tagger, training; evaluation; settings, prediction."""

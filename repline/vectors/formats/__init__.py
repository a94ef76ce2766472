"""Readers of word vectors in every common format."""

"""Lexical contrast: antonyms pushed apart in a space of word vectors. Read `attract_repel.py` first."""

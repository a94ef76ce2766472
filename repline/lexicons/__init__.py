"""Semantic lexicons: wordnets, graphs of words, synonym and antonym pairs, neighbour lists."""

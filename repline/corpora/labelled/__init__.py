"""Texts with labels: documents (Reuters-21578, places of a wordnet, a corpus of either) and single sentences."""

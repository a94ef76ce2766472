"""Tests of word vectors: similarity, analogies, categories, synonyms, outliers, relations."""

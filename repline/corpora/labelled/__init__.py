"""Texts with labels: news, posts, reviews, turns of dialogues, chapters, definitions, sentences, own tables.

A reader for each source gives documents (`document`), `labelled_corpus` writes a corpus of them, and `split_corpus`
makes texts with one label each in three parts of it, for classifiers. `benchmarks` reads single sentences as they are
published for comparisons, `labelled_sentences` writes them.
"""

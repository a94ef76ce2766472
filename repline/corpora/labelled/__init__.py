"""Documents with labels: news, posts, reviews, turns of dialogues, chapters, definitions, tables of a user's own.

A reader for each source gives documents (`document`), `labelled_corpus` writes a corpus of them, and `split_corpus`
makes texts with one label each in three parts of it, for classifiers.
"""

"""CJ-Glo: word vectors of Chinese and Japanese in one space, from parallel sentences and the characters they share.

Read `settings.py`, `parallel_sentences.py` (words and sentences as numbers), `character_matching.py` (which words share
a character), `context_counts.py` (the counts), `corpus.py` (all these as files), `repline/vectors/glove.py` and
`cbow.py` (the two kinds of model), `aligned_fasttext.py` (the peer), `training.py`, then `rates.py`,
`mixed_analogies.py` and `evaluation.py`.
"""

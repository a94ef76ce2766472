"""CJ-Glo: word vectors of Chinese and Japanese in one space, from parallel sentences and the characters they share.

Read `corpus.py` (what is learned from), `character_matching.py` (which words share a character), `context_counts.py`
(the counts), `repline/vectors/glove.py` and `cbow.py` (the two kinds of model), `aligned_fasttext.py` (the peer), then
`evaluation.py` and `mixed_analogies.py`.
"""

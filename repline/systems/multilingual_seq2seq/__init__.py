"""One vector for a sentence in any of several languages (Yu, Li and Oguz 2018).

Read `model.py` first, then `settings.py`, `training.py`, `corpus.py` (what is learned from and tested on, as numbers),
`encoding.py`, `retrieval.py` and `documents.py` (the two tests), `aligned_words.py` (a baseline without a network),
`evaluation.py`.
"""

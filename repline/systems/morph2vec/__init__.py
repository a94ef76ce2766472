"""morph2vec: word vectors composed from the morphs of several candidate segmentations, mixed by attention.

Read `settings.py`, `model.py` (the network), `tries.py` (how states are shared), `corpus.py` (words and candidates),
`training.py`, `composition.py` (vectors of any words), `baselines.py`, then `evaluation.py` and what it measures:
`held_out.py`, `word_tests.py`, `gold_segments.py`, `allomorph_neighbours.py`.
"""

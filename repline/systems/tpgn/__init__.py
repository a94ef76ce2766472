"""TPGN: captions from a matrix of fillers bound to roles, and the vectors that unbind them.

Read `model.py` (TPGN and the LSTM that it is compared with), then `corpus.py`, `training.py` and `decoding.py`, then
`unbinding_vectors.py` (what the vectors know about parts of speech) and `evaluation.py`.
"""

"""Ways of writing names, and their effect on a network that labels documents.

Read `settings.py`, `corpus.py` (the documents in every way of writing names, their split and their labels),
`name_vectors.py` (GloVe on each way of writing), `model.py` (the network), `training.py`, `linear_classifier.py` (the
peer), then `evaluation.py`.
"""

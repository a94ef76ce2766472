"""uSIF: sentence vectors from word vectors and word counts alone.

Read `random_walk.py` (the weights), then `model.py` and `variants.py`; the supervised tasks are `probe_tasks.py`,
`probe.py`, `training.py`.
"""

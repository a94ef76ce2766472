"""uSIF: sentence vectors from word vectors and word counts alone.

Read `random_walk.py` (the weights), then `model.py`.
"""

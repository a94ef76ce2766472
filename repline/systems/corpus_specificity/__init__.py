"""LSA and word2vec on smaller and smaller corpora: does it help to leave out documents of other domains?

Read `document_removal.py` first (the experiment's idea), then `training.py` (its loops) and `evaluation.py`.
"""

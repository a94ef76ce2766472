"""LSA and word2vec on smaller and smaller corpora: does it help to leave out documents of other domains?

Read `settings.py` and `document_removal.py` first (the experiment's idea), then `corpus.py`, `word_tests.py` (what
vectors are scored on), `rarest_test_items.py`, `lsa_training.py` and `word2vec_training.py` (the loops), and
`evaluation.py`.
"""

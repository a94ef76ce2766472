"""A dependency parser that fills a gap in a sentence with the help of facts about the scene.

Read `spanning_tree.py`, `features.py`, `relations.py` (the context), `arc_scores.py`, `completion.py` (the search) and
`model.py`; `sparse_weights.py`, `mira.py` and `training.py` for how it learns; `settings.py`, `corpus.py`,
`completions.py`, `evaluation.py`, `gap_measures.py` and `author_outputs.py` for the experiment.
"""

"""Bracket-RNN: a language model that saves its state at an opening bracket and merges it in at the closing one.

Read `model.py` first, then `recurrence.py` (the layer) and `state_merge.py` (the merge at a closing bracket);
`corpus.py` makes the bracketed text, `training.py` trains, `likelihood.py` measures.
"""

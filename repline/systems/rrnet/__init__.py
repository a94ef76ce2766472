"""RRNet: an LSTM with a stack that splits, recurs or merges at every step.

Read `model.py` first, then `tasks.py` (expressions and formulas) and `language_model.py`; `recurrence.py` and
`schedule.py` are the fast path over a whole batch.
"""

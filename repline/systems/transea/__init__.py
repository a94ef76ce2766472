"""TransEA: entity vectors from links, as in TransE, and at the same time from numbers, by linear regressions.

Read `model.py` (the equations), `gradients.py` (the same as one compiled step), then `training.py`.
"""

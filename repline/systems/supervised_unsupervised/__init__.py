"""InferSent with a second loss that gives the words back.

Read `reconstruction.py` (the second loss), then `model.py`, `training.py`, `state_probe.py` and `transfer.py`.
"""

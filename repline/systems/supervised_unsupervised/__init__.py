"""InferSent with a second loss. Read reconstruction.py (the second loss), model.py, training.py, then evaluation.py."""

"""What an LSTM learns to count: it must recall the middle token of its input. Read `model.py`, then `corpus.py`."""

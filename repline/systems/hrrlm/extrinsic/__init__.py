"""Extrinsic tests of word vectors: `tasks.py` reads the tasks, `reader.py` learns them from fixed vectors."""

"""Characters encoded from their pixels (Broscheit, Gemulla & Keuper 2018).

Read in this order: encoders.py (pixels or a table), then a folder a task, with its data, model and training: glosses,
tagging, translation; and corpus.py, fitting.py, word_similarity.py, neighbours.py, settings.py.
"""

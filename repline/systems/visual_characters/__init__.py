"""Characters encoded from their pixels (Broscheit, Gemulla & Keuper 2018).

Read in this order: settings.py, corpus.py, encoders.py (pixels or a table), then a folder a task, with its data, model,
training and scores: glosses, tagging, translation; tuning.py, word_similarity.py, neighbours.py, evaluation.py; and for
raw text character_pictures.py and use.py.
"""

"""Characters encoded from their pixels (Broscheit, Gemulla & Keuper 2018).

Read in this order: encoders.py (pixels or a table), then for each task its data, model and training: glosses.py,
gloss_model.py, gloss_training.py; tagged_text.py, tagger.py, tagger_training.py; translation_pairs.py, translator.py,
translator_training.py; and corpus.py, word_similarity.py, neighbours.py, settings.py.
"""

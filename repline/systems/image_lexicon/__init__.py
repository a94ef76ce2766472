"""Words translated by their pictures: the word whose picture set looks most alike.

Read `settings.py`, `model.py` (how alike two sets are, and how much a set varies), `nearest_votes.py` (KNN),
`sense_clusters.py` (KNN on clusters of pictures), `image_words.py`, then `translation.py` (every word of a list
translated by every method) and `evaluation.py`; `picture_folder.py` and `use.py` translate one word at a time.
"""

"""Pictures of words: sets of pictures per word and language, and a vector of features for each picture.

Read `picture_files.py` (pictures from folders and zips, decoded with care), `emoji.py` and `made_sets.py` (two other
origins of sets), `hand_features.py` and `efficientnet_lite.py` (what a picture becomes), then `picture_features.py`.
"""

"""Words cut into morphs: candidates found without supervision, published segmentations, and how good either is.

A segmentation is a tuple of morphs whose letters are the word's. Read `candidates.py`, then `segmentation_files.py`.
"""

Segmentation = tuple[str, ...]

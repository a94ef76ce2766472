"""Documents with labels of several kinds: Reuters-21578, places of a wordnet, and a corpus of either."""

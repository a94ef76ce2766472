"""WordNet embeddings: word vectors from a lexical graph in closed form. Read `model.py` first."""

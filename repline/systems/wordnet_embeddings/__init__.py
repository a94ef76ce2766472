"""WordNet embeddings: word vectors from a lexical graph in closed form.

Read settings, model, training, evaluation. corpus has the lexicon and the tests, autoencoder another reduction.
"""

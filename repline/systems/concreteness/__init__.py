"""Concreteness and imageability of words, predicted from word vectors within and across languages. Read in this order:

settings                   the section `concreteness` of params.yaml
ratings, plain_pickle      ratings of words by people, in the published formats
taxonomy                   ratings of nouns by their place in WordNet, in place of ratings by people
artificial_language        a second language with ratings, in place of a real one
rated_words                words that have both ratings and a vector
regressors                 support vectors, ridge, feed-forward networks
training                   prediction out of fold, of a whole vocabulary; the training of the networks
transfer                   alignments, and ratings carried into a second language
saved_ratings, use         regressors with their vectors in a folder, and ratings of any word from it
coefficients               over how many dimensions a linear model spreads
rating_correlations, resampled_correlations, approximate_randomization    measures
evaluation                 all of them, side by side
"""

"""Classifiers of documents side by side: texts in three parts, peers, trainings, measures. Read in this order:

stratified_split, classified_texts   documents with one label each, in three parts
labelled_tsv                         the same from a table of a user's own
recipes                              sections of params.yaml: recipes, networks, linear peers, trainings
linear_peers, peer_networks          naive Bayes and logistic regression on TF-IDF; TextCNN, GRU, HAN
training                             the training of every network
classification_measures              accuracy, F1, calibration, by length, on resampled documents
scored_runs                          the same of trained networks and linear peers, side by side
"""

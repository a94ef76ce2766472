"""Classifiers of documents, compared on the same texts. Read in this order:

recipes                    sections of params.yaml: recipes, networks, linear peers, trainings
linear_peers, peer_networks    naive Bayes and logistic regression on TF-IDF; TextCNN, GRU, HAN
training                   the training of every network
classification_measures    accuracy, F1, calibration, by length, on resampled documents
scored_runs                these measures of trained networks and linear peers, side by side
"""

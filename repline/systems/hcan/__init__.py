"""Hierarchical convolutional attention networks (Gao, Ramanathan and Tourassi 2018). Read in this order:

settings         the section `hcan` of params.yaml: corpora, networks, trainings
model            one level, and the network of two levels or one
training         one training, of the network or a peer
evaluation       what all networks and linear classifiers reach on a corpus, epochs until learned
attention_page   documents with their words and sentences shaded by weight, as HTML
"""

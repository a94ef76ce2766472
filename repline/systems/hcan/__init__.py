"""Hierarchical convolutional attention networks (Gao, Ramanathan and Tourassi 2018). Read in this order:

model            one level, and the network of two levels or one
settings         the section `hcan` of params.yaml: corpora, networks, peers
evaluation       what all networks and linear classifiers reach on a corpus, epochs until learned
attention_page   documents with their words and sentences shaded by weight, as HTML
"""

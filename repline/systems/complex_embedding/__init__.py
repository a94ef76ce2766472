"""Complex-valued words and density matrices of sentences (Li, Uprety, Wang and Song 2018). Read in this order:

settings       the section `complex_embedding` of params.yaml: corpora, networks, trainings
density        words as states, sentences as density matrices, Born's rule: functions on complex tensors
model          CE-Mix and CE-Sup with their readouts, in pairs of real numbers; the real baseline
training       the loss over labels, and one training
cached_scores  one number for each word type classifies a text, for all networks that are sums over words
evaluation     scores of all classifiers on a corpus; exact properties (additivity, gauge), and the effect of phases
"""

"""Fine-grained name typing: all types of a name from its word vector alone, as a test of word vectors.

To read: `settings`, `corpus` (names, types and vectors together), `model` (classifiers), `training`,
`logistic_regression`, `evaluation` (measures, thresholds, baselines); `order_updates` and `order_aware` train SSKIP and
CWIN.

Source: Yaghoobzadeh, Kann & Schütze 2018, "Evaluating Word Embeddings in Multi-label Classification Using Fine-grained
Name Typing".
"""

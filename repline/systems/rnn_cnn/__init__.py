"""Sentence vectors from predicting the words that follow (Tang et al. 2018).

Read in this order: `model`, `decoders`, `corpus`, `ordered_text`, `training`, `vocabulary_expansion`, `encoder`,
`evaluation`, `settings`.
"""

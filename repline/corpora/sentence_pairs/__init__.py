"""Pairs of sentences with a label or a score: benchmarks, own tables, pairs made from WordNet, and a corpus of any.

Read `pair_tables` first, then `pair_corpus`.
"""

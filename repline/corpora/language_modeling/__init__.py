"""Corpora for language modelling: streams of numbered words, and the texts they are made of."""

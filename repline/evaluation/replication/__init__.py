"""Replicates of a measurement, for every kind of evaluation: other seeds and resampled test items.

`bootstrap` measures again on drawn items, `weighted_draws` does so for all draws at once where a measure is a mean or a
correlation, `intervals` says what the replicates agree on.
"""

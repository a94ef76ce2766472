"""Optimisers that torch lacks, and how a learning rate falls."""

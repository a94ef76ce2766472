"""Optimisers beside those of torch, and how a learning rate falls."""

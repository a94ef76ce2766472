"""Decoders that write one symbol after the other, and the search for the best outputs."""

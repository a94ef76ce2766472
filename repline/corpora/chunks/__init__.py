"""Flat phrases: found by rules in a parse, learned by a tagger, read from gold files."""

"""Wordnets: synsets in memory, their file formats, and subgraphs."""

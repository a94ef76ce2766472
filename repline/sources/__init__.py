"""Acquisition: locate a source in its places, fetch it, verify it, and put it into data/raw."""

"""Caches that do not outlive the code that made what they keep: compiled loops, and digests that name kept results."""

"""Single sentences with a class, and pairs of sentences with a score."""

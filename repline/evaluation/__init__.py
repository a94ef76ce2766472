"""Measures, intervals and claims: from predictions to numbers, and from numbers to verdicts."""

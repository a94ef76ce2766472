"""Metrics and plots of two revisions, or of a run and a reference, compared with tolerances."""

"""Readers: one for each place that labelled texts come from, packages, public files, tables of a user's own."""

"""Readers and builders of corpora: Parquet folders, each with a card."""

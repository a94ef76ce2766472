"""Segmentation and tagging in one: a label for each character."""

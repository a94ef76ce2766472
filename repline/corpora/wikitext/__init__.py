"""Wikitext, the markup of MediaWiki: to clean text in sections and paragraphs."""

from repline.corpora.wikitext.cleaning import clean

__all__ = ["clean"]

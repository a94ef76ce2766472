"""Wikitext, the markup of MediaWiki: to clean text in sections and paragraphs."""

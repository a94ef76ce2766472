"""Clean wikitext, the markup of MediaWiki, into sections and paragraphs of text."""

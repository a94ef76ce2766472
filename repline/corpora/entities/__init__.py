"""Named entities: gazetteers, spaCy's recogniser with rules over it, corpora with entities, and names rewritten."""

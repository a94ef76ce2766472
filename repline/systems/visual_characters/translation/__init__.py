"""Translation from characters into words, with attention."""

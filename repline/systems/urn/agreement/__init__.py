"""Subject-verb number agreement as a corpus: parsed, marked or made sentences to words and labels."""

"""Subject-verb number agreement as a corpus: parsed, marked or synthetic sentences to words and labels."""

"""The dictionary task: from the characters of a word to its English glosses."""

"""The first words of every vocabulary: padding, an unknown word, the end of a sentence, and the tokens of languages."""

PAD, UNKNOWN, END = range(3)


def language_token(language: str) -> str:
    """The word that tells the decoder the language; its number is behind those of the other symbols."""
    return f"<{language}>"

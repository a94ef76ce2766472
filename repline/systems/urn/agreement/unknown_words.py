"""Placeholders of words too rare for the vocabulary: their part of speech, or a class by their form."""

PADDING = "<pad>"
UNKNOWN = "<unk>"
SUFFIX_CLASSES = ("<unk-digit>", "<unk-ed>", "<unk-ing>", "<unk-s>")


def unknown_word(word: str, tag: str | None) -> str:
    """The placeholder of a rare word: `<TAG>`, or without a tag a class by the word's form.

    Args:
        word: in lower case.
        tag: its part-of-speech tag, or None.
    """
    if tag is not None:
        return f"<{tag}>"
    if any(character.isdigit() for character in word):
        return "<unk-digit>"
    for suffix in ("ing", "ed", "s"):
        if word.endswith(suffix):
            return f"<unk-{suffix}>"
    return UNKNOWN


def tag_of_form(word: str) -> str:
    """The Penn Treebank tag that an untagged word most likely has, by its form and case.

    For raw text in a vocabulary whose rare words are tags: CD, NNP, VBG, VBD, NNS, or NN.

    Args:
        word: in its case; the first one of a sentence in lower case, as its capital says nothing.
    """
    if any(character.isdigit() for character in word):
        return "CD"
    if word[:1].isupper():
        return "NNP"
    endings = {"ing": "VBG", "ed": "VBD", "s": "NNS"}
    return next((tag for ending, tag in endings.items() if word.endswith(ending)), "NN")

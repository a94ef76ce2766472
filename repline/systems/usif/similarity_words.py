"""The words of a sentence as sentence-similarity programs compare them."""

from repline.segmentation import treebank


def similarity_words(sentence: str) -> list[str]:
    """Lower-case words without punctuation: `It's a well-known "fact", isn't it?` -> it s a well known fact is not it

    Treebank words; those without a letter or digit are dropped; marks fall off both ends, `n't` becomes `not`, and
    hyphens split. The paper says "limited to tokenization"; its numbers come from a program that does all this.

    Source: the program published with Ethayarajh 2018 (https://github.com/kawine/usif); section 4.2 of the paper.
    """
    compared = []
    for word in treebank.words(sentence):
        if any(map(str.isalnum, word)):
            word = word.lower().strip("';.:()").strip('"')
            compared += [part for part in ("not" if word in ("n't", "n’t") else word).split("-") if part]
    return compared

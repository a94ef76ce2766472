"""The letters of a language: lower case, and the ASCII spelling of Turkish in Morpho Challenge."""

_FROM_ASCII = str.maketrans("CGIOSU", "çğıöşü")


def lower_case(text: str, language: str) -> str:
    """`text` in lower case; in Turkish and Azerbaijani the capital of ı is I, that of i is İ.

    >>> lower_case("IŞIK İZİ", "tr"), lower_case("IS", "en")
    ('ışık izi', 'is')
    """
    if language.lower().replace("_", "-").partition("-")[0] in ("tr", "az"):
        text = text.replace("I", "ı").replace("İ", "i")
    return text.lower()


def from_ascii(text: str) -> str:
    """Turkish words of Morpho Challenge in Turkish letters: C, G, I, O, S, U stand for ç, ğ, ı, ö, ş, ü.

    >>> from_ascii("CIkarsanIz")
    'çıkarsanız'

    Source: Morpho Challenge 2010, http://morpho.aalto.fi/events/morphochallenge2010/datasets.shtml
    """
    return text.translate(_FROM_ASCII)

"""Words with capitals, as German nouns and names, matched with the words of a lexicon."""

from collections.abc import Container, Sequence


def without_case(word: str) -> str:
    """A word in a form that does not depend on capitals: case-folded, and ß stays ß.

    >>> without_case("MAẞE"), without_case("Masse"), without_case("ΛΌΓΟΣ") == without_case("λόγος")
    ('maße', 'masse', True)
    """
    return "ß".join(part.casefold() for part in word.replace("ẞ", "ß").split("ß"))


def as_listed(words: Sequence[str], listed: Container[str]) -> list[str]:
    """Each word as a lexicon lists it: as it is written, else in lower case; one that is not listed stays as it is.

    Different words stay different: of the words that have one lower-case form, the first takes it.

    Args:
        words: different ones.
        listed: the words of the lexicon.
    """
    taken, forms = set(words), []
    for word in words:
        form = word.lower()
        if word not in listed and form in listed and form not in taken:
            taken.add(form)
            forms.append(form)
        else:
            forms.append(word)
    return forms

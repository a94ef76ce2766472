"""English words after the conventions of the Penn Treebank: punctuation and contractions are words of their own."""

import re

# each pattern is surrounded by blanks, in this order
_APART = [
    re.compile(pattern)
    for pattern in (
        r"(\.{2,}|--+|``|'')",
        r"([\"“”„«»;@#$%&?!…(){}<>\[\]¿¡؟۔،؛।॥])",
        r"([,:])(?!\d)",  # 1,000 and 10:30 stay whole
        r"(?<!\.)(\.)(?=[\s\"”')\]}>]*$)",  # the full stop of the sentence; those of abbreviations stay
        r"(?<!\S)(['‘`])(?=\w)(?!(?i:s|m|d|ll|re|ve|t|tis|twas)\b)",  # an opening quote, not the rest of a contraction
        r"((?i:n['’]t))(?!\w)",
        r"(?<=\w)(['’](?i:s|m|d|ll|re|ve)?)(?!\w)",
    )
]
_MERGED = re.compile(
    r"\b(can)(not)\b|\b(gon|wan)(na)\b|\b(got)(ta)\b|\b(gim|lem)(me)\b|(['’]t)(is|was)\b", re.IGNORECASE
)


def words(sentence: str) -> list[str]:
    """Split one sentence into words and marks: `They don't; it's 1,000.` -> They do n't ; it 's 1,000 .

    Text that is split already stays as it is, except for the marks that are split here and were not there.
    """
    for pattern in _APART:
        sentence = pattern.sub(r" \1 ", sentence)
    sentence = _MERGED.sub(lambda match: " ".join(part for part in match.groups() if part), sentence)
    return sentence.split()

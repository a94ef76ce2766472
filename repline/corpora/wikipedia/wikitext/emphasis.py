"""Bold and italic text of wikitext: which quotes are marks of it, and which are apostrophes."""

import re

_QUOTES = re.compile(r"'{2,}")


def without_emphasis(line: str) -> str:
    """Drop the quotes of '''bold''' and ''italic'', and keep those that are apostrophes, as in "l'''amico''".

    The rules are the wiki's own: runs of 4 and of more than 5 begin with literal apostrophes, and when bold and italic
    are both unbalanced, one run of three is an apostrophe and an italic mark.

    Source: https://www.mediawiki.org/wiki/Markup_spec/BNF/Inline_text
    """
    if "''''" not in line:
        bolds = line.count("'''")
        if not (bolds % 2 and (line.count("''") - bolds) % 2):
            return line.replace("'''", "").replace("''", "")
    runs = [(match.start(), match.end()) for match in _QUOTES.finditer(line)]
    sizes = [5 if end - start >= 5 else min(end - start, 3) for start, end in runs]
    bold, italic = sum(size in (3, 5) for size in sizes), sum(size in (2, 5) for size in sizes)
    literal = -1
    if bold % 2 and italic % 2:
        literal = _apostrophe(line, [run[0] for run, size in zip(runs, sizes, strict=True) if size == 3])
    pieces: list[str] = []
    copied_to = 0
    for (start, end), size in zip(runs, sizes, strict=True):
        pieces.append(line[copied_to:start])
        pieces.append("'" * (end - start - size + (start == literal)))
        copied_to = end
    pieces.append(line[copied_to:])
    return "".join(pieces)


def _apostrophe(line: str, starts: list[int]) -> int:
    """Which run of three follows a one-letter word, else a longer word, else a space; -1 if there is none."""
    after_word = after_space = -1
    for start in starts:
        last, second = line[start - 1 : start], line[max(start - 2, 0) : max(start - 1, 0)]
        if last == " " or not last:
            after_space = start if after_space < 0 else after_space
        elif second == " " or start == 1:
            return start
        elif after_word < 0:
            after_word = start
    return after_word if after_word >= 0 else after_space

"""Spans of a type as IOB2 tags say them: `B-NP`, `I-NP`, `O`."""

from collections.abc import Sequence

Span = tuple[str, int, int]  # type, first token, the token after the last


def spans(tags: Sequence[str]) -> list[Span]:
    """The spans of IOB2 tags (`B-NP`, `I-NP`, `O`), in order; an I without its B begins a span, as in conlleval."""
    spans_so_far: list[Span] = []
    start, kind = 0, ""
    for position, tag in enumerate([*tags, "O"]):
        part, _, new = tag.partition("-")
        if kind and (part != "I" or new != kind):
            spans_so_far.append((kind, start, position))
            kind = ""
        if part in ("B", "I") and not kind:
            start, kind = position, new
    return spans_so_far

"""What a claim asks of a headline, where that is not just more than nothing: "at least 1%"."""

import re

from repline.report.result_records import SystemResults

CONSTANT = re.compile(r"(>=?|<=?) (-?\d+(?:\.\d+)?(?:e-?\d+)?)")
WORDS = {">=": "at least", ">": "more than", "<=": "at most", "<": "less than"}


def asked(expected: str, shown: str) -> str:
    """The constant that a claim compares with, in words; "" for zero, and where the claim compares with a formula.

    >>> asked(">= 0.01", "0.1%"), asked("> 0", "0.1%")
    ('at least 1%', '')

    Args:
        expected: of the claim, such as ">= 0.1".
        shown: the headline's value as it is written, which says whether it is in percent.
    """
    constant = CONSTANT.fullmatch(expected)
    if constant is None or float(constant[2]) == 0:
        return ""
    number = f"{float(constant[2]) * 100:.6g}%" if shown.endswith("%") else f"{float(constant[2]):.6g}"
    return f"{WORDS[constant[1]]} {number}"


def asked_of_headline(system: SystemResults) -> str:
    """What the claim of a system's headline asks for, see `asked`; "" where the headline names none of its claims."""
    claim = system["claims"].get(system["headline"].get("claim", ""))
    return asked(claim["expected"], system["headline"]["shown"]) if claim else ""

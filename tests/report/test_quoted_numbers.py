"""Numbers in the prose of pages are generated from results."""

import re
from pathlib import Path

import pytest

from repline import parameters
from repline.errors import InputError
from repline.report import quoted_numbers, reference

REFERENCES = {
    "small": {
        "systems": {
            "toy": {
                "claims": {"better": {"measured": 0.51234, "interval": [-0.25, 0.125]}},
                "headline": {"value": 3.5},
                "numbers": [
                    {"table": "t", "row": ["Caption", "news", "cnn"], "published": 80.0, "measured": 78.5},
                    {"table": "t", "row": ["Caption", "news", "rnn"], "published": 70.0, "measured": 71.0},
                    {"table": "t", "row": ["Caption", "news", "a wide cnn"], "published": 75.0, "measured": 76.0},
                ],
                "quoted": {"news/accuracy/1": 0.75},
            }
        }
    }
}
SOURCES = quoted_numbers.sources(
    "toy", REFERENCES, {"toy": {"rate": 0.01}}, {"news": {"accuracy": {"0": 0.5}, "words": 7}}
)


@pytest.mark.parametrize(
    ("placeholder", "shown"),
    [
        ("small:claims/better/measured .2f", "0.51"),
        ("100*small:claims/better/measured .1f", "51.2"),
        ("small:claims/better/interval/0 +.2f", "−0.25"),
        ("-100* small:claims/better/interval/0 .1f", "25.0"),
        ("-1*small:claims/better/interval/0 .2f", "0.25"),
        ("small:headline/value .1f", "3.5"),
        ("small:rows/t/news/cnn/measured .1f", "78.5"),
        ("small:rows/t/news/rnn/published .0f", "70"),
        ("small:rows/t/news/a%20wide%20cnn/measured .1f", "76.0"),
        ("small:metrics/news/words d", "7"),
        ("small:metrics/news/accuracy/0 .1%", "50.0%"),
        ("small:metrics/news/accuracy/1 .1%", "75.0%"),
        ("params:toy/rate g", "0.01"),
    ],
)
def test_fill(placeholder, shown):
    text = f"before <!--= {placeholder} -->\nold<!--/--> after"
    assert quoted_numbers.fill(text, SOURCES) == f"before <!--= {placeholder} -->{shown}<!--/--> after"


@pytest.mark.parametrize(
    ("placeholder", "message"),
    [
        ("small:claims/beter/measured .2f", "page.md: .*there is no 'beter'; did you mean 'better'"),
        ("real:claims/better/measured .2f", "there are no results of 'real'"),
        ("small:claims/better .2f", "expected a number, found"),
        ("small:headline/value .2q", "page.md: small:headline/value .2q"),
    ],
)
def test_errors_name_the_page_and_the_placeholder(placeholder, message):
    with pytest.raises(InputError, match=message):
        quoted_numbers.fill(f"<!--= {placeholder} -->1<!--/-->", SOURCES, "page.md")


def test_placeholder_without_end():
    with pytest.raises(InputError, match="expected placeholders such as"):
        quoted_numbers.fill("<!--= small:headline/value .2f -->1.0", SOURCES)


def test_results_win_over_the_metrics_of_this_checkout():
    metrics = {"news": {"accuracy": {"1": 0.25}}}
    sources = quoted_numbers.sources("toy", REFERENCES, {}, metrics)
    text = "<!--= small:metrics/news/accuracy/1 .2f -->?<!--/-->"
    assert ">0.75<" in quoted_numbers.fill(text, sources)
    assert metrics == {"news": {"accuracy": {"1": 0.25}}}


def test_quoted_metrics_are_those_that_the_page_names():
    addresses = quoted_numbers.addresses(
        "<!--= small:metrics/a/b .2f -->1<!--/--> <!--= real:metrics/a/c .2f -->1<!--/--> <!--= params:x d -->1<!--/-->"
    )
    assert addresses == ["small:metrics/a/b", "real:metrics/a/c", "params:x"]
    assert quoted_numbers.quoted(addresses, "small", {"a": {"b": 2.0}}) == {"a/b": 2.0}


def conclusions(page):
    text = page.read_text(encoding="utf-8")
    return "".join(re.findall(r"^## What to conclude\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))


of_every_page = pytest.mark.parametrize(
    "page", sorted(Path("stages").glob("*/README.md")), ids=lambda page: page.parent.name
)


@of_every_page
def test_conclusions_hold_no_typed_decimal(page):
    typed = quoted_numbers.without_placeholders(conclusions(page))
    assert re.findall(r"\b\d*\.\d+", re.sub(r"`[^`]*`", "", typed)) == []


@of_every_page
def test_a_distance_in_conclusions_has_no_sign(page):
    signed = r"[−+][\d.]+<!--/-->\s+(?:points?\s+)?(?:from|below|above|beside|apart|lower|higher)\b"
    assert re.findall(signed, conclusions(page)) == []


@of_every_page
def test_conclusions_say_of_a_quoted_claim_that_it_is_not_judged_in_a_profile(page):
    references = reference.read()
    for paragraph in re.split(r"\n(?=\* )|\n\n", conclusions(page)):
        for address in quoted_numbers.addresses(paragraph):
            profile, kind, *rest = re.split("[:/]", address)
            if kind == "claims" and profile in references:
                claim = references[profile]["systems"][page.parent.name]["claims"][rest[0]]
                assert claim["verdict"] != "not run" or "not judged" in " ".join(paragraph.split()), address


def test_all_quoted_metrics_are_in_the_reference_results():
    references = reference.read()
    for page in sorted(Path("stages").glob("*/README.md")):
        name = page.parent.name
        sources = quoted_numbers.sources(name, references, parameters.read())
        quoted_numbers.fill(page.read_text(encoding="utf-8"), sources, str(page))

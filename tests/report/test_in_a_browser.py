"""The page as a reader uses it; skipped where no Chromium is installed."""

import copy
import json

import pytest

from repline.report import page, reference
from repline.report.content import describe
from tests.report import browser as chromium
from tests.report.toy_system import PARAMETERS, as_reference, write_system

pytestmark = pytest.mark.skipif(chromium.installed() is None, reason="no Chromium on this machine")
SHOWN = "[...document.querySelectorAll('{}')].filter((one) => one.checkVisibility()).map((one) => one.{})"
LONG_NAMES = ["word vectors of other texts, aligned on identical words", "the same, aligned on names", "short"]
BARS = [
    {"type": "bar", "orientation": "h", "y": LONG_NAMES, "x": [1, 2, 3], "name": f"series {number}"}
    for number in range(12)
]
TABLE = {"type": "table", "header": {"values": ["word"]}, "cells": {"values": [["cat", "dog"]]}}
SYSTEMS = SHOWN.format("[data-system]", "id")
TILES = SHOWN.format(".gallery > li", "dataset.name")
SET = (
    "(() => {{ const part = document.getElementById('{}'); part.value = '{}'; part.dispatchEvent(new Event('{}')) }})()"
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    opened = chromium.Browser(tmp_path_factory.mktemp("chromium"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A page of three systems: alpha holds and fails, beta is undecided here and holds under `real`, gamma waits."""
    root = tmp_path_factory.mktemp("page")
    for name in ("alpha", "beta"):
        write_system(root, name, title=f"System {name}")
    figures = [
        {"id": name, "title": f"Some {name}", "caption": "", "figure": {"data": data, "layout": {}}}
        for name, data in (("bars", BARS), ("table", [TABLE]))
    ]
    (root / "data/evaluation/beta/figures.json").write_text(json.dumps(figures))
    write_system(root, "gamma", evaluated=False, title="System gamma")
    report = describe(["alpha", "beta", "gamma"], PARAMETERS, root / "stages", root / "data")
    real = as_reference(reference.collect(copy.deepcopy(report)), "real")
    for claim in report["systems"][1]["claims"][:2]:
        claim["verdict"] = "undecided"
    page.write_page(root, report, references={"real": real})
    return root / "index.html"


@pytest.fixture
def opened(browser, path):
    browser.problems.clear()
    browser.window(1280, 900)
    browser.open(path)
    browser.until("document.documentElement.classList.contains('js')")
    yield browser
    assert browser.problems == []


def choose(browser, name, value):
    browser.run(SET.format(name, value, "input" if name == "filter-system" else "change"))


def test_systems_are_found_by_name(opened):
    assert opened.run(SYSTEMS) == ["alpha", "beta", "gamma"]
    choose(opened, "filter-system", "BETA")
    assert opened.run(SYSTEMS) == opened.run(TILES) == ["beta"]
    assert opened.run("document.getElementById('found').textContent").startswith("1 of 3 systems")


def test_a_verdict_shows_its_claims_and_opens_their_systems(opened):
    choose(opened, "filter-verdict", "fails")
    claims = SHOWN.format("[data-claim]", "id")
    assert opened.run(claims) == ["alpha-claim-low-loss"]  # by the profile of the page
    assert opened.run(SHOWN.format("#alpha [data-profile=real]", "tagName")) != []
    choose(opened, "filter-profile", "real")
    assert opened.run(claims) == ["alpha-claim-low-loss", "beta-claim-low-loss"]
    choose(opened, "filter-profile", "small")
    assert opened.run(SHOWN.format("[data-profile=real]", "tagName")) == []
    choose(opened, "filter-verdict", "")
    assert opened.run(SYSTEMS) == ["alpha", "beta", "gamma"]


def test_systems_are_sorted(opened):
    choose(opened, "sort", "undecided")
    assert opened.run(SYSTEMS) == opened.run(TILES) == ["beta", "alpha", "gamma"]
    choose(opened, "sort", "")
    assert opened.run(SYSTEMS) == ["alpha", "beta", "gamma"]


def test_a_link_to_a_claim_opens_its_system(opened, path):
    folds = "[...document.querySelectorAll('.fold')].map((part) => part.open)"
    assert opened.run(folds) == [False, False, False]
    opened.run("location.hash = '#beta-claim-low-loss'")
    opened.until("document.getElementById('beta-claim-low-loss').checkVisibility()")
    assert opened.run(folds) == [False, True, False]
    choose(opened, "filter-system", "alpha")
    opened.run("location.hash = '#gamma'")  # a filter hides it
    opened.until("document.querySelector('#gamma .fold').open && document.getElementById('gamma').checkVisibility()")


def test_a_chart_is_drawn_when_its_system_opens(opened):
    assert opened.run("document.querySelectorAll('[data-system] .main-svg').length") == 0
    opened.run("document.querySelector('#alpha .fold').open = true")
    opened.run("document.querySelector('#alpha .plot').scrollIntoView()")
    opened.until("document.querySelector('#alpha .plot .main-svg') !== null")
    assert opened.run("document.querySelectorAll('#beta .main-svg').length") == 0


@pytest.mark.parametrize("dark", [False, True])
def test_words_stand_out_from_what_is_behind_them(opened, dark):
    opened.window(1280, 900, dark)
    contrast = """(() => {
        const light = (colour) => {
            const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((one) => one / 255)
                .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const pair = (part) => {
            const { color, backgroundColor } = getComputedStyle(part);
            const [low, high] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
            return (high + 0.05) / (low + 0.05);
        };
        return ["body", ".pill.holds", ".pill.fails", ".pill.undecided", ".pill.not-run"]
            .map((name) => pair(document.querySelector(name)));
    })()"""
    assert min(opened.run(contrast)) >= 4.5
    page_colour = opened.run("getComputedStyle(document.body).backgroundColor")
    assert (page_colour == "rgb(20, 24, 28)") is dark


def test_on_a_phone_nothing_is_wider_than_it_and_the_contents_open_and_close(opened, path):
    opened.window(390, 844)
    opened.open(path, "#alpha")
    opened.until("document.querySelector('#alpha .fold').open")
    assert opened.run("document.documentElement.scrollWidth") <= 390
    contents = "document.querySelector('.contents details').open"
    assert opened.run(contents) is False
    opened.until("document.querySelector('.contents').getBoundingClientRect().top === 0")  # also far down the page
    opened.run("document.querySelector('.contents summary').click()")
    assert opened.run(contents) is True
    opened.run("document.querySelector('.contents a[href=\"#beta\"]').click()")
    opened.until(f"!{contents} && document.querySelector('#beta .fold').open")


def test_the_overview_has_every_system_with_a_row_for_each_profile(opened):
    rows = SHOWN.format(".by-system li li", "innerText")
    shown = [" ".join(row.split()) for row in opened.run(rows)]
    assert [row.split()[0] for row in shown] == ["small", "real", "small", "real", "not"]
    assert shown[-1] == "not measured"
    choose(opened, "filter-profile", "real")
    assert {" ".join(row.split()).split()[0] for row in opened.run(rows)} == {"real", "not"}
    choose(opened, "filter-profile", "")
    choose(opened, "filter-system", "beta")
    assert [row.split()[0] for row in opened.run(rows)] == ["small", "real"]


def test_on_a_phone_long_numbers_of_a_claim_wrap(opened, path):
    """The numbers of a claim stand below each other where they do not fit side by side."""
    opened.window(390, 844)
    opened.open(path, "#alpha")
    opened.until("document.querySelector('#alpha .fold').open")
    opened.run("""document.querySelectorAll('#alpha dd').forEach((part) => {
        part.innerHTML = '<span class="between">−0.0003499 to 0.00029071</span>';
    })""")
    assert opened.run("document.documentElement.scrollWidth") <= 390


def test_without_scripts_all_can_be_read(browser, path):
    browser.window(1280, 900)
    browser.open(path, scripts=False)
    assert browser.run(SYSTEMS) == ["alpha", "beta", "gamma"]
    assert browser.run("document.querySelector('.filters').checkVisibility()") is False
    browser.run("document.querySelector('#alpha summary').click()")  # a browser folds by itself
    browser.until("document.getElementById('alpha-claim-rises').checkVisibility()")
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)


def test_a_figure_is_saved_as_a_table_of_commas(opened):
    opened.run("document.querySelector('#alpha .fold').open = true")
    # what the link that saves the file points to, instead of the file
    opened.run("""(() => {
        window.saved = null;
        URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return '#'; };
        HTMLAnchorElement.prototype.click = () => {};
        document.querySelector('#alpha [data-save=csv]').click();
    })()""")
    opened.until("window.saved !== null")
    lines = opened.run("window.saved").splitlines()
    assert lines[0] == '"series","x","y","z"'
    assert [line.split(",")[1:] for line in lines[1:]] == [['"0"', '"1"', '""'], ['"1"', '"2"', '""']]


def test_claims_that_are_not_judged_are_folded_until_a_filter_asks_for_them(opened):
    opened.run("document.querySelector('#alpha .fold').open = true")
    at_scale = "document.getElementById('alpha-claim-at-scale').checkVisibility()"
    assert opened.run(at_scale) is False
    choose(opened, "filter-verdict", "not-run")
    assert opened.run(at_scale) is True


def test_on_a_phone_a_chart_has_room_for_its_legend_and_its_names(opened, path):
    opened.window(390, 844)
    opened.open(path, "#beta")
    chart = "document.querySelector('[data-figure=beta-bars]')"
    opened.run(f"{chart}.scrollIntoView()")
    opened.until(f"{chart}.querySelectorAll('.ytick text').length === {len(LONG_NAMES)}")
    assert opened.run(f"{chart}.querySelectorAll('.legendtext').length") == len(BARS)
    assert opened.run(f"Number({chart}.querySelector('.legend .scrollbar').getAttribute('height'))") == 0
    left = "getBoundingClientRect().left"
    names = f"[...{chart}.querySelectorAll('.ytick text')].map((name) => name.{left})"
    assert opened.run(f"Math.min(...{names}) >= {chart}.{left}")


def test_a_table_in_the_dark_has_the_colours_of_the_page(opened, path):
    opened.window(1280, 900, dark=True)
    opened.open(path, "#beta")
    table = "document.querySelector('[data-figure=beta-table]')"
    opened.run(f"{table}.scrollIntoView()")
    opened.until(f"{table}.querySelector('.cell-rect') !== null")
    fill = opened.run(f"getComputedStyle({table}.querySelector('.cell-rect')).fill")
    ink = opened.run(f"getComputedStyle({table}.querySelector('.cell-text')).fill")
    assert (fill, ink) == ("rgb(27, 32, 38)", "rgb(228, 231, 234)")

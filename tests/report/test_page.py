import base64
import copy
import gzip
import hashlib
import itertools
import json
import re
from html.parser import HTMLParser

import pytest

from repline.report import page, reference
from repline.report.content import describe
from repline.report.run_records import read_runs
from tests.report.toy_system import HOSTILE, PARAMETERS, RUNS, as_reference, write_system

VOID = {"meta", "link", "img", "br", "hr", "input"}
LOADING = {"src", "srcset", "poster", "data", "action", "background", "ping", "manifest"}


class Page(HTMLParser):
    """The page's elements as (tag, attributes), its text outside scripts, and its scripts; tags must nest."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.text, self.scripts = [], [], "", []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif not self.open or self.open[-1] != "style":
            self.text += data

    def ids(self):
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]


def unpacked(parsed, name):
    """The text of one of the page's packed parts."""
    kinds = [attributes for tag, attributes in parsed.elements if tag == "script"]
    script = next(text for text, kind in zip(parsed.scripts, kinds, strict=True) if kind.get("id") == name)
    return gzip.decompress(base64.b64decode(script)).decode()


@pytest.fixture(scope="module")
def described(read_only_project):
    """The report of the project; a test that changes it takes the copy `report`."""
    return describe(["toy", "waiting"], PARAMETERS, read_only_project / "stages", read_only_project / "data")


@pytest.fixture
def report(described):
    return copy.deepcopy(described)


@pytest.fixture(scope="module")
def html(read_only_project, described):
    return page.render(described, read_runs(read_only_project / "data/scratch/runs"))


@pytest.fixture(scope="module")
def parsed(html):
    return Page(html)


def test_is_one_whole_document(html, parsed):
    assert html.startswith("<!doctype html>")
    assert dict(parsed.elements)["html"] == {"lang": "en"}
    assert [tag for tag, _ in parsed.elements].count("h1") == 1
    assert len(parsed.ids()) == len(set(parsed.ids()))


def test_links_within_the_page_arrive(parsed):
    targets = [attributes["href"] for tag, attributes in parsed.elements if tag == "a"]
    inside = [target[1:] for target in targets if target.startswith("#")]
    assert inside
    assert set(inside) <= set(parsed.ids())


def test_headings_go_down_one_level_at_a_time(parsed):
    levels = [int(tag[1]) for tag, _ in parsed.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1 and {2, 3, 4} <= set(levels)
    assert [pair for pair in itertools.pairwise(levels) if pair[1] > pair[0] + 1] == []


def test_a_section_has_a_name_of_its_own(html, parsed):
    ids = {attributes["id"]: tag for tag, attributes in parsed.elements if "id" in attributes}
    names = [attributes["aria-label"] for _, attributes in parsed.elements if attributes.get("role") == "region"]
    titles = [attributes["aria-labelledby"] for _, attributes in parsed.elements if "aria-labelledby" in attributes]
    assert all(title in ids for title in titles)
    sections = [re.search(rf'id="{title}">(.*?)<', html)[1] for title in titles]
    assert len(sections) > 5 and len(set(sections)) == len(sections)
    assert not set(sections) & set(names)


def test_loads_nothing(html, parsed):
    for tag, attributes in parsed.elements:
        assert not LOADING & set(attributes), (tag, attributes)
        if tag == "link":
            assert attributes["href"].startswith("data:")
        assert tag not in {"img", "iframe", "object", "embed", "base", "form"}
    assert "@import" not in html.split("</style>")[0]
    assert "url(" not in html.split("</style>")[0]


def test_policy_allows_exactly_its_own_scripts(parsed):
    policy = next(a["content"] for tag, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")
    scripts = [
        script
        for script, (_, attributes) in zip(
            parsed.scripts, [element for element in parsed.elements if element[0] == "script"], strict=True
        )
        if attributes.get("type") != "text/plain"
    ]
    assert len(scripts) == 1
    hashes = [
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        for script in (unpacked(parsed, "plotly"), *scripts)
    ]
    assert re.findall(r"'sha256-([^']+)'", policy) == hashes
    assert "unsafe-inline" not in policy.partition("script-src")[2]
    assert not [name for _, attributes in parsed.elements for name in attributes if name.startswith("on")]


def test_text_of_people_is_escaped(html, parsed):
    assert f"Toy {HOSTILE}" in parsed.text
    assert f"Low {HOSTILE}" in parsed.text
    outside = html
    for script in parsed.scripts:
        outside = outside.replace(script, "")
    assert "<script>alert" not in outside
    assert "<img" not in outside
    assert json.loads(unpacked(parsed, "figures"))["toy-curve"]["data"][0]["name"] == HOSTILE


def test_shows_published_measured_and_difference(parsed):
    text = " ".join(parsed.text.split())
    assert "full1.472131.857001.89700 to 1.89900+0.38487" in text
    assert "mul1.50000not measured–" in text
    assert "0.33" in text
    assert "0.40 (+0.07)" in text
    assert "21 numbers, 1 of them measured here" in text


def test_a_verdict_is_a_word_and_a_class(html):
    pills = re.findall(r'<span class="pill (holds|fails|not-run)">([^<]+)</span>', html)
    single = [(name, word) for name, word in pills if not word[0].isdigit()]
    assert ("holds", "holds") in single
    assert ("fails", "fails") in single
    assert ("not-run", "not run") in single
    assert {word.replace(" ", "-") for _, word in single} == {name for name, _ in single}


def test_claims_show_measured_expected_and_margin(parsed):
    text = " ".join(parsed.text.split())
    assert "measured0.990.97 to 0.99 expected≥ 0.78 margin+0.210.19 to 0.21" in text
    assert "measured1.8571.897 to 1.899 expected< 1.5 margin−0.357−0.399 to −0.397" in text
    assert "judged at the paper profile; this is small" in text


def test_follows_the_theme_of_the_reader(html):
    assert "@media screen and (prefers-color-scheme: dark)" in html
    assert "@media print" in html
    assert 'name="viewport"' in html
    assert 'addEventListener("change"' in html


def test_plotly_is_there_once_and_only_for_figures(tmp_path, html, parsed):
    assert html.count('id="plotly"') == 1
    assert "plotly.js v" in unpacked(parsed, "plotly")
    write_system(tmp_path / "plain", "toy", evaluated=False)
    plain = page.render(describe(["toy"], PARAMETERS, tmp_path / "plain/stages", tmp_path / "plain/data"))
    assert 'id="plotly"' not in plain
    assert len(plain) < 200_000
    Page(plain)


def test_thirty_one_systems_with_many_figures_stay_under_six_megabytes(report):
    toy = report["systems"][0]
    points = [{"type": "scatter", "x": list(range(200)), "y": [i / 7 for i in range(200)], "name": n} for n in "abcdef"]
    figures = [{**toy["figures"][0], "id": f"f{i}", "figure": {"data": points, "layout": {}}} for i in range(6)]
    many = [{**toy, "name": f"toy{number}", "figures": figures, "claims": toy["claims"] * 10} for number in range(31)]
    assert len(page.render({**report, "systems": many}).encode()) < 6_000_000


def test_every_chart_has_its_numbers_in_a_table(html):
    chart = html[html.index('aria-label="Numbers of A curve, ') :]
    cells = re.findall(r"<t[hd][^>]*>([^<]*)</t", chart[: chart.index("</table>")])
    assert cells[2:] == ["0", "1", "1", "2"]


def test_the_contents_name_every_system_and_systems_are_folded(html):
    contents = html[html.index('<nav class="contents"') : html.index("</nav>")]
    assert 'href="#toy"' in contents
    assert 'href="#waiting"' in contents
    assert html.count('<details class="fold">') == 2


def test_other_profiles_stand_beside_and_a_reference_is_marked_as_such(report):
    real = copy.deepcopy(report) | {"profile": "real"}
    real["systems"][0]["claims"][0] |= {"verdict": "undecided", "measured": 0.8125}
    small = reference.collect(report)
    small["systems"]["waiting"] = small["systems"]["toy"]
    small = as_reference(small, "small")
    html = page.render(report, other_profiles=[(real, [])], references={"small": small, "real": small, "paper": small})
    text = " ".join(Page(html).text.split())
    assert 'data-verdict-small="holds" data-verdict-real="undecided" data-verdict-paper="holds"' in html
    assert "undecided real: 0.8125 (0.97 to 0.99), expected ≥ 0.78" in text
    assert "holds paper (reference): 0.99" in text
    assert "paper (reference of 2026-01-02, 8 cores)" in text
    assert "small (in part run here)" in text
    waiting = text[text.index("has not been evaluated yet") :]
    assert "holds small (reference): 0.99" in waiting


def test_a_reference_that_was_measured_with_earlier_parameters_says_so_wherever_it_is_shown(report):
    paper = reference.collect(report)
    paper["systems"]["waiting"] = paper["systems"]["toy"]
    paper = as_reference(paper, "paper")
    older = {name: {"paper": ["toy.seeds", "a<b"], "small": ["toy.dyck"]} for name in ("toy", "waiting")}
    html = page.render(report, references={"paper": paper}, older=older)
    text = " ".join(Page(html).text.split())
    toy = text[text.index("What is established") : text.index("has not been evaluated yet")]
    assert "holds paper (reference, with earlier parameters) 99.0%" in toy, "the central effect"
    assert "holds paper (reference, with earlier parameters): 0.99" in toy, "a claim"
    assert "paper was measured before these parameters changed: toy.seeds, a<b." in toy
    assert "paperreference, with earlier parameters" in toy, "a table of the paper"
    assert "then what paper (with earlier parameters) measured" in toy, "a table by item"
    overview = text[text.index("Central effects") : text.index("Published numbers:")]
    assert overview.count("with earlier parameters") == 2
    tiles = html[html.index('<ul class="gallery">') : html.index('<div id="all-systems">')]
    assert "paper, reference, with earlier parameters" in tiles
    here = {"toy": {"small": ["toy.dyck"]}}
    assert "earlier parameters" not in page.render(report, references={"small": paper}, older=here), "it was run here"
    assert "earlier parameters" not in page.render(report, references={"paper": paper})


def test_a_claim_that_needs_data_of_no_profile_is_counted_apart(report):
    claim = report["systems"][0]["claims"][2]
    claim |= {"needs": "the ratings of 2010", "reason": "toy.x is not measured: needs the ratings of 2010"}
    text = " ".join(Page(page.render({**report, "systems": report["systems"][:1]})).text.split())
    assert "1 holds1 fails1 needs data that small, real and paper lack" in text
    assert "1 not run" not in text


def test_a_page_of_a_run_that_goes_on_says_so(report):
    assert "34 of 120 stages" in page.render(report, running="34 of 120 stages have ended")


def test_a_system_without_an_evaluation_is_shown_grey(html):
    waiting = html[html.index('id="waiting"') :]
    assert "has not been evaluated yet" in waiting
    assert '<span class="pill not-run">' in waiting
    assert '<span class="pill holds">holds' not in waiting[: waiting.index("</ol>")]


def test_runs_stand_with_their_system(parsed):
    text = " ".join(parsed.text.split())
    toy, shared = text.index("stages/toy/dvc.yaml:train@0"), text.index("acquire@excerpt")
    assert toy < text.index("Corpora", toy) < shared
    assert "1 min 23 s" in text
    assert "2 cores, Linux-6.1, Python 3.11.2" in text
    assert all(text.count(run["stage"]) == 1 for run in RUNS)


def test_report_json_is_the_same_bytes_and_holds_no_times(read_only_project, tmp_path, report):
    page.write(tmp_path / "report", report, read_runs(read_only_project / "data/scratch/runs"))
    first = (tmp_path / "report/report.json").read_bytes()
    again = describe(["toy", "waiting"], PARAMETERS, read_only_project / "stages", read_only_project / "data")
    page.write(tmp_path / "report", again, [])
    assert (tmp_path / "report/report.json").read_bytes() == first
    assert b"1795290" not in first
    assert sorted(path.name for path in (tmp_path / "report").iterdir()) == ["index.html", "report.json"]


def test_page_is_the_same_for_the_same_runs(read_only_project, report, html):
    runs = read_runs(read_only_project / "data/scratch/runs")
    assert html == page.render(json.loads(json.dumps(report)), runs)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (page.signed(0.384871, 5), "+0.38487"),
        (page.signed(-6.31, 2), "−6.31"),
        (page.signed(-0.001, 2), "0.00"),
        (page.fixed(-1.5, 1), "−1.5"),
        (page.compact(0.123456), "0.1235"),
        (page.compact(20480), "20,480"),
        (page.compact("text"), "text"),
        (page.duration(0.44), "0.4 s"),
        (page.duration(59.7), "1 min 00 s"),
        (page.duration(185), "3 min 05 s"),
        (page.duration(7800), "2 h 10 min"),
        (page.relation(">= 0.9"), "≥ 0.9"),
        (page.relation("between 0.04 0.14"), "0.04 to 0.14"),
        (page.relation("<= -1"), "≤ −1"),
        (page.relation("> 0.548132"), "> 0.5481"),
        (page.relation("> 123456"), "> 123456"),
        (page.decimals([{"value": 3.7}, {"value": 14.79}]), 2),
        (page.decimals([{"value": 3}]), 0),
        (page.flatten({"a": {"b": [1, 2]}, "c": [{"d": 1}]}), [("a.b", "1, 2"), ("c[0].d", "1")]),
        (page.flatten({"a": None, "b": [True, None, 0]}), [("a", "null"), ("b", "true, null, 0")]),
    ],
)
def test_numbers_read_well(shown, expected):
    assert shown == expected

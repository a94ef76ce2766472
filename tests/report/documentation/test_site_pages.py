"""The documentation site has every page and package, and its links lead to pages of the site."""

import re
from pathlib import Path

import pytest

from repline.errors import InputError
from repline.report.documentation.site_pages import page_paths, site
from stages.upkeep.site import write

ROOT = Path(__file__).parents[3]
MODEL = '''"""A toy model.

    y = W x

Source: nobody.
"""


class Toy:
    """Compute y, equation (1)."""


def _hidden():
    """Compute z, equation (2)."""
'''


@pytest.fixture
def checkout(tmp_path):
    files = {
        "README.md": "# top\n\n[toy](stages/toy/) [judged](docs/judged.md#how) [all](params.yaml) [web](http://a.b)\n",
        "docs/judged.md": "# judged\n\n## how\n\n`repline/systems/toy/model.py`, [code](../repline/systems/toy)\n",
        "params.yaml": "a: 1\n",
        "repline/__init__.py": '"""The library."""\n',
        "repline/systems/__init__.py": '"""Systems."""\n',
        "repline/systems/toy/__init__.py": '"""Toy."""\n',
        "repline/systems/toy/model.py": MODEL,
        "stages/toy/published.yaml": "",
        "stages/toy/README.md": (
            "# toy\n\n<!-- not run: a reason -->\n```sh\necho [no](link)\n```\n\n## What to conclude\n\n"
            "It is <!--= small:claims/a .1f -->0.5<!--/-->.\n\n<!-- results:begin -->\n| a |\n<!-- results:end -->\n"
        ),
        "stages/text/README.md": "# text\n\nSee [toy](../toy/README.md).\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def test_links_lead_to_pages_of_the_site(checkout):
    collected = site(checkout)
    index = collected.pages["index.md"]
    assert "[toy](systems/toy.md)" in index and "[judged](judged.md#how)" in index and "(http://a.b)" in index
    assert "[all](files/params.yaml)" in index and collected.copies == {"files/params.yaml": checkout / "params.yaml"}
    assert "[toy](../systems/toy.md)" in collected.pages["corpora/text.md"]
    judged = collected.pages["judged.md"]
    assert "[`repline/systems/toy/model.py`](api/repline.systems.toy.md#repline.systems.toy.model)" in judged
    assert "[code](api/repline.systems.toy.md)" in judged


def test_the_page_of_a_system_shows_its_equations_before_its_conclusions(checkout):
    page = site(checkout).pages["systems/toy.md"]
    equations, conclusions = page.split("## What to conclude")
    assert "y = W x" in equations and "(../api/repline.systems.toy.md#repline.systems.toy.model.Toy)" in equations
    assert "_hidden" not in page
    assert "It is 0.5." in conclusions and "<!--" not in page
    assert re.search(r"<details markdown=\"1\">.*\n\n\| a \|\n\n</details>", conclusions)
    assert "echo [no](link)" in page  # a block of code stays as it is


def test_every_package_has_a_page_with_its_modules(checkout):
    pages = site(checkout).pages
    assert "- [`repline.systems.toy`](repline.systems.toy.md)" in pages["api/repline.systems.md"]
    assert "::: repline.systems.toy.model" in pages["api/repline.systems.toy.md"]


def test_a_link_to_nothing_is_named(checkout):
    (checkout / "docs/judged.md").write_text("[gone](../nowhere.md)", encoding="utf-8")
    with pytest.raises(InputError, match=r"docs/judged\.md: links to \.\./nowhere\.md"):
        site(checkout)


def test_all_pages_of_this_project_are_in_the_menu(tmp_path):
    collected = site(ROOT)
    assert set(page_paths(ROOT).values()) <= set(collected.pages)
    listed = set()
    for entry in collected.navigation:
        for value in entry.values():
            listed |= {value} if isinstance(value, str) else {path for page in value for path in page.values()}
    assert listed == set(collected.pages)
    assert len([path for path in collected.pages if path.startswith("systems/") and "-" not in path]) == 31
    settings = write(ROOT, tmp_path / "site").read_text(encoding="utf-8")
    assert "index.md" in settings and (tmp_path / "site/pages/systems/urn.md").exists()

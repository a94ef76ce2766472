"""The scripts of the documentation site, in a page opened from the disk; skipped where no Chromium is installed."""

import shutil

import pytest
import yaml

from tests.commands import ROOT
from tests.report import browser as chromium

pytestmark = pytest.mark.skipif(chromium.installed() is None, reason="no Chromium on this machine")
PAGE = """<!doctype html>
<script src="iframe-worker.js"></script>
<body class="md-typeset">
<pre style="width: 100px; overflow: auto"><code id="wide" style="display: block; overflow: auto">{}</code></pre>
<details><summary>more</summary>
<pre style="width: 100px"><code id="folded" style="display: block; overflow: auto">{}</code></pre></details>
<pre style="width: 100px"><code id="narrow" style="display: block; overflow: auto">a</code></pre>
<script src="site.js"></script>
"""
ASK = """new Promise((done) => {
    const worker = new Worker("worker.js");
    worker.addEventListener("message", (event) => done(event.data));
    worker.postMessage(41);
})"""


@pytest.fixture
def opened(tmp_path):
    for script in ("iframe-worker.js", "site.js"):
        shutil.copy(ROOT / "docs" / script, tmp_path)
    (tmp_path / "worker.js").write_text('addEventListener("message", (event) => postMessage(event.data + 1));')
    (tmp_path / "page.html").write_text(PAGE.format("word " * 50, "word " * 50))
    browser = chromium.Browser(tmp_path / "profile")
    browser.window(1280, 900)
    browser.open(tmp_path / "page.html")
    yield browser
    assert browser.problems == []
    browser.close()


def test_a_frame_answers_in_place_of_a_worker(opened):
    assert opened.run(ASK) == 42


def test_the_keyboard_reaches_what_is_wider_than_its_place(opened):
    index = "document.getElementById('{}').tabIndex"
    assert [opened.run(index.format(name)) for name in ("wide", "narrow")] == [0, -1]
    opened.run("document.querySelector('details').open = true")
    opened.until(f"{index.format('folded')} === 0")


def test_the_site_takes_nothing_from_the_web():
    settings = yaml.safe_load((ROOT / "docs/mkdocs.yml").read_text("utf-8"))
    scripts = [*settings["extra_css"], *settings["extra_javascript"], *settings["extra"]["polyfills"]]
    assert all((ROOT / "docs" / script).is_file() for script in scripts)
    assert "iframe-worker" in "".join(settings["extra"]["polyfills"])  # else the plugin `offline` names one on the web
    assert settings["theme"]["font"] is False

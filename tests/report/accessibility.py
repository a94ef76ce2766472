"""Check pages with axe-core in a headless Chromium, in light and dark colours; the exit status is 1 for serious faults.

    npm pack axe-core && tar xzf axe-core-*.tgz package/axe.min.js
    python -m tests.report.accessibility package/axe.min.js data/report/index.html data/site

A folder stands for all pages in it. Everything that is folded is opened before the check.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.report.browser import Browser

SERIOUS = ("serious", "critical")
OPEN = "document.querySelectorAll('details').forEach((part) => { part.open = true; })"
# the dark colours of the documentation site are a choice of the reader; a page of its own follows the system
DARK = "document.body.dataset.mdColorScheme &&= 'slate'"
SETTLED = "new Promise((done) => setTimeout(done, 300))"
CHECK = "axe.run(document, { resultTypes: ['violations'] }).then((result) => JSON.stringify(result.violations))"


def faults(browser: Browser, axe: str, page: Path, dark: bool) -> list[dict[str, Any]]:
    """What axe-core finds on a page: each rule that is broken, with its impact and the parts that break it."""
    browser.window(1280, 900, dark)
    browser.open(page)
    browser.run(OPEN)
    if dark:
        browser.run(DARK)
    browser.run(SETTLED)
    browser.run(f"{axe}; null")
    return json.loads(browser.run(CHECK))


def pages(paths: list[Path]) -> Iterator[Path]:
    """The pages themselves, and those in the folders; not 404.html, which only a server shows."""
    for path in paths:
        yield from sorted(set(path.rglob("*.html")) - {path / "404.html"}) if path.is_dir() else [path]


def main(arguments: list[str]) -> int:
    """Print the faults by page, and count the serious ones."""
    parser = argparse.ArgumentParser(prog="python -m tests.report.accessibility", description=__doc__)
    parser.add_argument("axe", type=Path, help="axe.min.js of the npm package axe-core")
    parser.add_argument("pages", type=Path, nargs="+", help="pages, or folders of pages")
    options = parser.parse_args(arguments)
    axe = options.axe.read_text(encoding="utf-8")
    serious = 0
    for page in pages([path.resolve() for path in options.pages]):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:  # its children may still write
            browser = Browser(Path(profile))  # a new one for each page, since axe-core fills the memory of one
            faults_of_page = [(dark, fault) for dark in (False, True) for fault in faults(browser, axe, page, dark)]
            browser.close()
        for dark, fault in faults_of_page:
            serious += len(fault["nodes"]) if fault["impact"] in SERIOUS else 0
            where = fault["nodes"][0]["target"][0]
            colours = "dark" if dark else "light"
            print(f"{page} ({colours}): {fault['impact']}: {fault['help']}, {len(fault['nodes'])} times: {where}")
    print(f"serious faults: {serious}")
    return int(serious > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

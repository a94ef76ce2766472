"""Run the examples of pages in a built checkout: `python -m stages.upkeep.examples [PAGE ...]`."""

import argparse
import functools
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from repline.report.documentation import page_examples
from stages import model_cards

PAGES = ("*.md", "docs/*.md", "stages/*/*.md", "flows/*.md", "notebooks/*.md", "repline/*.md", "data/*.md")


def pages(root: Path = Path()) -> list[Path]:
    """The pages that have examples."""
    return [path for pattern in PAGES for path in sorted(root.glob(pattern))]


def main(arguments: list[str]) -> int:
    """Run the examples of some pages, or of all and of a card of each kind of model; returns 1 if one is wrong."""
    parser = argparse.ArgumentParser(prog="python -m stages.upkeep.examples", description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, help="default: all")
    parser.add_argument("--any-output", action="store_true", help="only that they run, whatever they print")
    options = parser.parse_args(arguments)
    for page in options.pages:
        if not page.is_file():
            parser.error(f"{page}: there is no such page; name one as docs/running.md")
    paths = options.pages or [*pages(), *model_cards.cards_by_kind()]
    run = functools.partial(page_examples.run, root=Path.cwd(), any_output=options.any_output)
    wrong: list[str] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # the threads wait: each example is a process
        for page, wrong_here in zip(paths, pool.map(run, paths), strict=True):
            blocks = page_examples.examples(page.read_text(encoding="utf-8"))
            count = sum(not block.not_run for block in blocks)
            if blocks:
                print(f"{page}: {count} examples, {len(wrong_here)} wrong, {len(blocks) - count} not run", flush=True)
            wrong += wrong_here
    print("\n".join(wrong), file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Build the documentation site into data/site: `make docs`.

It collects the repository's pages and the reference of the library, by `repline.report.documentation.site_pages`, and
runs MkDocs on them. The site opens from the disk: data/site/index.html.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from repline.errors import InputError
from repline.report.documentation.notebooks import Output, run
from repline.report.documentation.site_pages import site

SETTINGS = Path("docs/mkdocs.yml")
SOURCES, SITE = Path("data/scratch/site"), Path("data/site")


def main(arguments: list[str]) -> int:
    """Write the pages, and build them by MkDocs unless told otherwise; returns MkDocs' exit status."""
    parser = argparse.ArgumentParser(prog="python -m stages.upkeep.site", description=__doc__)
    parser.add_argument("--mkdocs", default="mkdocs", metavar="COMMAND", help="the command that builds the site")
    parser.add_argument("--pages-only", action="store_true", help="write the pages, and do not build them")
    parser.add_argument("--no-notebooks", action="store_true", help="show notebooks without their outputs, not run")
    options = parser.parse_args(arguments)
    settings = write(Path.cwd(), SOURCES, None if options.no_notebooks else outputs_of_all(Path.cwd()).__getitem__)
    if options.pages_only:
        return 0
    command = [options.mkdocs, "build", "--strict", "--config-file", settings]
    status = subprocess.run(command, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}).returncode
    if status == 0:
        print(f"The site is {SITE}/index.html")
    return status


def outputs_of_all(root: Path) -> dict[Path, list[Output]]:
    """The outputs of each notebook of a checkout; as many run at the same time as the machine has processor cores."""
    notebooks = sorted(root.glob("notebooks/*.ipynb"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(notebooks, pool.map(outputs, notebooks), strict=True))


def outputs(notebook: Path) -> list[Output]:
    """Run a notebook in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        return run(notebook, Path(folder))


def write(root: Path, folder: Path, run: Callable[[Path], Sequence[Output]] | None = None) -> Path:
    """Write the sources of the site of a checkout into a folder, in place of earlier ones; returns MkDocs' settings.

    Args:
        run: gives the outputs of a notebook; None: the site shows none.
    """
    shutil.rmtree(folder, ignore_errors=True)
    collected = site(root, run)
    pages = folder / "pages"
    for path, text in collected.pages.items():
        (pages / path).parent.mkdir(parents=True, exist_ok=True)
        (pages / path).write_text(text, encoding="utf-8")
    for path, file in collected.copies.items():
        (pages / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, pages / path)
    settings = yaml.safe_load((root / SETTINGS).read_text(encoding="utf-8"))
    polyfills = settings.get("extra", {}).get("polyfills", ())
    for name in (*settings.get("extra_css", ()), *settings.get("extra_javascript", ()), *polyfills):
        shutil.copyfile((root / SETTINGS).parent / name, pages / name)
    settings |= {"docs_dir": "pages", "site_dir": str((root / SITE).resolve()), "nav": collected.navigation}
    handler = next(plugin["mkdocstrings"] for plugin in settings["plugins"] if isinstance(plugin, dict))
    handler["handlers"]["python"]["paths"] = [str(root.resolve())]
    settings_file = folder / "mkdocs.yml"
    settings_file.write_text(yaml.safe_dump(settings, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return settings_file


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except InputError as error:
        sys.exit(f"stages.upkeep.site: {error}")

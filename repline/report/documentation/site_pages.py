"""The pages of the documentation site: the repository's own pages, their links redirected, and a page for each package.

A page of the repository links to files of it. On the site, a link to another page leads to that page, a link to code of
the library to its reference, and any other file is copied next to the pages.
"""

import ast
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import plotly

from repline.errors import InputError
from repline.parameters import JsonObject
from repline.report.documentation import notebooks
from repline.report.documentation.notebooks import Output

LIBRARY = "repline"
PLOTLY = "files/plotly.min.js"
TOP = {
    "README.md": "index.md",
    "flows/README.md": "flow.md",
    "notebooks/README.md": "notebooks/index.md",
    "repline/README.md": "library.md",
}
GENERATED = re.compile(r"<!-- (?:results|benchmarks):begin -->\n(.*?)<!-- (?:results|benchmarks):end -->", re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
CODE_FILE = re.compile(r"(?<!\[)`(repline/[\w/]+(?:\.py)?)`(?!\])")
FENCE = re.compile(r"^(```.*?^```)$", re.MULTILINE | re.DOTALL)
EQUATION = re.compile(r"^ {4,}\S.*=", re.MULTILINE)
HOW = "## What to conclude"


@dataclass
class Site:
    """The files of a site, by their paths in it.

    Attributes:
        pages: Markdown.
        copies: files of the repository, by the path in the site that they are copied to.
        navigation: titles and paths, in the order of the menu: page, or title -> pages.
    """

    pages: dict[str, str] = field(default_factory=dict)
    copies: dict[str, Path] = field(default_factory=dict)
    navigation: list[JsonObject] = field(default_factory=list)


def site(root: Path, run: Callable[[Path], Sequence[Output]] | None = None) -> Site:
    """Collect the site of a checkout.

    Args:
        run: gives the outputs of a notebook; None: its pages show none.

    Raises:
        InputError: a page links to a file that is not there.
    """
    pages = page_paths(root)
    packages = {path.parent for path in sorted((root / LIBRARY).rglob("__init__.py"))}
    result = Site()
    for source, target in pages.items():
        if source.endswith(".ipynb"):
            result.pages[target] = _notebook(root / source, run, result.copies)
            continue
        text = _page((root / source).read_text(encoding="utf-8"), root, source, target, pages, result.copies)
        if target.startswith("systems/") and source.endswith("/README.md"):
            text = _with_code(text, root, PurePosixPath(target).stem)
        result.pages[target] = text
    for package in sorted(packages):
        name = _dotted(package, root)
        result.pages[f"api/{name}.md"] = _reference(package, name)
    result.navigation = _navigation(result.pages)
    return result


def page_paths(root: Path) -> dict[str, str]:
    """The repository's pages and their paths on the site."""
    pages = {source: target for source, target in TOP.items() if (root / source).exists()}
    pages |= {f"docs/{path.name}": path.name for path in sorted(root.glob("docs/*.md"))}
    pages |= {f"notebooks/{path.name}": f"notebooks/{path.stem}.md" for path in sorted(root.glob("notebooks/*.ipynb"))}
    pages |= {name: name.lower() for name in ("CONTRIBUTING.md", "CHANGELOG.md") if (root / name).exists()}
    for path in sorted(root.glob("stages/*/*.md")):
        name = path.parent.name
        room = "systems" if (path.parent / "published.yaml").exists() else "corpora"
        file = f"{name}.md" if path.name == "README.md" else f"{name}-{path.name}"
        pages[f"stages/{name}/{path.name}"] = f"{room}/{file}"
    return pages


def _page(text: str, root: Path, source: str, target: str, pages: Mapping[str, str], copies: dict[str, Path]) -> str:
    """A page of the repository as a page of the site: long tables folded, comments left out, links redirected."""
    text = GENERATED.sub(r'<details markdown="1"><summary>All tables</summary>\n\n\1\n</details>\n', text)

    def redirected(match: re.Match[str]) -> str:
        label, link = match[1], match[2]
        if link.startswith(("http:", "https:", "#", "mailto:")):
            return match[0]
        address, _, anchor = link.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(source), address))
        if not (root / file).exists():
            raise InputError(f"{source}: links to {address}, and there is no such file")
        site_path = _site_path(file, root, pages)
        if site_path is None:
            site_path = f"files/{file}"
            copies[site_path] = root / file
            if (root / file).is_dir():
                raise InputError(f"{source}: links to the folder {address}, which has no page")
        return f"{label}({_relative(site_path, target)}{'#' + anchor if anchor else ''})"

    def linked(match: re.Match[str]) -> str:
        site_path = _site_path(match[1], root, pages) if (root / match[1]).exists() else None
        return f"[`{match[1]}`]({_relative(site_path, target)})" if site_path else match[0]

    return _outside_code(COMMENT.sub("", text), lambda prose: CODE_FILE.sub(linked, LINK.sub(redirected, prose)))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change a page except for its fenced blocks."""
    return "".join(part if part.startswith("```") else change(part) for part in FENCE.split(text))


def _site_path(file: str, root: Path, pages: Mapping[str, str]) -> str | None:
    """Where the site shows a file or folder of the repository: a page, or the reference of a module."""
    for page in (file, f"{file}/README.md"):
        if page in pages:
            return pages[page]
    path = root / file
    if file == LIBRARY or file.startswith(f"{LIBRARY}/"):
        package = path if path.is_dir() else path.parent
        if (package / "__init__.py").exists():
            name = _dotted(package, root)
            module = "" if path.is_dir() or path.name == "__init__.py" else f"#{name}.{path.stem}"
            return f"api/{name}.md{module}"
    return None


def _relative(site_path: str, target: str) -> str:
    return os.path.relpath(site_path, os.path.dirname(target) or ".")


def _dotted(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).parts)


def _reference(package: Path, name: str) -> str:
    """The reference of a package and of the modules that lie in it."""
    modules = sorted(path.stem for path in package.glob("*.py") if path.stem != "__init__")
    inner = [
        f"- [`{name}.{path.parent.name}`]({name}.{path.parent.name}.md)"
        for path in sorted(package.glob("*/__init__.py"))
    ]
    lines = [f"# {name}", "", f"::: {name}", "    options: {members: false}", ""]
    if inner:
        lines += ["Packages in it:", "", *inner, ""]
    for module in modules:
        lines += [f"::: {name}.{module}", ""]
    return "\n".join(lines)


def _with_code(text: str, root: Path, system: str) -> str:
    """The page of a system with the equations of its code, before its conclusions."""
    folder = root / LIBRARY / "systems" / system
    blocks = [block for path in _reading_order(folder) for block in _equations(path, root)]
    if not blocks or HOW not in text:
        return text
    section = "\n".join(["## Equations, and the code that computes them", "", *blocks])
    return text.replace(HOW, f"{section}\n{HOW}", 1)


def _reading_order(folder: Path) -> list[Path]:
    """The modules of a system: the model first, the rest by name."""
    return sorted(folder.rglob("*.py"), key=lambda path: (path.stem != "model", len(path.parts), path.name))


def _equations(path: Path, root: Path) -> Iterator[str]:
    """The equations of a module, from its docstring and from those of its public definitions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module = _dotted(path.with_suffix(""), root)
    package = _dotted(path.parent, root)
    listed = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            docstring = ast.get_docstring(node) or ""
            if EQUATION.search(docstring) or re.search(r"\beqs?\.|\bequations?\b", docstring):
                first = docstring.partition("\n")[0]
                listed.append(f"- [`{node.name}`](../api/{package}.md#{module}.{node.name}): {first}")
    docstring = ast.get_docstring(tree) or ""
    if EQUATION.search(docstring):
        yield f"In [`{path.relative_to(root)}`](../api/{package}.md#{module}):\n\n```text\n{docstring}\n```\n"
    elif listed:
        yield f"In [`{path.relative_to(root)}`](../api/{package}.md#{module}):\n"
    if listed:
        yield "\n".join(listed) + "\n"


def _notebook(path: Path, run: Callable[[Path], Sequence[Output]] | None, copies: dict[str, Path]) -> str:
    """A notebook as a page, with its outputs; the library of its figures is copied next to the pages."""
    text = notebooks.page(notebooks.read(path), run(path) if run else None)
    if "<div>" not in text:
        return text
    copies[PLOTLY] = Path(plotly.__file__).parent / "package_data/plotly.min.js"
    return f'<script src="{_relative(PLOTLY, "notebooks/page.md")}"></script>\n\n{text}'


def _navigation(pages: Mapping[str, str]) -> list[JsonObject]:
    """The menu: tasks, systems, corpora, concepts, the reference."""

    def entries(paths: list[str]) -> list[dict[str, str]]:
        return [{_title(pages[path]): path} for path in paths if path in pages]

    def room(name: str) -> list[str]:
        return sorted((path for path in pages if path.startswith(f"{name}/")), key=lambda path: _title(pages[path]))

    tasks = ["using-models.md", "your-own-corpus.md", "evaluating-your-own.md", "running.md", "flow.md"]
    more = ["prefect.md", "snapshots.md", "installing.md", "speed.md"]
    concepts = [
        "how-figures-are-judged.md",
        "ledger.md",
        "layout.md",
        "adding-a-system.md",
        "contributing.md",
        "changelog.md",
    ]
    return [
        {"Start here": "index.md"},
        {"Tasks": entries(tasks + more)},
        {"Systems": entries(room("systems"))},
        {"Notebooks": entries(room("notebooks"))},
        {"Corpora": entries(room("corpora"))},
        {"Concepts": entries(concepts)},
        {"Reference": entries(["library.md", *sorted(room("api"))])},
    ]


def _title(text: str) -> str:
    """The first heading of a page, without its marks."""
    match = re.search(r"^# (.+)$", text, re.MULTILINE)
    return re.sub(r"[`*]", "", match[1]) if match else "?"

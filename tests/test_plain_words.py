"""Plain words, as far as a test can hold them: docstrings that stand alone, names that say something, links that lead.

A docstring's first line is read from a search, without what is around it. A name says what it holds. A page's links
and the files that it names exist.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("repline", "stages", "flows", "flow_rules", "benchmarks")
# a first line that begins so goes on with a sentence that the reader does not see
ELLIPTIC = re.compile(
    r"(?:Of|Those|That|These|Such|Also|Nor|As|Like|So|The same|The others?|All of|Some of|One of|Made by|Given)\b"
    r"(?! (?:follows|is))"
)
# a first line that is no more than this says nothing to a reader who does not see the name
BARE = re.compile(r"(?:(?:The|One|This|Both)(?: whole)? [\w-]+|The recipe of all networks|Plan a batch|\w)\.$")
# words that stand for a name that was not looked for
EMPTY = {"found", "one", "ones", "own", "given", "made", "kept", "known", "place", "wanted", "thing", "things", "told"}
# a source of raw data has places in sources.yaml: that is what they are called there
MEANT = {"repline/sources": {"place"}}
VAGUE_FILES = {
    "util", "utils", "helper", "helpers", "misc", "common", "shared", "stuff", "tools", "things", "places",
    "prepared", "carried", "printed", "twins", "base", "core", "manager", "other", "others", "various",
}  # fmt: skip
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
NAMED_FILE = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.(?:py|yaml|md|sh|toml))`")
EXAMPLES = {"frequency_probe", "NAME"}  # names that a page makes up
PAGES = sorted(
    [
        *(ROOT / name for name in ("README.md", "repline/README.md", "flows/README.md", "notebooks/README.md")),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("stages/*/README.md"),
    ]
)


def modules():
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def where(path, node):
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)} {getattr(node, 'name', '')}"


def public(tree):
    """The module, its public classes and functions, and the public methods of these classes."""
    yield tree
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield node
            for method in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    yield method


def assigned(tree):
    """Every name that a module gives to a variable or an argument; fields of a class may be keys of files."""
    fields = {id(part.target) for kind in ast.walk(tree) if isinstance(kind, ast.ClassDef) for part in kind.body
              if isinstance(part, ast.AnnAssign)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in fields:
            yield node, node.id


@pytest.fixture(scope="module")
def trees():
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in modules()}


def test_what_is_public_has_a_docstring(trees):
    bare = []
    for path, tree in trees.items():
        overriding = overrides(tree)
        for node in public(tree):
            if ast.get_docstring(node) is None and node not in overriding and tree.body:
                bare.append(where(path, node))
    assert bare == []


def overrides(tree):
    """What is described elsewhere: methods by the base of their class, overloads by the last of them, a main by its
    module."""
    kinds = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    methods = {node for kind in kinds if kind.bases for node in kind.body}
    overloads = {
        node for kind in (tree, *kinds) for node in kind.body
        if isinstance(node, ast.FunctionDef) and "overload" in map(ast.unparse, node.decorator_list)
    }  # fmt: skip
    mains = {node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "main"}
    return methods | overloads | mains


def test_the_first_line_of_a_docstring_stands_alone(trees):
    leaning = []
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                first = (ast.get_docstring(node) or "").partition("\n")[0]
                if ELLIPTIC.match(first) or BARE.match(first):
                    leaning.append(f"{where(path, node)}: {first}")
    assert leaning == []


def test_a_variable_says_what_it_holds(trees):
    empty = [
        f"{where(path, node)} {name}" for path, tree in trees.items() for node, name in assigned(tree)
        if name.strip("_").lower() in EMPTY - meant(path) or name.startswith("of_")
    ]  # fmt: skip
    assert empty == []


def meant(path):
    return {name for folder, names in MEANT.items() if path.is_relative_to(ROOT / folder) for name in names}


def test_a_file_says_what_is_in_it():
    assert [str(path) for path in modules() if path.stem in VAGUE_FILES] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page):
    text = page.read_text(encoding="utf-8")
    links = {link.partition("#")[0] for link in LINK.findall(text) if "://" not in link and not link.startswith("#")}
    lost = {link for link in links if link and not (page.parent / link).exists()}
    lost |= {name for name in NAMED_FILE.findall(text) if not exists(page, name)}
    assert lost == set()


def exists(page, name):
    is_example = EXAMPLES & set(re.split(r"[/.]", name))
    return is_example or any((folder / name).exists() for folder in (ROOT, page.parent, ROOT / "repline"))

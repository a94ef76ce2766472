"""What crosses a module's border says what it holds: mappings of Any or object are named here, each with its reason.

A public function, method or field of repline takes and gives a model, a dataclass, a TypedDict, or a mapping of typed
values. `dict[str, Any]` turns mypy off for all who use it, and of `dict[str, object]` nobody can read a value.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.AnnAssign | ast.Assign
UNTYPED = re.compile(r"\b(?:dict|Dict|Mapping|MutableMapping)\[str, (?:Any|object)\]")
LEFT = {
    "repline.parameters.Values": "sections of YAML files as they are written, before a model checks them",
    "repline.evaluation.evaluations.Metrics": "all metrics of a system: nested to any depth, and read by name",
    "repline.evaluation.evaluations.Details": "what the figures of a system show: they know what its evaluation gives",
    "repline.report.figures.Chart": "a figure of plotly as JSON, whose form plotly defines",
    "repline.use.folders.RawInput": "raw_input.json of a saved model: the `use.py` of its system knows what it needs",
    "repline.segmentation.word_splitters.recorded_splitter": "the same, below `repline.use`",
    "repline.training.objective.Objective.on_save_checkpoint": "a checkpoint of Lightning, whose form it defines",
    "repline.training.objective.Objective.on_load_checkpoint": "the same",
    "repline.training.objective.WholeCheckpoints.save_checkpoint": "the same",
    "repline.training.objective.WholeCheckpoints.load_checkpoint": "the same",
}


def untyped(tree: ast.Module) -> Iterator[str]:
    """Public functions, methods, fields and aliases whose types have a mapping of Any or object."""
    for node, prefix in public(tree.body):
        annotations: list[ast.expr | None]
        if isinstance(node, ast.Assign):
            name, annotations = ast.unparse(node.targets[0]), [node.value]
        elif isinstance(node, ast.AnnAssign):
            name, annotations = ast.unparse(node.target), [node.annotation]
        else:
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            name, annotations = node.name, [node.returns, *(argument.annotation for argument in arguments)]
        if any(UNTYPED.search(ast.unparse(annotation)) for annotation in annotations if annotation is not None):
            yield prefix + name


def public(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[Definition, str]]:
    for node in body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
        else:
            name = getattr(node, "name", "_")
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(node, ast.ClassDef):
            yield from public(node.body, f"{prefix}{name}.")
        elif isinstance(node, Definition):
            yield node, prefix


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def read(path: str) -> dict[str, Any]: ...", ["read"]),
        ("def write(*, rows: Sequence[Mapping[str, Any]]) -> None: ...", ["write"]),
        (
            "class Row:\n    values: dict[str, Any]\n    def fill(self, x: dict[str, Any]): ...",
            ["Row.values", "Row.fill"],
        ),
        ("def _inner(values: dict[str, Any]): ...\nclass _Row:\n    values: dict[str, Any]", []),
        ("def read(path: str) -> Values:\n    values: dict[str, Any] = {}", []),
        ("def read(path: str) -> Mapping[str, object]: ...", ["read"]),
        ("class Row:\n    def __init__(self, values: dict[str, Any]): ...", ["Row.__init__"]),
        ("Values = Mapping[str, Any]\n_Inner = Mapping[str, Any]", ["Values"]),
    ],
)
def test_untyped_signatures_are_seen(source, names):
    assert list(untyped(ast.parse(source))) == names


def test_public_signatures_say_what_a_mapping_holds():
    names = set()
    for path in sorted((ROOT / "repline").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        names |= {f"{module}.{name}" for name in untyped(ast.parse(path.read_text(encoding="utf-8")))}
    assert sorted(names - LEFT.keys()) == [], "say what these mappings hold: a TypedDict, a dataclass, typed values"
    assert sorted(LEFT.keys() - names) == [], "these say it now; leave them out"

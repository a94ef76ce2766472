"""Whatever code of ours a stage runs, the digest that it names covers: else an edit would go unseen."""

import ast
import json
from functools import cache

import yaml

from stages.code import project
from tests.commands import run_command


def commands(checkout):
    """Address and command line of every stage of the checkout that runs a module, from its locks."""
    for file in [checkout.root / "dvc.lock", *sorted(checkout.root.glob("stages/*/dvc.lock"))]:
        folder = file.parent.relative_to(checkout.root)
        for name, stage in yaml.safe_load(file.read_text(encoding="utf-8"))["stages"].items():
            yield name if file.parent == checkout.root else f"{folder}/dvc.yaml:{name}", stage["cmd"].split()[2:]


def test_every_function_that_a_stage_calls_is_in_its_digest(undisturbed, tmp_path):
    checkout = undisturbed.copy(tmp_path / "checkout", cache=False)
    code = project.read(checkout.root)

    @cache
    def definition(file, line):
        """The function or class at top level that a line lies in."""
        for statement in ast.parse((checkout.root / file).read_text(encoding="utf-8")).body:
            first = min(
                [statement.lineno, *(decorator.lineno for decorator in getattr(statement, "decorator_list", ()))]
            )
            if first <= line <= statement.end_lineno and isinstance(statement, ast.FunctionDef | ast.ClassDef):
                return f"{file.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}:{statement.name}"
        return None

    missed, seen = {}, set()
    for number, (address, (module, *arguments)) in enumerate(commands(checkout)):
        out = tmp_path / str(number)
        root = str(checkout.root)
        process = run_command(
            checkout.root, "tests.pipeline.traced", str(out), module, *arguments, DVC_STAGE=address, DVC_ROOT=root
        )
        assert process.returncode == 0, process.stderr
        covered = {str(node) for node in code.reach(module)} | project.WITHOUT.keys()
        if module == "stages.acquire":
            covered |= {
                str(node) for name in project.made_sources(checkout.root)[arguments[0]] for node in code.reach(name)
            }
        for part in tmp_path.glob(f"{number}.*"):
            called = {definition(*file_and_line) for file_and_line in json.loads(part.read_text())} - {None}
            called = {name for name in called if not name.startswith("tests.")}
            seen |= called
            if called - covered:
                missed[address] = sorted(called - covered)
    assert missed == {}
    assert len(seen) > 150  # or nothing was traced

"""Whatever code of ours a stage runs, the digest that it names covers: else an edit would go unseen.

Here the stages of one system and one corpus run as processes; `tests.stages.in_one_process` holds those of the others.
"""

import json

import yaml

from stages.code import project
from tests import called_functions
from tests.commands import run_command


def commands(checkout):
    """Address and command line of every stage of the checkout that runs a module, from its locks."""
    for file in [checkout.root / "dvc.lock", *sorted(checkout.root.glob("stages/*/dvc.lock"))]:
        folder = file.parent.relative_to(checkout.root)
        for name, stage in yaml.safe_load(file.read_text(encoding="utf-8"))["stages"].items():
            yield name if file.parent == checkout.root else f"{folder}/dvc.yaml:{name}", stage["cmd"].split()[2:]


def test_every_function_that_a_stage_calls_is_in_its_digest(undisturbed, tmp_path):
    checkout = undisturbed.copy(tmp_path / "checkout", cache=False)
    root, code = checkout.root, called_functions.code(checkout.root)
    missed, seen = {}, set()
    for number, (address, (module, *arguments)) in enumerate(commands(checkout)):
        out = tmp_path / str(number)
        process = run_command(
            root, "tests.pipeline.traced", str(out), module, *arguments, DVC_STAGE=address, DVC_ROOT=str(root)
        )
        assert process.returncode == 0, process.stderr
        made = set()
        if module == "stages.acquire":
            made = {str(node) for name in project.made_sources(root)[arguments[0]] for node in code.reach(name)}
        for part in tmp_path.glob(f"{number}.*"):
            called = set(json.loads(part.read_text()))
            seen |= called
            if names := called_functions.uncovered(module, called - made, root):
                missed[address] = names
    assert missed == {}
    assert len(seen) > 150  # or nothing was traced

"""The one floor plan of all systems: settings on the ground, thin stages, corpora that know no training."""

import importlib
import inspect
from pathlib import Path

import pytest

import stages
from repline import yaml_text
from repline.parameters import Section
from stages.code import project
from tests.module_imports import Imports

ROOT = Path(stages.__file__).parent.parent
SYSTEMS = sorted(path.parent.name for path in (ROOT / "repline/systems").glob("*/__init__.py"))
LONGEST_STAGE = 62  # lines of a module that holds paths and calls
GROUND = {
    "repline.parameters", "repline.errors", "repline.yaml_text", "repline.reading",
    "repline.reading.settings", "repline.reading.wrong_records",
}  # fmt: skip
# one transfer, one lexicon, one level of chunks
WITHOUT_VARIANTS = {"concreteness:train_across", "concreteness:train_lexicon", "hrrlm:train_chunks"}
TRAINING = ("repline.training.fit", "repline.training.run")

imports = Imports(ROOT)


def is_on_the_ground(module):
    """Whether a module is one that settings may import: recipes and parameters."""
    return module in GROUND or module.rpartition(".")[2] == "recipes"


@pytest.mark.parametrize("system", SYSTEMS)
def test_settings_lie_on_the_ground(system):
    """They import parameters and recipes alone, and so do these."""
    module = f"repline.systems.{system}.settings"
    reached = imports.closure(module, without=["repline"]) - {module}  # repline.load imports what it opens when called
    assert {module for module in reached if not is_on_the_ground(module)} == set()


@pytest.mark.parametrize("system", SYSTEMS)
def test_one_load_gives_the_settings(system):
    module = importlib.import_module(f"repline.systems.{system}.settings")
    assert issubclass(module.Settings, Section)
    assert inspect.signature(module.load).return_annotation in (module.Settings, "Settings")
    assert isinstance(module.load(), module.Settings)


def test_a_module_of_a_stage_holds_paths_and_calls():
    long = {}
    for path in ROOT.glob("stages/*/*.py"):
        if path.parent.name not in ("code", "upkeep") and path.stem not in ("figures", "settings"):
            lines = path.read_text(encoding="utf-8").count("\n")
            if lines > LONGEST_STAGE:
                long[str(path.relative_to(ROOT))] = lines
    assert long == {}


def definitions():
    """Each stage of a dvc.yaml: its file's folder, its name, and its definition."""
    for file in sorted(ROOT.glob("stages/*/dvc.yaml")):
        for name, stage in yaml_text.parse(file.read_text(encoding="utf-8"))["stages"].items():
            yield file.parent.name, name, stage.get("do", stage)


def test_no_corpus_depends_on_a_training_or_a_model():
    """Nor on a knob of training: what makes a corpus of a system reaches neither its training nor its models."""
    code = project.read(ROOT)
    wrong = {}
    for folder, name, stage in definitions():
        outs = [str(next(iter(out)) if isinstance(out, dict) else out) for out in stage.get("outs", ())]
        if folder not in SYSTEMS or not any(out.startswith("data/corpora") for out in outs):
            continue
        reached = {node.module for node in code.reach(stage["cmd"].split()[2])}
        modules = {f"repline.systems.{folder}.{module}" for module in ("model", "training", "evaluation")}
        used = sorted(module for module in reached if module in modules or module in TRAINING)
        if used or "hardware" in stage.get("params", ()):
            wrong[f"{folder}:{name}"] = used
    assert wrong == {}


def test_how_often_a_training_is_saved_makes_no_stage_stale():
    for folder, name, stage in definitions():
        sections = {str(item).split(".")[0] for item in stage.get("params", ()) if isinstance(item, str)}
        assert "checkpoints" not in sections, f"{folder}:{name}"


def test_one_training_stage_a_variant():
    """A stage that trains is one of several, each with a name of its own, so that one more variant trains alone."""
    for file in sorted(ROOT.glob("stages/*/dvc.yaml")):
        for name, stage in yaml_text.parse(file.read_text(encoding="utf-8"))["stages"].items():
            address = f"{file.parent.name}:{name}"
            if file.parent.name in SYSTEMS and "hardware" in stage.get("do", stage).get("params", ()):
                assert "foreach" in stage or "matrix" in stage or address in WITHOUT_VARIANTS, address

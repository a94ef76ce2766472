"""One training per seed: where the models go, and when the checkpoints do."""

import pytest

from repline.errors import InputError
from repline.training.recipes import Hardware, Recipe
from stages import code_digest
from stages.runs import trained_runs


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text("hardware: {tf32: true}\ncheckpoints: {steps: 5}\n")


def train(run, text):
    """What a training leaves: a model, and checkpoints."""
    if text == "broken":
        raise ValueError("the loss is not finite")
    for folder in (run.folder, run.checkpoint_folder("0123")):
        folder.mkdir(parents=True)
        (folder / "made").write_text(f"{text} {run.seed} {run.threads}")


def test_a_folder_a_seed_and_no_checkpoint_is_left(tmp_path):
    with trained_runs("system", "variant") as runs:
        for seed in (0, 7):
            train(runs.run(seed, "part"), "text")
        assert [path.name for path in runs.checkpoints] == [f"system-variant-part-{seed}-0123" for seed in (0, 7)]
        assert all(folder.exists() for folder in runs.checkpoints)
        assert not (tmp_path / "data/models/system/variant").exists()
    models = tmp_path / "data/models/system/variant/part"
    assert sorted(path.parent.name for path in models.glob("*/made")) == ["seed-0", "seed-7"]
    assert (models / "seed-7/made").read_text() == "text 7 1"
    assert not any(folder.exists() for folder in runs.checkpoints)


def test_after_an_error_the_old_models_and_the_checkpoints_stay(tmp_path):
    models = tmp_path / "data/models/system/variant"
    models.mkdir(parents=True)
    (models / "old").touch()
    with pytest.raises(ValueError, match="not finite"), trained_runs("system", "variant") as runs:
        train(runs.run(0), "text")
        train(runs.run(1), "broken")
    assert runs.checkpoints[0].exists()
    assert [path.name for path in models.iterdir()] == ["old"]
    assert not list(models.parent.glob(".variant*"))


def test_a_run_knows_the_machine_and_a_recipe_overrides_it():
    recipe = Recipe(epochs=1, learning_rate=0.1, batch=2, hardware=Hardware(precision="bf16-mixed"))
    with trained_runs("system", "variant") as runs:
        run = runs.run(0)
    assert run.hardware_for(recipe) == Hardware(tf32=True, precision="bf16-mixed")
    assert run.checkpointing.steps == 5


@pytest.mark.parametrize("text", ["hardware: {tf33: true}", "checkpoints: {step: 5}"])
def test_a_mistake_in_the_machine_is_told_before_anything_is_written(text, tmp_path):
    (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(InputError, match="did you mean"), trained_runs("system", "variant"):
        pass
    assert not (tmp_path / "data/models/system/variant").exists()


def test_a_run_of_dvc_knows_the_digest_of_its_code_and_one_by_hand_looks_it_up(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/code.json").write_text('{"stages": {"urn": {"train": "0123"}}}')
    monkeypatch.setattr(code_digest, "_module", lambda: "stages.urn.train")
    for stage, expected in (("stages/urn/dvc.yaml:train@turn", "0123"), ("", None)):
        monkeypatch.setenv("DVC_STAGE", stage)
        with trained_runs("system", "variant") as runs:
            assert runs.run(0).code_digest == expected
    monkeypatch.setenv("DVC_STAGE", "stages/urn/dvc.yaml:train@turn")
    monkeypatch.setattr(code_digest, "_module", lambda: "stages.urn.other")
    assert code_digest.code_digest() is None

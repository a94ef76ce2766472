"""One training per seed: where the models go, and when the checkpoints do."""

import pytest

from stages import seeds


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text("hardware: {tf32: true}\n")


def _train(text, model, scratch, *, seed, threads, hardware, name):
    assert hardware.tf32
    if text == "broken":
        raise ValueError("the loss is not finite")
    checkpoints = model.parents[2] / scratch / f"{name}-{seed}"
    for folder in (model, checkpoints):
        folder.mkdir(parents=True)
        (folder / "made").write_text(f"{text} {seed} {threads} {name}")
    return checkpoints


def test_a_folder_a_seed_and_no_checkpoint_is_left(tmp_path):
    with seeds.models(tmp_path / "models") as made:
        made.train(_train, "text", seeds=[0, 7], into="part", name="one")
        assert len(made.checkpoints) == 2 and all(folder.exists() for folder in made.checkpoints)
        assert not (tmp_path / "models").exists()
    assert sorted(path.parent.name for path in (tmp_path / "models/part").glob("*/made")) == ["seed-0", "seed-7"]
    assert (tmp_path / "models/part/seed-7/made").read_text() == "text 7 1 one"
    assert not any(folder.exists() for folder in made.checkpoints)


def test_after_an_error_the_old_models_and_the_checkpoints_stay(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models/old").touch()
    with pytest.raises(ValueError, match="not finite"), seeds.models(tmp_path / "models") as made:
        made.train(_train, "text", seeds=[0], into="part", name="one")
        made.train(_train, "broken", seeds=[1], into="part", name="one")
    assert made.checkpoints[0].exists()
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["old"]
    assert not list(tmp_path.glob(".models*"))

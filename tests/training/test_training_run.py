"""A training of your own leaves a whole model, or what was there before and its checkpoints."""

import pytest

from repline.training.training_run import training_run


def test_a_whole_model_and_nothing_else(tmp_path):
    with training_run(tmp_path / "model", seed=3) as this_run:
        assert (this_run.seed, this_run.name) == (3, "model") and not (tmp_path / "model").exists()
        this_run.checkpoint_folder("mark").mkdir(parents=True)
        (this_run.folder / "weights").write_text("new")
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert (tmp_path / "model/weights").read_text() == "new"


def test_an_interrupted_training_keeps_the_old_model_and_its_checkpoints(tmp_path, capsys):
    (tmp_path / "model").mkdir()
    (tmp_path / "model/weights").write_text("old")
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt), training_run(str(tmp_path / "model")) as this_run:
            checkpoints = this_run.checkpoint_folder("mark")
            checkpoints.mkdir(parents=True, exist_ok=True)
            (this_run.folder / "weights").write_text("half")
            raise KeyboardInterrupt
        assert (tmp_path / "model/weights").read_text() == "old" and checkpoints.is_dir()
        assert "model: interrupted; the same command goes on from " in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == [".model-checkpoints", "model"]


def test_a_training_without_checkpoints_does_not_go_on(tmp_path, capsys):
    with pytest.raises(KeyboardInterrupt), training_run(tmp_path / "model"):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == "" and not list(tmp_path.iterdir())

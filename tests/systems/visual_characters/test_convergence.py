import json

from repline.systems.visual_characters.evaluation import Models, unconverged_groups


def trained(folder, losses):
    run = folder / "seed-0"
    run.mkdir(parents=True)
    history = [{"epoch": epoch, "validation_loss": loss} for epoch, loss in enumerate(losses, 1)]
    (run / "training.json").write_text(json.dumps({"history": history}))
    return folder


def test_a_loss_that_still_fell_marks_all_that_the_encoder_is_measured_by(tmp_path):
    models = Models(
        glosses={"emb": trained(tmp_path / "emb", [3, 2, 2.5]), "fc_2l": trained(tmp_path / "fc_2l", [3, 2, 1])},
        taggers={"news": {"emb_adapt": trained(tmp_path / "tagger", [2, 1])}},
        translators={"emb": trained(tmp_path / "translator", [1, 2])},
    )
    expected = ["glosses.fc_2l", "softmax.fc_2l", "similarity.ws.fc_2l", "tagging.news.emb_adapt"]
    assert unconverged_groups(models, ["ws"]) == expected

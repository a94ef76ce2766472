import json
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from repline.errors import InputError
from repline.pretrained import pretrained
from repline.systems.bracket_rnn.awd_lstm import AWDLSTM


@pytest.fixture
def folder(tmp_path):
    AWDLSTM(20, embedding=8, units=8, layers=1).save_pretrained(tmp_path / "model")
    return tmp_path / "model"


def test_a_model_is_read_back(folder):
    model = pretrained(AWDLSTM, folder)
    assert not model.training
    assert model.bias.shape == (20,)


def test_threads_that_read_models_leave_the_standard_output_alone(folder, capsys):
    outputs = set()

    def read(_):
        pretrained(AWDLSTM, folder)
        outputs.add(sys.stdout)

    before = sys.stdout
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(read, range(64)))
    assert outputs == {before} and sys.stdout is before
    assert capsys.readouterr().out == ""


def test_what_is_no_such_model(folder, tmp_path):
    with pytest.raises(InputError, match=r"config.json: there is no such file, so .*absent holds no model"):
        pretrained(AWDLSTM, tmp_path / "absent")
    config = json.loads((folder / "config.json").read_text())
    for change in ({"units": 9, "layers": 2}, {"vocabulary": 21}, {"tied": False}):
        (folder / "config.json").write_text(json.dumps(config | change))
        with pytest.raises(InputError, match=r"model: this is no AWDLSTM of the present code and parameters") as caught:
            pretrained(AWDLSTM, folder)
        assert "\n" not in str(caught.value)
    for damaged in ("[]", "{", "null"):
        (folder / "config.json").write_text(damaged)
        with pytest.raises(InputError, match="this is no AWDLSTM"):
            pretrained(AWDLSTM, folder)
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "model.safetensors").write_bytes(b"no tensors")
    with pytest.raises(InputError, match="this is no AWDLSTM"):
        pretrained(AWDLSTM, folder)


def test_settings_are_those_it_was_trained_with(folder):
    with pytest.raises(InputError, match=r"model: training\.json does not say how this model was trained"):
        pretrained(AWDLSTM, folder, {"epochs": 2})
    (folder / "training.json").write_text(json.dumps({"settings": {"epochs": 2, "betas": [0.9, 0.99]}}))
    pretrained(AWDLSTM, folder, {"epochs": 2, "betas": (0.9, 0.99), "another": 1})
    with pytest.raises(InputError, match="model: this model was trained with epochs 2, and the parameters now say 3; "):
        pretrained(AWDLSTM, folder, {"epochs": 3})

"""Parameter files mean what they mean for DVC, when they are read and when they are written."""

import pytest
from dvc.utils.serialize import loads_yaml

from flows.errors import InputError
from flows.project import hooks, parameters

PLAIN = ["020", "1e-3", "1e3", "089", "0o17", "0b11", "0x1F", "1_000", "12:30:00", "yes", "no", "on", "y", "~", "null"]
PLAIN += [
    "true",
    ".5",
    "5.",
    "+1",
    "-1e5",
    ".5e-3",
    "1.e3",
    ".inf",
    ".nan",
    "2020-01-01",
    "=",
    "<<",
    "a: b",
    "",
    "é",
    "-",
]


@pytest.fixture(autouse=True)
def _any_project(monkeypatch):
    monkeypatch.setattr(hooks, "find", lambda name: None)


def same(left: object, right: object) -> bool:
    return type(left) is type(right) and (left == right or left != left)  # not a number


@pytest.mark.parametrize("text", [plain for plain in PLAIN if plain not in ("a: b", "<<", "-", "=")])
def test_a_plain_word_is_what_dvc_reads(tmp_path, text):
    path = tmp_path / "params.yaml"
    path.write_text(f"train:\n  rate: {text}\n", encoding="utf-8")
    expected = loads_yaml(path.read_text(encoding="utf-8"))["train"]["rate"]
    assert same(parameters.read(path)["train"]["rate"], expected)
    assert same(loads_yaml(parameters.text_of({"rate": expected}))["rate"], expected)


@pytest.mark.parametrize("text", PLAIN)
def test_a_text_stays_a_text(text):
    written = parameters.text_of({"train": {text: [text]}})
    assert loads_yaml(written) == {"train": {text: [text]}}


@pytest.mark.parametrize("value", [1e-5, 1e22, -0.0, float("inf"), 10**30, True, None, [1, [2]], {"a": {}}])
def test_values_stay_what_they_are(value):
    assert loads_yaml(parameters.text_of({"value": value})) == {"value": value}


@pytest.mark.parametrize("text", ["a: [", "a: 1\na: 2", "\ta: 1", "a: \x00", "- 1", ""])
def test_what_is_no_mapping_is_refused(tmp_path, text):
    path = tmp_path / "params.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"^[^\n]*params\.yaml[^\n]*$"):
        parameters.read(path)


def test_an_override_leaves_the_other_parameters_as_they_are(offline):
    offline.write("params.yaml", "size: 1\nswitch: yes\ncode: 020\nat: 12:30:00\nname: '1e-3'\n")
    offline.stages({"a": {"cmd": "echo ${switch} ${code} ${at} > a", "params": ["size", "name"], "outs": ["a"]}})
    offline.flow("-S", "size=2")
    (workspace,) = offline.root.glob("data/scratch/workspaces/*")
    assert (workspace / "a").read_text() == "yes 20 12:30:00\n"
    assert loads_yaml((workspace / "params.yaml").read_text()) == {
        **loads_yaml(offline.read("params.yaml")),
        "size": 2,
    }

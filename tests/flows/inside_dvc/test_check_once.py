"""Files that are checked once are refused as DVC refuses them, and nothing new goes unchecked."""

import pytest
import voluptuous
from dvc import schema
from dvc.exceptions import DvcException
from dvc.utils import strictyaml
from ruamel.yaml import YAML

from flows.inside_dvc.check_once import check_once
from flows.inside_dvc.lock_files import HEAD

PIPELINE, LOCK = schema.COMPILED_MULTI_STAGE_SCHEMA, schema.COMPILED_LOCKFILE_SCHEMA
STAGES = {"plain": {"cmd": "x", "deps": ["a"]}, "each": {"foreach": [1], "do": {"cmd": "y"}}}
BROKEN = {
    "no command": "{deps: [a]}",
    "another key": "{cmd: x, dpes: [a]}",
    "each without do": "{foreach: [1]}",
    "a broken do": "{foreach: [1], do: {cmd: y, outs: 3}}",
    "no mapping": "x",
}


def by_dvc(monkeypatch):
    """DVC as it was released."""
    monkeypatch.setattr(schema, "vol", voluptuous)
    monkeypatch.setattr(strictyaml, "validate", getattr(strictyaml.validate, "released", strictyaml.validate))


@pytest.fixture(autouse=True)
def patched(monkeypatch):
    by_dvc(monkeypatch)
    check_once()
    check_once()


@pytest.fixture
def checked(monkeypatch):
    """The contents that DVC's own check looks at."""
    looked_at = []
    for kind in (PIPELINE, LOCK):
        compiled = kind._compiled
        monkeypatch.setattr(
            kind, "_compiled", lambda path, data, compiled=compiled: looked_at.append(data) or compiled(path, data)
        )
    return looked_at


def lock(**commands):
    return HEAD + "".join(f"  {name}:\n    cmd: {command}\n" for name, command in commands.items())


def check(text, kind):
    return strictyaml.validate(YAML(typ="safe").load(text), kind, text=text, path="here")


def test_each_schema_of_a_stage_is_compiled_once_however_many_stages_there_are(monkeypatch):
    compiled, compile_schema = [], voluptuous.Schema.__init__
    monkeypatch.setattr(
        voluptuous.Schema,
        "__init__",
        lambda self, *given, **options: compiled.append(given[0]) or compile_schema(self, *given, **options),
    )
    many = {f"{name}{number}": body for number in range(30) for name, body in STAGES.items()}
    assert PIPELINE({"stages": many}) == {"stages": many}
    assert compiled == [schema.STAGE_DEFINITION, schema.FOREACH_IN]


def test_the_same_dvc_yaml_is_checked_once_and_another_one_again(checked):
    for text in ("stages: {a: {cmd: x}}", "stages: {a: {cmd: x}}", "stages: {a: {cmd: y}}"):
        check(text, PIPELINE)
    assert [contents["stages"]["a"]["cmd"] for contents in checked] == ["x", "y"]


def test_only_the_new_stages_of_a_lock_are_checked(checked):
    for text in (lock(a="x", b="x"), lock(a="x", b="x"), lock(a="x", b="y", c="z")):
        check(text, LOCK)
    assert [list(contents["stages"]) for contents in checked] == [["a", "b"], ["b", "c"]]
    assert checked[1]["stages"] == {"b": {"cmd": "y"}, "c": {"cmd": "z"}}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_stage_is_refused_with_the_message_of_dvc_each_time(name, monkeypatch):
    text = f"stages:\n  good: {{cmd: x}}\n  bad: {BROKEN[name]}\n"
    messages = _messages(text, PIPELINE), _messages(text, PIPELINE)
    by_dvc(monkeypatch)
    assert {*messages} == {_messages(text, PIPELINE)}


def test_a_broken_stage_of_a_lock_is_refused_when_all_others_are_known(monkeypatch):
    check(lock(a="x", b="y"), LOCK)
    text = lock(a="x", b="y", c="z") + "    outs: 3\n"
    message = _messages(text, LOCK)
    by_dvc(monkeypatch)
    assert message == _messages(text, LOCK) and "outs" in message


def test_what_fits_one_kind_of_file_is_not_taken_for_the_other():
    text = "stages: {a: {cmd: x, wdir: y}}"
    check(text, PIPELINE)
    with pytest.raises(DvcException):
        check(text, LOCK)


def _messages(text, kind):
    with pytest.raises(DvcException) as refused:
        check(text, kind)
    return f"{refused.value}: {refused.value.__cause__}, {refused.value.text}"

"""The digests of this project's code: what they leave out, and why that is right."""

from pathlib import Path

import pytest

import stages
from repline.errors import InputError, shown
from repline.reading.wrong_records import LeftOut, WrongRecord
from stages.code import explain, project
from stages.upkeep import locks

ROOT = Path(stages.__file__).parent.parent
# these import a module by a computed name -> what leads to the module all the same, or why it need not count
BY_NAME = {
    "repline.sources.offline_places:make": "data/code.json has a digest for each generator that sources.yaml names",
    "repline.corpora.annotation:_pipeline": "a pipeline of spaCy, whose package counts with spaCy's version",
    "repline.corpora.entities.entity_recognition:_pipeline": "the same",
    "repline.evaluation.sentences.sentence_encoders:house_system": "its f-string leads to the encoders of all systems",
    "repline.evaluation.sentences.sentence_encoders:_callable": "a person's own encoder, by hand and in no stage",
    "repline.evaluation.sentences.sentence_cache:_sources": "the file of an encoder, for the name of its cache",
    "repline.training.fingerprint:code": "the files of a model and its loss, for the checkpoint's name",
}


@pytest.fixture(scope="module")
def code():
    return project.read(ROOT)


def test_every_import_by_a_computed_name_is_known(code):
    assert set(code.dynamic(project.commands(ROOT))) == BY_NAME.keys()


def test_what_is_left_out_is_there(code):
    """A definition that was renamed would count again, and nobody would see it."""
    for name in project.WITHOUT:
        assert str(code.start(name)) == name


def test_the_extra_that_an_import_misses_counts_for_no_command(code):
    for command in project.commands(ROOT):
        assert not [str(node) for node in code.reach(command) if str(node).startswith("repline.extras:")]


def test_how_a_message_shows_a_value_counts_because_cards_quote_it():
    """Salvage writes messages into the notes of a card, which is a part of an output."""
    left_out = LeftOut("salvage")
    left_out.add(WrongRecord("corpus.txt", "line 1", f"expected a number, found {shown('x' * 100)}"))
    assert any(shown("x" * 100) in note for note in left_out.notes())
    assert not {f"repline.errors:{name}" for name in ("SHOWN", "shown", "readable")} & project.WITHOUT.keys()


def test_an_encoder_is_within_reach_of_what_measures_sentences(code):
    nodes = {str(node) for node in code.reach("stages.sentence_suite.evaluate")}
    assert {"repline.systems.usif.encoder:load", "repline.systems.rnn_cnn.encoder:load"} <= nodes


def test_every_command_and_every_made_source_has_a_digest(code):
    digests = project.digests(ROOT, code)
    assert digests["stages"]["urn"]["train"] == code.digest("stages.urn.train")
    generated = {name for name, generators in project.made_sources(ROOT).items() if generators}
    assert generated == {name for name, digest in digests["sources"].items() if digest} and len(generated) > 5
    assert len(project.commands(ROOT)) > 150


def test_a_module_that_is_no_python_is_named(tmp_path):
    for name, text in {
        "stages/one.py": "from repline.b import f\nf()\n",
        "repline/b.py": "def f():\n    return (1\n",
        "dvc.yaml": "stages:\n  one:\n    cmd: python -m stages.one\n",
        "sources.yaml": "{}\n",
        "requirements.lock": "",
        "requirements-torch.lock": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=r"^repline/b.py, line 2: '\(' was never closed$"):
        project.digests(tmp_path)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("acquir", "there is no stage 'acquir'; the nearest are acquire, "),
        ("nosuch", "there is no stage 'nosuch'; the nearest are "),
        ("usiff:evaluate", "there is no stage 'usiff:evaluate'; the nearest are usif:, "),
        ("usif:evalute", "there is no stage 'usif:evalute'; the nearest are usif:evaluate, "),
        ("stages/usif/dvc.yaml:evalute", "the nearest are stages/usif/dvc.yaml:evaluate, "),
        ("usif", "usif is no stage, but has some: usif:"),
    ],
)
def test_an_unknown_stage_is_told_from_the_files_by_its_nearest_ones(name, said, monkeypatch):
    monkeypatch.setattr(explain, "Repo", None)
    monkeypatch.setattr(explain.locks, "stale", None)
    with pytest.raises(InputError) as caught:
        explain.explain(ROOT, name)
    assert said in str(caught.value) and len(str(caught.value)) < 400


def test_an_unknown_variant_is_told_by_those_of_its_stage(tmp_path, monkeypatch):
    (tmp_path / "stages/toy").mkdir(parents=True)
    (tmp_path / ".dvc").mkdir()
    (tmp_path / ".dvc/config").write_text("[core]\nno_scm = true\nanalytics = false\n")
    steps = "stages: {train: {foreach: [a, bb], do: {cmd: 'make ${item}'}}, other: {cmd: make}}"
    (tmp_path / "stages/toy/dvc.yaml").write_text(steps)
    monkeypatch.setattr(explain.locks, "stale", None)
    monkeypatch.chdir(tmp_path)
    said = "^there is no stage 'toy:train@b'; the nearest are toy:train@bb, toy:train@a$"
    with pytest.raises(InputError, match=said):
        explain.explain(tmp_path, "toy:train@b")


def test_what_changed_is_explained_by_the_way_to_it(tmp_path, monkeypatch):
    commands = "stages:\n  one:\n    cmd: python -m stages.one\n"
    files = {
        "stages/one.py": "from repline.b import f\n\ndef main():\n    f()\n\nif __name__ == '__main__':\n    main()\n",
        "repline/b.py": "def f():\n    return g()\n\ndef g():\n    return 1\n",
        "dvc.yaml": commands,
        "sources.yaml": "{}\n",
        "requirements.lock": "",
        "requirements-torch.lock": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    locks.digest.write(tmp_path)
    before = project.read(tmp_path).digest("stages.one")
    (tmp_path / "repline/b.py").write_text(files["repline/b.py"].replace("return 1", "return 2"))
    monkeypatch.setattr(explain.locks, "stale", lambda root: {"one": [locks.CODE]})
    monkeypatch.setattr(explain, "_check", lambda root, name: None)
    monkeypatch.setattr(explain, "_stage", lambda root, name: ("one", "stages.one", before))
    assert explain.explain(tmp_path, "one") == [
        "one will run:",
        f"  {locks.CODE}",
        "    repline.b:g changed, by stages.one:main -> repline.b:f",
    ]
    monkeypatch.setattr(explain.locks, "stale", lambda root: {})
    assert explain.explain(tmp_path, "one") == ["one is up to date"]

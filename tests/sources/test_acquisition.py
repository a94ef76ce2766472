"""From each kind of place to a verified folder, or to one clear sentence and no folder."""

import errno
import gzip
import hashlib
import importlib.metadata
import io
import json
import os
import shutil
import sys

import fsspec
import pytest

from repline.errors import InputError
from repline.sources.acquisition import acquire
from repline.sources.card import raw_files, read_source_card
from repline.sources.catalogue import Place, Source, SourceFile


def sha256(data):
    return hashlib.sha256(data).hexdigest()


@pytest.fixture(autouse=True)
def no_mirror(monkeypatch):
    monkeypatch.delenv("REPLINE_MIRROR", raising=False)


@pytest.fixture
def bring(tmp_path, patience):
    """Acquire a source made of {file name: (content, *places)} into tmp/raw/text."""

    def bring(files, mirror=None, moving=False):
        entries = tuple(
            SourceFile(name, None if moving else sha256(content), None if moving else len(content), None, places)
            for name, (content, *places) in files.items()
        )
        source = Source("text", "A text", "CC0", "https://example.org/", (), moving, entries)
        return acquire(source, bring.folder, mirror, downloads=bring.downloads, patience=patience)

    bring.folder = tmp_path / "raw" / "text"
    bring.downloads = tmp_path / "downloads"
    return bring


def left(bring):
    """Everything in data/raw, hidden files too."""
    raw = bring.folder.parent
    return sorted(str(path.relative_to(raw)) for path in raw.rglob("*")) if raw.exists() else []


# --- package ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An installed distribution text_pack 1.2 with one file in it."""
    site = tmp_path / "site"
    (site / "text_pack-1.2.dist-info").mkdir(parents=True)
    (site / "text_pack-1.2.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: text-pack\nVersion: 1.2\n")
    (site / "text_pack").mkdir()
    (site / "text_pack" / "a.txt").write_bytes(b"packed text\n")
    monkeypatch.syspath_prepend(str(site))
    assert importlib.metadata.version("text-pack") == "1.2"


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


# --- made ------------------------------------------------------------------------------------------------------------

GENERATOR = """
from repline.errors import InputError
calls = 0
def write(folder, *, seed, lines=2):
    global calls
    calls += 1
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


def test_generator_that_writes_something_else(bring, generator):
    with pytest.raises(InputError, match=r"made text_generator:write: expected sha256 .*, found .*"):
        bring({"a.txt": (b"seed 8\nseed 8\n", generator(seed=7))})
    assert left(bring) == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "missing a required argument: 'seed'"),
        ({"seed": 1, "words": 2}, "got an unexpected keyword argument 'words'"),
        ({"seed": 1, "lines": -1}, "lines should not be negative, found -1"),
    ],
)
def test_generator_with_wrong_arguments(bring, generator, arguments, reason):
    with pytest.raises(InputError) as caught:
        bring({"a.txt": (b"", generator(**arguments))})
    assert reason in str(caught.value)
    assert left(bring) == []


def test_no_such_generator_or_file_of_it(bring, generator):
    for place, reason in (
        (Place("made", "no_such_module:write"), "No module named 'no_such_module'"),
        (Place("made", "text_generator:wrote"), "has no attribute 'wrote'"),
        (generator(seed=1), "the generator wrote no such file"),
    ):
        with pytest.raises(InputError) as caught:
            bring({"c.txt": (b"", place)})
        assert reason in str(caught.value)


# --- mirror ----------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["folder", "memory"])
def mirror(request, tmp_path):
    """A mirror, and the function that puts a file into it."""
    root = str(tmp_path / "mirror") if request.param == "folder" else f"memory://mirror-{os.urandom(4).hex()}"
    system, path = fsspec.core.url_to_fs(root)

    def put(name, data):
        system.makedirs(f"{path}/{name}".rpartition("/")[0], exist_ok=True)
        system.pipe_file(f"{path}/{name}", data)

    return root, put


def test_mirror(bring, mirror, monkeypatch):
    root, put = mirror
    put("texts/a.txt", b"mirrored\n")
    put("texts/b.txt.gz", gzip.compress(b"packed " * 1000))
    files = {
        "a.txt": (b"mirrored\n", Place("mirror", "texts/a.txt")),
        "b.txt": (b"packed " * 1000, Place("mirror", "texts/b.txt.gz", unpack="gzip")),
    }
    card = bring(files, root)
    assert [path.read_bytes() for path in raw_files(bring.folder)] == [b"mirrored\n", b"packed " * 1000]
    assert card["place"] == "mirror"
    assert root not in json.dumps(card)
    before = {path: path.read_bytes() for path in bring.folder.iterdir()}
    shutil.rmtree(bring.folder)
    monkeypatch.setenv("REPLINE_MIRROR", root)
    bring(files)
    assert {path: path.read_bytes() for path in bring.folder.iterdir()} == before


def test_wrong_file_in_the_mirror(bring, mirror):
    root, put = mirror
    put("a.txt", b"wrong")
    with pytest.raises(InputError, match=f"expected sha256 {sha256(b'right')}, found {sha256(b'wrong')}"):
        bring({"a.txt": (b"right", Place("mirror", "a.txt"))}, root)
    put("a.txt", b"short")
    with pytest.raises(InputError, match="expected 6 bytes, found 5"):
        bring({"a.txt": (b"longer", Place("mirror", "a.txt"))}, root)
    assert left(bring) == []


CUT = gzip.compress(b"packed " * 1000, mtime=0)[:-30]


@pytest.mark.parametrize("packed", [b"no gzip at all", CUT, b""], ids=["no-gzip", "cut", "empty"])
def test_broken_gzip_in_the_mirror(bring, mirror, packed):
    root, put = mirror
    put("a.gz", packed)
    with pytest.raises(InputError, match=r"mirror a\.gz: (reading failed|expected 7000 bytes)"):
        bring({"a.txt": (b"packed " * 1000, Place("mirror", "a.gz", unpack="gzip"))}, root)
    assert left(bring) == []


def test_small_archive_never_unpacks_to_more_than_it_should(bring, mirror, monkeypatch):
    root, put = mirror
    put("a.gz", gzip.compress(bytes(50 << 20)))
    with pytest.raises(InputError, match="expected 5 bytes, found more"):
        bring({"a.txt": (b"right", Place("mirror", "a.gz", unpack="gzip"))}, root)


def test_mirror_without_the_file_or_of_an_unknown_kind(bring, mirror):
    root, _ = mirror
    files = {"a.txt": (b"right", Place("mirror", "texts/a.txt"))}
    for wrong, reason in ((root, "there is no such file"), ("nosuch://x", "Protocol not known: nosuch")):
        with pytest.raises(InputError) as caught:
            bring(files, wrong)
        assert f"mirror texts/a.txt: {wrong}: {reason}" in str(caught.value)
    assert left(bring) == []


# --- https and the order of places -----------------------------------------------------------------------------------


def test_https(bring, web, content):
    card = bring({"a.bin": (content, Place("https", web.url))})
    assert raw_files(bring.folder)[0].read_bytes() == content
    assert card["files"] == [{"name": "a.bin", "sha256": sha256(content), "bytes": len(content), "place": "https"}]
    assert list(bring.downloads.iterdir()) == []


def test_https_unpacked(bring, web, answer):
    text = b"some words " * 10000
    packed = gzip.compress(text, mtime=0)
    web.script = [answer(content=packed, cut=100), answer(content=packed)]
    bring({"a.txt": (text, Place("https", web.url, unpack="gzip"))})
    assert raw_files(bring.folder)[0].read_bytes() == text
    assert left(bring) == ["text", "text/a.txt", "text/card.json"]
    assert list(bring.downloads.iterdir()) == []


def test_wrong_file_from_the_web(bring, web, content, answer):
    web.script = [answer(content=content[::-1])]
    with pytest.raises(InputError, match=f"expected sha256 {sha256(content)}, found {sha256(content[::-1])}"):
        bring({"a.bin": (content, Place("https", web.url))})
    assert len(web.seen) == 1
    assert left(bring) == []
    assert list(bring.downloads.iterdir()) == []


def test_wrong_bytes_of_an_earlier_run_cost_one_more_download(bring, web, content, answer):
    for last in (content, content[::-1]):
        # the first bytes are of another file that the server gave out under the same ETag
        web.script = [answer(content=b"?" * len(content), cut=1 << 19), answer(), answer(content=last)]
        web.seen.clear()
        if last == content:
            bring({"a.bin": (content, Place("https", web.url))})
            assert raw_files(bring.folder)[0].read_bytes() == content
            shutil.rmtree(bring.folder)
        else:
            with pytest.raises(InputError, match="expected sha256"):
                bring({"a.bin": (content, Place("https", web.url))})
        assert web.ranges() == [None, f"bytes={1 << 19}-", None]


def test_next_place_is_tried_and_the_reason_is_said(bring, web, mirror, content, capsys):
    root, put = mirror
    put("a.bin", b"wrong")
    places = (Place("mirror", "a.bin"), Place("https", web.url))
    card = bring({"a.bin": (content, *places)}, root)
    assert card["place"] == "https"
    assert f"mirror a.bin: expected {len(content)} bytes, found 5; trying the next place" in capsys.readouterr().err


def test_one_sentence_names_every_place_and_what_to_set(bring, web, content, answer):
    web.script = [answer(status=404)]
    places = (
        Place("package", "no-such-pack==1.0", path="a"),
        Place("mirror", "a.bin"),
        Place("https", web.url),
    )
    with pytest.raises(InputError) as caught:
        bring({"a.bin": (content, *places)})
    assert str(caught.value) == (
        "text: cannot get a.bin (package no-such-pack==1.0: no-such-pack is not installed; "
        f"mirror a.bin: REPLINE_MIRROR is not set; https {web.url}: the server answers 404 Not Found); "
        "run pip install no-such-pack==1.0 or set REPLINE_MIRROR to a folder or an fsspec URL that holds a.bin "
        "or connect to the network and run again"
    )
    assert left(bring) == []


def test_finished_download_waits_for_the_other_files(bring, web, content, answer, mirror):
    root, put = mirror
    files = {"a.bin": (content, Place("https", web.url)), "b.txt": (b"second", Place("mirror", "b.txt"))}
    with pytest.raises(InputError, match=r"cannot get b\.txt"):
        bring(files, root)
    assert left(bring) == []
    put("b.txt", b"second")
    card = bring(files, root)
    assert len(web.seen) == 1
    assert card["place"] == "https, mirror"


# --- what is there already, and a full disk --------------------------------------------------------------------------


def test_right_files_are_kept(bring, web, content, answer):
    files = {"a.bin": (content, Place("https", web.url))}
    bring(files)
    card = (bring.folder / "card.json").read_bytes()
    web.script = [answer(status=404)]
    bring(files)
    assert len(web.seen) == 1
    assert (bring.folder / "card.json").read_bytes() == card
    assert raw_files(bring.folder)[0].read_bytes() == content


def test_damaged_file_is_replaced(bring, web, content, capsys):
    files = {"a.bin": (content, Place("https", web.url))}
    bring(files)
    (bring.folder / "a.bin").write_bytes(content[:-1])
    bring(files)
    assert raw_files(bring.folder)[0].read_bytes() == content
    assert "getting it again" in capsys.readouterr().err


def test_failure_leaves_the_earlier_folder(bring, web, content, answer):
    bring({"a.bin": (content, Place("https", web.url))})
    web.script = [answer(status=404)]
    with pytest.raises(InputError):
        bring({"a.bin": (b"a newer text", Place("https", web.url))})
    assert raw_files(bring.folder)[0].read_bytes() == content
    assert left(bring) == ["text", "text/a.bin", "text/card.json"]


def test_full_disk_leaves_nothing(bring, package, monkeypatch):
    class FullDisk(io.FileIO):
        def write(self, data):
            super().write(data[:5])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.name)

    def open_on_full_disk(path, mode):
        return FullDisk(path, mode) if "w" in mode else open(path, mode)

    monkeypatch.setattr("repline.sources.verify.open", open_on_full_disk, raising=False)
    with pytest.raises(OSError) as caught:
        bring({"a.txt": (b"packed text\n", Place("package", "text-pack==1.2", path="text_pack/a.txt"))})
    assert caught.value.errno == errno.ENOSPC
    assert left(bring) == []


def test_folder_without_card_or_file(bring, package, tmp_path):
    with pytest.raises(InputError, match="no card, so the source is not here; run `dvc repro acquire@text`"):
        raw_files(bring.folder)
    bring({"a.txt": (b"packed text\n", Place("package", "text-pack==1.2", path="text_pack/a.txt"))})
    (bring.folder / "a.txt").unlink()
    with pytest.raises(InputError, match="the card names this file but it is not there"):
        raw_files(bring.folder)
    (bring.folder / "card.json").write_text("{")
    with pytest.raises(InputError, match="not valid JSON"):
        read_source_card(bring.folder)

"""Files out of a mirror, a folder or any other that fsspec knows, or one clear sentence and no folder."""

import gzip
import io
import json
import shutil
import tarfile
import zipfile

import pytest

from repline.errors import InputError
from repline.sources.card import raw_files
from repline.sources.catalogue import Place
from tests.sources.conftest import left, sha256


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


def test_a_moving_file_of_a_mirror_is_what_the_mirror_has_now(bring, mirror):
    root, put = mirror
    files = {"dump.xml": (b"", Place("mirror", "dump.xml"))}
    put("dump.xml", b"old")
    bring(files, root, moving=True)
    put("dump.xml", b"new")
    card = bring(files, root, moving=True)
    assert (bring.folder / "dump.xml").read_bytes() == b"new"
    assert (card["files"][0]["sha256"], card["files"][0]["bytes"]) == (sha256(b"new"), 3)
    for without in (None, f"{root}/empty"):  # no mirror, and one that lost the file
        bring(files, without, moving=True)
        assert [path.read_bytes() for path in raw_files(bring.folder)] == [b"new"]


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


def _zip(name, content):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("other.txt", b"other")
        archive.writestr(name, content)
    return file.getvalue()


def _tar(name, content):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for entry_name, data in (("other.txt", b"other"), (name, content)):
            entry = tarfile.TarInfo(entry_name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file.getvalue()


@pytest.mark.parametrize(
    ("stored", "knobs"),
    [
        (_zip("in/a.txt", "Grüße\nzwei\n".encode()), {"unpack": "zip", "member": "in/a.txt"}),
        (_tar("in/a.txt", "Grüße\nzwei\n".encode()), {"unpack": "tar", "member": "in/a.txt"}),
        (_zip("in/a.txt", "Grüße\r\nzwei\r\n".encode()), {"unpack": "zip", "member": "in/a.txt", "line_ends": "lf"}),
        (gzip.compress("Grüße\rzwei\r".encode("cp1252")), {"unpack": "gzip", "encoding": "cp1252", "line_ends": "lf"}),
        ("Grüße\nzwei\n".encode("cp1252"), {"encoding": "cp1252"}),
        ("Grüße\nzwei".encode(), {"line_ends": "closed"}),
    ],
)
def test_members_of_archives_and_other_texts_become_the_file(bring, mirror, stored, knobs):
    root, put = mirror
    put("a.bin", stored)
    bring({"a.txt": ("Grüße\nzwei\n".encode(), Place("mirror", "a.bin", **knobs))}, root)
    assert (bring.folder / "a.txt").read_bytes() == "Grüße\nzwei\n".encode()


@pytest.mark.parametrize(
    ("stored", "knobs", "message"),
    [
        (_zip("b.txt", b""), {"unpack": "zip", "member": "a.txt"}, "the archive has no member a.txt"),
        (_tar("b.txt", b""), {"unpack": "tar", "member": "a.txt"}, "the archive has no member a.txt"),
        (b"nothing", {"unpack": "zip", "member": "a.txt"}, "expected a zip archive"),
        (b"nothing", {"unpack": "tar", "member": "a.txt"}, "expected a tar archive"),
        (_tar("a.txt", b"right" * 999)[:-20], {"unpack": "tar", "member": "a.txt"}, "expected|reading failed"),
        (_zip("a.txt", bytes(50 << 20)), {"unpack": "zip", "member": "a.txt"}, "expected 5 bytes, found more"),
        (b"caf\xe9\n", {"encoding": "ascii"}, "expected a text in ascii"),
    ],
)
def test_broken_archives_and_texts_are_refused(bring, mirror, stored, knobs, message):
    root, put = mirror
    put("a.bin", stored)
    with pytest.raises(InputError, match=message):
        bring({"a.txt": (b"right", Place("mirror", "a.bin", **knobs))}, root)
    assert left(bring) == []

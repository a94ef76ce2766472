"""From the web or the next place to a verified folder, or to one clear sentence and what was there before."""

import errno
import gzip
import io
import os
import shutil
import subprocess

import pytest

from repline.errors import InputError
from repline.sources.acquisition import acquire
from repline.sources.card import raw_files, read_source_card
from repline.sources.catalogue import Place, Source, SourceFile
from tests.sources.conftest import left, sha256

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


def test_https_recoded(bring, web, answer):
    stored = "Grüße\n".encode("cp1252")
    web.script = [answer(content=stored)]
    bring({"a.txt": ("Grüße\n".encode(), Place("https", web.url, encoding="cp1252"))})
    assert raw_files(bring.folder)[0].read_bytes() == "Grüße\n".encode()
    assert list(bring.downloads.iterdir()) == []


def test_wrong_file_from_the_web(bring, web, content, answer):
    web.script = [answer(content=content[::-1])]
    with pytest.raises(InputError, match=f"expected sha256 {sha256(content)}, found {sha256(content[::-1])}"):
        bring({"a.bin": (content, Place("https", web.url))})
    assert len(web.seen) == 1
    assert left(bring) == []
    assert list(bring.downloads.iterdir()) == []


def test_the_id_in_a_git_repository_stands_for_a_checksum(bring, web, content, answer):
    path = bring.folder.parent.parent / "a.bin"
    path.write_bytes(content)
    blob = subprocess.run(["git", "hash-object", path], capture_output=True, text=True, check=True).stdout.strip()
    file = SourceFile("a.bin", None, None, None, (Place("https", web.url),), git_blob=blob)
    source = Source("text", "A text", "CC0", "https://example.org/", (), False, (file,))
    web.script = [answer(content=content[::-1])]
    with pytest.raises(InputError, match=f"expected a content that Git calls {blob}, found "):
        acquire(source, bring.folder, downloads=bring.downloads)
    web.script = [answer()]
    card = acquire(source, bring.folder, downloads=bring.downloads)
    assert card["files"] == [{"name": "a.bin", "sha256": sha256(content), "bytes": len(content), "place": "https"}]
    web.seen.clear()
    assert acquire(source, bring.folder, downloads=bring.downloads) == card and not web.seen


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

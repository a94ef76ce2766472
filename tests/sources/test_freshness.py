"""Moving sources: which version is here, and whether the public home has another one."""

import hashlib

import pytest

from repline.errors import InputError
from repline.sources.acquisition import acquire
from repline.sources.card import locked, raw_files
from repline.sources.catalogue import Place, Source, SourceFile
from repline.sources.freshness import changed, differs, upstream

DATED = b"<rss><link>http://example.org/simplewiki/20251101</link></rss>"


@pytest.fixture
def source(web):
    web.pages["/file.bin-rss.xml"] = DATED
    place = Place("https", web.url, dated_by=f"{web.url}-rss.xml")
    file = SourceFile("dump.bz2", None, None, None, (place,))
    return Source("dump", "A dump", "CC0", web.root, (), True, (file,))


@pytest.fixture
def bring(source, tmp_path, patience):
    return lambda: acquire(source, tmp_path / "dump", downloads=tmp_path / "downloads", patience=patience)


def test_card_records_the_version_that_was_fetched(bring, source, tmp_path, content, patience):
    card = bring()
    version = {"etag": '"one"', "last_modified": None, "bytes": len(content), "dump_date": "2025-11-01"}
    assert card["files"][0]["upstream"] == version
    assert locked(tmp_path / "dump") == {"dump.bz2": version} == upstream(source, patience)


def test_unchanged_dump_is_not_fetched_again(bring, web, tmp_path):
    bring()
    before = {path.name: path.read_bytes() for path in (tmp_path / "dump").iterdir()}
    bring()
    assert web.ranges() == [None]
    assert {path.name: path.read_bytes() for path in (tmp_path / "dump").iterdir()} == before


def test_new_dump_is_seen_and_fetched(bring, source, web, tmp_path, content, answer, patience):
    bring()
    assert changed(locked(tmp_path / "dump"), upstream(source, patience)) == []
    web.script = [answer(content=b"new dump", etag='"two"')]
    web.pages["/file.bin-rss.xml"] = DATED.replace(b"1101", b"1120")
    assert changed(locked(tmp_path / "dump"), upstream(source, patience)) == ["dump.bz2"]
    card = bring()
    assert raw_files(tmp_path / "dump")[0].read_bytes() == b"new dump"
    assert card["files"][0]["upstream"]["dump_date"] == "2025-11-20"
    assert changed(locked(tmp_path / "dump"), upstream(source, patience)) == []


def test_dump_is_kept_while_its_home_is_out_of_reach(bring, source, web, tmp_path, answer, patience, content, capsys):
    bring()
    web.script = [answer(status=404)]
    bring()
    assert raw_files(tmp_path / "dump")[0].read_bytes() == content
    assert "no news of a newer one: the server answers 404" in capsys.readouterr().err
    with pytest.raises(InputError, match=r"dump: cannot ask http://.* for its version: the server answers 404"):
        upstream(source, patience)


def test_date_that_cannot_be_had_is_no_reason_to_fail(bring, web, capsys):
    web.pages["/file.bin-rss.xml"] = b"no date here"
    assert bring()["files"][0]["upstream"]["dump_date"] is None


def test_empty_dump_is_refused(bring, web, answer, tmp_path):
    web.script = [answer(content=b"")]
    with pytest.raises(InputError, match="expected some bytes, found an empty file"):
        bring()
    assert not (tmp_path / "dump").exists()


@pytest.fixture
def listed(web):
    """Publish the checksums of some bytes under the name that has the date."""
    place = Place("https", web.url, checksums=f"{web.root}/sums.txt")
    file = SourceFile("wiki-latest-dump.bz2", None, None, None, (place,))

    def publish(content, date="20251101", algorithm="sha1"):
        line = f"{hashlib.new(algorithm, content).hexdigest()}  wiki-{date}-dump.bz2\n"
        web.pages["/sums.txt"] = f"{'0' * 40}  wiki-{date}-stub.bz2\n{line}".encode()

    return Source("dump", "A dump", "CC0", web.root, (), True, (file,)), publish


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha256"])
def test_the_list_of_checksums_dates_a_dump_and_checks_it(listed, tmp_path, patience, content, algorithm):
    source, publish = listed
    publish(content, algorithm=algorithm)
    card = acquire(source, tmp_path / "dump", downloads=tmp_path / "downloads", patience=patience)
    version = card["files"][0]["upstream"]
    expected = hashlib.new(algorithm, content).hexdigest()
    assert (version["dump_date"], version["checksum"]) == ("2025-11-01", expected)
    assert changed(locked(tmp_path / "dump"), upstream(source, patience)) == []


def test_a_dump_that_does_not_have_its_checksum_or_is_not_listed_is_refused(listed, tmp_path, patience, content, web):
    source, publish = listed
    publish(content[:-1])
    with pytest.raises(InputError, match=r"expected sha1 .* as its home publishes, found .*: the file is broken"):
        acquire(source, tmp_path / "dump", downloads=tmp_path / "downloads", patience=patience)
    web.pages["/sums.txt"] = b""
    with pytest.raises(InputError, match=r"sums\.txt does not list wiki-latest-dump\.bz2"):
        acquire(source, tmp_path / "dump", downloads=tmp_path / "downloads", patience=patience)
    assert not (tmp_path / "dump").exists() and not list((tmp_path / "downloads").glob("*"))


def test_fixed_source_has_no_upstream(source, patience):
    fixed = Source("text", "", "", "", (), False, source.files)
    assert upstream(fixed, patience) is None


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (None, {"etag": "a"}, True),
        ({"etag": None}, {"etag": "a"}, True),
        ({"etag": '"a"'}, {"etag": 'W/"a"'}, False),
        ({"etag": '"a"', "bytes": 1}, {"etag": '"b"', "bytes": 1}, True),
        ({"last_modified": "Mon", "bytes": 1}, {"last_modified": "Tue", "bytes": 1}, True),
        ({"bytes": 1}, {"bytes": 1}, False),
        ({"bytes": 1}, {"bytes": 2}, True),
        ({"etag": '"a"', "dump_date": "2025-11-01"}, {"etag": '"a"', "dump_date": "2025-11-20"}, True),
        ({"checksum": "a", "etag": '"a"'}, {"checksum": "a", "etag": '"b"'}, False),
        ({"checksum": "a", "etag": '"a"'}, {"checksum": "b", "etag": '"a"'}, True),
        ({"etag": '"a"', "dump_date": None}, {"etag": '"a"', "dump_date": "2025-11-20"}, False),
    ],
)
def test_first_thing_that_both_versions_state_decides(old, new, expected):
    assert differs(old, new) is expected

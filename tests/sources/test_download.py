"""Downloads from a server that stalls, cuts, lies, and changes its mind."""

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from repline.sources.download import download
from repline.sources.verify import Unavailable

HALF = 1 << 19


@pytest.fixture
def fetch(web, tmp_path, patience, content):
    """Download the server's file as a file of known size and checksum, unless told otherwise."""

    def fetch(**options):
        options = {"size": len(content), "checked": True, "patience": patience, "name": "file"} | options
        return download(web.url, tmp_path / "file.partial", **options)

    fetch.partial = tmp_path / "file.partial"
    return fetch


def test_whole_file_in_one_request(web, fetch, content):
    version, continued = fetch()
    assert fetch.partial.read_bytes() == content
    assert version == {"etag": '"one"', "last_modified": None, "bytes": len(content)}
    assert not continued
    assert web.ranges() == [None]


@pytest.mark.parametrize("broken", [{"cut": HALF}, {"stall": HALF}])
def test_cut_or_stalled_transfer_continues_where_it_ended(web, fetch, content, answer, impatience, broken):
    web.script = [answer(**broken), answer()]
    _, continued = fetch(patience=impatience)
    assert fetch.partial.read_bytes() == content
    assert continued
    assert web.ranges() == [None, f"bytes={HALF}-"]
    assert web.seen[1][2]["If-Range"] == '"one"'


def test_gives_up_on_a_server_that_never_sends_a_new_byte(web, fetch, answer, impatience):
    web.script = [answer(cut=HALF), answer(stall=0)]
    with pytest.raises(Unavailable, match=r"no byte came for 0\.3 s \(3 attempts without a new byte\)"):
        fetch(patience=impatience)
    assert len(web.seen) == 4  # the first one brought bytes
    assert fetch.partial.stat().st_size == HALF


def test_goes_on_as_long_as_each_attempt_brings_bytes(web, fetch, content, answer):
    web.script = [answer(cut=1 << 17)]
    fetch()
    assert fetch.partial.read_bytes() == content
    assert len(web.seen) == 8  # more than the 3 attempts of a server without progress


def test_server_that_ignores_ranges_starts_over(web, fetch, content, answer):
    web.script = [answer(cut=HALF), answer(ranges=False)]
    _, continued = fetch()
    assert fetch.partial.read_bytes() == content
    assert not continued
    assert web.ranges() == [None, f"bytes={HALF}-"]


@pytest.mark.parametrize("if_range", [True, False])
def test_new_version_between_attempts_starts_over(web, fetch, content, answer, if_range):
    newer = content[::-1]
    web.script = [answer(cut=HALF), answer(content=newer, etag='"two"', if_range=if_range)]
    version, continued = fetch()
    assert fetch.partial.read_bytes() == newer
    assert version["etag"] == '"two"'
    assert not continued


def test_wrong_length_is_refused_before_a_byte_is_kept(web, fetch, content, answer):
    for length in (len(content) - 1, len(content) + 1):
        web.script = [answer(length=length)]
        with pytest.raises(Unavailable, match=f"expected {len(content)} bytes, the server offers {length}"):
            fetch()
        assert fetch.partial.stat().st_size == 0


def test_too_long_a_length_of_a_file_of_unknown_size_is_an_error(web, fetch, content, answer):
    web.script = [answer(length=len(content) + 1, ranges=False)]
    with pytest.raises(Unavailable, match="attempts without a new byte"):
        fetch(size=None, checked=False)


def test_more_bytes_than_expected_without_a_length(web, fetch, content, answer):
    web.script = [answer(content=content + b"x", chunked=True)]
    with pytest.raises(Unavailable, match=f"expected {len(content)} bytes, the server sends more"):
        fetch()


def test_portal_page_does_not_cost_the_bytes_that_are_here(web, fetch, content, answer):
    web.script = [answer(cut=HALF), answer(content=b"<html>please log in</html>", etag=None, ranges=False)]
    with pytest.raises(Unavailable, match="the server offers 26"):
        fetch()
    assert fetch.partial.read_bytes() == content[:HALF]


def test_chunked_transfer_that_is_cut_continues(web, fetch, content, answer):
    web.script = [answer(chunked=True, cut=HALF), answer(chunked=True)]
    fetch(size=None, checked=False)
    assert fetch.partial.read_bytes() == content
    assert web.ranges() == [None, f"bytes={HALF}-"]


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_refusal_is_final(web, fetch, answer, status):
    web.script = [answer(status=status)]
    with pytest.raises(Unavailable, match=f"the server answers {status}"):
        fetch()
    assert len(web.seen) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_busy_server_is_asked_again(web, fetch, content, answer, status):
    web.script = [answer(status=status, content=b"busy"), answer()]
    fetch()
    assert fetch.partial.read_bytes() == content
    assert len(web.seen) == 2


def test_server_that_stays_busy(web, fetch, answer):
    web.script = [answer(status=503, content=b"busy")]
    with pytest.raises(Unavailable, match="the server answers 503 Service Unavailable"):
        fetch()
    assert len(web.seen) == 3


def test_waits_as_long_as_the_server_asks(web, fetch, answer):
    web.script = [answer(status=503, headers={"Retry-After": "1"}), answer()]
    started = time.monotonic()
    fetch()
    assert time.monotonic() - started >= 1


def test_nobody_listens(web, fetch):
    web.server.shutdown()
    web.server.server_close()
    with pytest.raises(Unavailable, match="3 attempts without a new byte"):
        fetch()


def test_follows_redirects_but_not_to_plain_http(web, fetch, content, answer):
    web.script = [answer(status=302, headers={"Location": "/elsewhere"}, content=b""), answer()]
    fetch()
    assert fetch.partial.read_bytes() == content
    fetch.partial.unlink()
    web.script = [answer(status=302, headers={"Location": "http://example.org/file.bin"}, content=b"")]
    with pytest.raises(Unavailable, match=r"redirects to http://example\.org/file\.bin, which is not https"):
        fetch()


def test_finished_bytes_need_no_second_request(web, fetch):
    fetch()
    fetch()
    assert len(web.seen) == 1


def test_finished_bytes_of_unknown_size_are_compared_with_the_server(web, fetch, content, answer):
    fetch(size=None, checked=False)
    fetch(size=None, checked=False)
    assert web.ranges() == [None, f"bytes={len(content)}-"]
    assert fetch.partial.read_bytes() == content
    newer = content + b"new"
    web.script = [answer(content=newer, etag='"two"')]
    version, _ = fetch(size=None, checked=False)
    assert fetch.partial.read_bytes() == newer
    assert version == {"etag": '"two"', "last_modified": None, "bytes": len(newer)}


@pytest.mark.parametrize(
    "newer",
    [
        {"content": b"shorter", "etag": None},  # no longer has the bytes that are asked for
        {"content": b"!" * HALF, "etag": '"two"', "if_range": False},  # ends where the bytes here end, by chance
    ],
)
def test_file_that_shrank_starts_over(web, fetch, answer, newer):
    web.script = [answer(cut=HALF), answer(**newer), answer(**newer)]
    _, continued = fetch(size=None, checked=True)
    assert fetch.partial.read_bytes() == newer["content"]
    assert not continued


def test_bytes_of_no_known_version_are_not_continued_unless_a_checksum_follows(web, fetch, content, answer):
    for checked, expected in ((False, None), (True, f"bytes={HALF}-")):
        web.script = [answer(etag=None, cut=HALF), answer(etag=None)]
        web.seen.clear()
        fetch.partial.unlink(missing_ok=True)
        fetch(size=None, checked=checked)
        assert web.ranges() == [None, expected]
        assert fetch.partial.read_bytes() == content


def test_date_stands_in_for_a_weak_etag(web, fetch, answer):
    date = "Sat, 01 Nov 2025 10:00:00 GMT"
    weak = {"etag": 'W/"one"', "headers": {"Last-Modified": date}, "if_range": False}
    web.script = [answer(cut=HALF, **weak), answer(**weak)]
    fetch()
    assert web.seen[1][2]["If-Range"] == date


def test_two_processes_do_not_share_a_partial_file(web, fetch):
    with open(fetch.partial, "ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(Unavailable, match="another process"):
            fetch()
    assert web.seen == []


def test_killed_process_leaves_bytes_that_the_next_one_continues(web, fetch, content, answer, tmp_path):
    web.script = [answer(slow=0.2), answer()]
    code = (
        "import sys, pathlib; from repline.sources.download import download;"
        f"download(sys.argv[1], pathlib.Path(sys.argv[2]), name='file', size={len(content)}, checked=True)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, web.url, str(fetch.partial)], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (fetch.partial.exists() and fetch.partial.stat().st_size > 1 << 17):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    size = fetch.partial.stat().st_size
    assert 0 < size < len(content)
    fetch()
    assert web.ranges() == [None, f"bytes={size}-"]
    assert fetch.partial.read_bytes() == content


def test_full_disk_is_known_before_the_first_byte(web, fetch, monkeypatch):
    usage = type("Usage", (), {"free": 1000})
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    with pytest.raises(OSError, match="are needed, 1000 are free") as caught:
        fetch()
    assert caught.value.errno == errno.ENOSPC
    assert fetch.partial.stat().st_size == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_full_disk_while_writing(fetch):
    fetch.partial.symlink_to("/dev/full")
    with pytest.raises(OSError) as caught:
        fetch()
    assert caught.value.errno == errno.ENOSPC


def test_broken_state_file_counts_as_none(web, fetch, content, answer):
    fetch.partial.write_bytes(b"what is this")
    fetch.partial.with_name("file.partial.json").write_text("{half a")
    fetch(checked=False)
    assert web.ranges() == [None]
    assert fetch.partial.read_bytes() == content


def test_log_says_how_far_it_is(web, fetch, capsys, answer):
    web.script = [answer(cut=HALF), answer()]
    fetch()
    said = capsys.readouterr().err
    assert "file: fetching 1.0 MB" in said
    assert "file: 0.5 MB are here, fetching 0.5 MB more" in said
    assert "next attempt in" in said
    assert json.loads(fetch.partial.with_name("file.partial.json").read_text())["url"] == web.url

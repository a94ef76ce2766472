"""The log of a long transfer."""

from repline.sources.transfer_progress import Progress


def test_log_has_a_line_now_and_then(capsys):
    progress = Progress("dump", interval=0.0)
    progress.start(1_000_000, 4_000_000)
    progress.advance(1_000_000)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "dump: 1.0 MB are here, fetching 3.0 MB more"
    assert lines[1].startswith("dump: 2.0 MB of 4.0 MB (50%), ")


def test_log_is_quiet_in_between(capsys):
    progress = Progress("dump", interval=60.0)
    progress.start(0, None)
    for _ in range(1000):
        progress.advance(1)
    assert capsys.readouterr().err == "dump: fetching all there is\n"


def test_terminal_gets_a_bar(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    progress = Progress("dump")
    progress.start(1_000_000, 4_000_000)
    assert "dump:  25%" in capsys.readouterr().err
    progress.advance(1_000_000)
    assert progress.bar.n == 2_000_000
    progress.close()
    assert capsys.readouterr().err.endswith("\r")

"""A stage runs again where a parameter named `size` changed, though it ran before."""

import pytest
from dvc.repo import Repo
from dvc.stage import cache

from flows.inside_dvc.run_cache_key import tell_sizes_apart

PIPELINE = "stages:\n  a:\n    cmd: cp params.yaml out\n    deps: [in]\n    params: [network]\n    outs: [out]\n"


def released_key():
    """DVC's function, also where another test has patched it."""
    return getattr(cache._get_cache_hash, "released", cache._get_cache_hash)


@pytest.fixture
def output_after(tmp_path, monkeypatch):
    """Reproduces a stage with a parameter, and returns what it wrote."""
    monkeypatch.setattr(cache, "_get_cache_hash", released_key())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").write_text("input")
    (tmp_path / "dvc.yaml").write_text(PIPELINE)
    Repo.init(no_scm=True).close()

    def reproduce(parameter):
        (tmp_path / "params.yaml").write_text(f"network: {{{parameter}}}\n")
        with Repo() as repo:
            repo.reproduce()
        return (tmp_path / "out").read_text()

    return reproduce


@pytest.mark.parametrize("name", ["size", "nfiles"])
def test_another_size_is_another_run(output_after, name):
    assert f"{name}: 32" in output_after(f"{name}: 32")
    assert f"{name}: 32" in output_after(f"{name}: 64")  # DVC as released
    tell_sizes_apart()
    tell_sizes_apart()
    output_after(f"{name}: 16")
    assert f"{name}: 8" in output_after(f"{name}: 8")
    assert f"{name}: 16" in output_after(f"{name}: 16")


def test_other_runs_keep_the_key_that_dvc_gives_them(monkeypatch):
    monkeypatch.setattr(cache, "_get_cache_hash", released_key())
    run = {
        "cmd": "a",
        "deps": [{"path": "in", "md5": "1", "size": 3}],
        "params": {"params.yaml": {"sizes": [1, {"b": 2}]}},
    }
    released = [cache._get_cache_hash(dict(run), key=key) for key in (False, True)]
    tell_sizes_apart()
    assert [cache._get_cache_hash(dict(run), key=key) for key in (False, True)] == released
    run["params"]["params.yaml"]["sizes"].append({"size": 1})
    assert cache._get_cache_hash(dict(run)) != released[0]

"""Which version of a library counts, by the lock files that a project has."""

from importlib.metadata import version

import pytest

from flows.code.versions import Versions

TABLE = '[[{0}]]\nname = "PyYAML"\nversion = "1.2"\n[[{0}]]\nname = "me"\nversion = "0.1"\nsource = {{ {1} = "." }}\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("uv.lock", TABLE.format("package", "editable")),
        ("uv.lock", TABLE.format("package", "virtual")),
        ("poetry.lock", TABLE.format("package", "directory")),
        ("pylock.toml", TABLE.format("packages", "directory")),
        ("Pipfile.lock", '{"default": {"pyyaml": {"version": "==1.2"}}}'),
        ("requirements.txt", "# pins\npyyaml[x]==1.2 ; python_version > '3'\nnumpy>=1\n"),
        ("requirements.txt", "pyyaml == 1.2\n"),
        ("requirements-dev.lock", "pyyaml==1.2 \\\n    --hash=sha256:00\n"),
    ],
)
def test_a_lock_file_says_the_version(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    versions = Versions(tmp_path)
    assert versions("yaml") == "pyyaml 1.2"
    assert versions.is_library("yaml")
    assert not versions.is_library("me")
    assert versions("numpy") == f"numpy {version('numpy')}"
    assert versions.unknown == set()


TWO = "".join(f'[[package]]\nname = "pyyaml"\nversion = "{number}"\n' for number in ("1.2", "1.3"))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"uv.lock": TWO}, "1.2 or 1.3"),
        ({"requirements.txt": "pyyaml==1.2; python_version<'3'\npyyaml==1.3 ; python_version>'3'\n"}, "1.2 or 1.3"),
        ({"requirements.txt": "pyyaml==1.2\n", "requirements-docs.txt": "pyyaml==1.1\n"}, "1.2"),
        ({"requirements.txt": "pyyaml @ git+https://a.org/b@0f # x\n"}, "git+https://a.org/b@0f"),
    ],
)
def test_which_pins_count(tmp_path, files, expected):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert Versions(tmp_path)("yaml") == f"pyyaml {expected}"


def test_a_library_that_is_not_installed(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("umap-learn==0.5\n")
    (tmp_path / "inner").mkdir()
    versions = Versions(tmp_path / "inner")
    assert versions("umap") == "umap-learn 0.5"
    assert versions.is_library("umap")
    assert versions("strangelib") == ""
    assert versions.unknown == {"strangelib"}


def test_a_lock_file_that_is_half_merged(tmp_path):
    (tmp_path / "uv.lock").write_text("<<<<<<< HEAD\n")
    assert Versions(tmp_path)("yaml") == f"pyyaml {version('pyyaml')}"

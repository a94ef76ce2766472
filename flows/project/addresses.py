"""Addresses of stages, as people read them, and the file and name that they stand for."""

import re

from flows.project import settings

TRUNK_FILE = "dvc.yaml"  # of the root folder
IN_A_FILE = re.compile(r"((?:.*?/)??dvc\.yaml):(.*)", re.DOTALL)


def of(file: str, name: str) -> str:
    """The address of a stage; `file_and_name` takes it apart again.

    Args:
        file: the dvc.yaml or .dvc file, relative to the root folder.
        name: the stage's; empty for a .dvc file.
    """
    if not name or file != TRUNK_FILE:
        return f"{file}:{name}" if name else file
    return f"{file}:{name}" if name.endswith(".dvc") or IN_A_FILE.fullmatch(name) else name


def file_and_name(address: str) -> tuple[str, str]:
    """The dvc.yaml of a stage and its name, which may hold any character; for a .dvc file the file, and no name."""
    if in_a_file := IN_A_FILE.fullmatch(address):
        return in_a_file[1], in_a_file[2]
    return (address, "") if address.endswith(".dvc") else (TRUNK_FILE, address)


def dvc_yaml(address: str) -> str:
    """The dvc.yaml of a stage; that of the root folder for a .dvc file."""
    file, name = file_and_name(address)
    return file if name else TRUNK_FILE


def short(address: str) -> str:
    """An address without the parts that all share: "urn:train@dyck" for "stages/urn/dvc.yaml:train@dyck"."""
    return without_systems_folder(address).replace("/dvc.yaml:", ":")


def without_systems_folder(address: str) -> str:
    """An address or the path of a dvc.yaml, from below the folder in which the project has its systems."""
    systems = settings.current().systems
    return address.removeprefix(f"{systems}/") if systems else address

"""Addresses of stages, as people read them."""

from flows.project import settings


def short(address: str) -> str:
    """An address without the parts that all share: "urn:train@dyck" for "stages/urn/dvc.yaml:train@dyck"."""
    return without_systems_folder(address).replace("/dvc.yaml:", ":")


def without_systems_folder(address: str) -> str:
    """An address or the path of a dvc.yaml, from below the folder in which the project has its systems."""
    systems = settings.current().systems
    return address.removeprefix(f"{systems}/") if systems else address

"""Addresses of stages, as people read them."""


def short(address: str) -> str:
    """An address without what every address has: "urn:train@dyck" for "stages/urn/dvc.yaml:train@dyck"."""
    return address.removeprefix("stages/").replace("/dvc.yaml:", ":")

"""Addresses of stages, as people read them."""


def short(address: str) -> str:
    """An address without the parts that all share: "urn:train@dyck" for "stages/urn/dvc.yaml:train@dyck"."""
    return address.removeprefix("stages/").replace("/dvc.yaml:", ":")

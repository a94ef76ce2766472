"""Tell runs apart by parameters that are named `size` or `nfiles`.

DVC leaves these keys of outputs and dependencies out of a run's key in the run-cache, and takes them out of parameters,
too: a stage that ran with `size: 32` is not run for `size: 64`, but gets the outputs of 32.
"""

from typing import Any

LEFT_OUT = frozenset({"size", "nfiles"})


def tell_sizes_apart() -> None:
    """Patch DVC: parameters of these names are part of the key; other runs keep the key that DVC gives them."""
    from dvc.stage import cache
    from dvc.utils import dict_sha256

    key_of = cache._get_cache_hash
    if hasattr(key_of, "released"):
        return

    def key_with_sizes(run: dict[str, Any], key: bool = False) -> str:
        parameters = run.get("params")
        released: str = key_of(run, key=key)
        return dict_sha256({"run": released, "params": parameters}) if _names_a_size(parameters) else released

    key_with_sizes.released = key_of  # type: ignore[attr-defined]
    cache._get_cache_hash = key_with_sizes


def _names_a_size(values: Any) -> bool:
    if isinstance(values, dict):
        return not LEFT_OUT.isdisjoint(values) or any(map(_names_a_size, values.values()))
    return isinstance(values, list) and any(map(_names_a_size, values))

"""DVC finds a parameter by comparing its name with that of each other in params.yaml: most of its work for a stage.

Finding that 281 stages are up to date takes 3.5 core-seconds with this and 7.8 without.
"""

from types import SimpleNamespace
from typing import Any


def find_parameters_by_name() -> None:
    """From now on it goes to a parameter by the keys in its name, and searches only when that leads to none."""
    from dvc.dependency import param

    if isinstance(param.dpath, SimpleNamespace):
        return
    search, get = param.dpath.search, param.dpath.get  # which know patterns, indices and names with dots

    def by_name(parameters: Any, name: str, separator: str) -> Any:
        found = parameters
        for key in name.split(separator):
            if not isinstance(found, dict) or key not in found:
                return get(parameters, name, separator=separator)
            found = found[key]
        return found

    param.dpath = SimpleNamespace(get=by_name, search=search)

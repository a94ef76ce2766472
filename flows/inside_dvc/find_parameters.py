"""Look parameters up by their keys: DVC compares a name with every name in params.yaml, most of its work for a stage.

Finding that 281 stages are up to date takes 3.5 core-seconds with this and 7.8 without.
"""

from types import SimpleNamespace
from typing import Any


def find_parameters_by_name() -> None:
    """Patch DVC: it follows the keys in a parameter's name, and searches only if that leads to none."""
    from dvc.dependency import param

    if isinstance(param.dpath, SimpleNamespace):
        return
    search, get = param.dpath.search, param.dpath.get  # these two know patterns, indices and names with dots

    def by_name(parameters: Any, name: str, separator: str) -> Any:
        value = parameters
        for key in name.split(separator):
            if not isinstance(value, dict) or key not in value:
                return get(parameters, name, separator=separator)
            value = value[key]
        return value

    param.dpath = SimpleNamespace(get=by_name, search=search)

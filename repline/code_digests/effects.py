"""Whether importing a module does more by a definition than bind its names."""

import builtins
import sys
from collections.abc import Collection

from .cache import Modules
from .module_definitions import Definition
from .resolution import Names
from .syntax import Chain

# builtins that do something when they are called at import
ACTING_BUILTINS = {
    "__import__",
    "breakpoint",
    "delattr",
    "eval",
    "exec",
    "globals",
    "input",
    "open",
    "print",
    "setattr",
}
# modules of the standard library whose calls at import do nothing but return a value
PURE = {
    *("abc", "collections", "contextlib", "dataclasses", "datetime", "enum", "fractions", "functools", "itertools"),
    *("math", "operator", "pathlib", "re", "string", "struct", "types", "typing"),
}
# methods of strings, numbers and collections that do nothing but return a value
PURE_METHODS = {
    *("difference", "encode", "endswith", "format", "get", "index", "intersection", "items", "join", "keys", "lower"),
    *("removeprefix", "removesuffix", "replace", "split", "splitlines", "startswith", "strip", "union", "upper"),
    "values",
}
# libraries that keep no list of the subclasses of their classes, and so does the standard library
PLAIN_BASES = {
    *("huggingface_hub", "keras", "lightning", "numpy", "pandas", "pydantic", "pydantic_settings", "pytorch_lightning"),
    *("scipy", "sklearn", "tensorflow", "torch", "transformers", "typing_extensions"),
}


class Effects:
    """What importing modules does.

    Args:
        pure: names of libraries, or of functions in them, whose calls do nothing but return a value.
    """

    def __init__(self, modules: Modules, names: Names, pure: Collection[str]):
        self._modules, self._names, self._pure = modules, names, {*PURE, *pure}
        self._acts: dict[tuple[str, str], bool] = {}
        self._positions: dict[tuple[str, str], bool] = {}

    def acts(self, module: str, name: str) -> bool:
        """Whether a definition may do more than bind its names: by a call, or as a subclass of what is told."""
        if (module, name) not in self._acts:
            self._acts[module, name] = False  # a class that is its own base: the definition of that name before it
            definition = self._modules.definitions(module)[name]
            self._acts[module, name] = (
                definition.acts
                or any(self._call_acts(module, chain) for chain in definition.calls)
                or any(self._is_function(module, chain) for chain in definition.passed)
                or any(self._base_acts(module, chain) for chain in definition.bases)
            )
        return self._acts[module, name]

    def depends_on_position(self, module: str, name: str) -> bool:
        """Whether a definition may do or bind something else where it stands before or after another statement.

        It does where it acts, or computes with what another statement may have changed. That a name is bound again is
        no matter here: `module_definitions` counts it.
        """
        if (module, name) not in self._positions:
            chains = self._modules.definitions(module)[name].computed_from
            self._positions[module, name] = self.acts(module, name) or any(
                self._may_change(module, chain) for chain in chains
            )
        return self._positions[module, name]

    def _may_change(self, module: str, chain: Chain) -> bool:
        """Whether a statement may change what a name stands for, with its attributes, without binding the name."""
        if libraries := self._libraries(module, chain):
            return not all(_lies_in(name, PURE) for name in libraries)
        if len(chain) > 1 and chain[0] in self._modules.imported(module):
            return True  # an attribute of a module or of what comes from it
        definitions = self._definitions(module, chain)
        if definitions is None:
            return False  # a built-in, or a variable of a comprehension
        parts = [self._definition(*address) for address in definitions]
        return not parts or not all(part.is_constant or (part.is_function and len(chain) == 1) for part in parts)

    def _call_acts(self, module: str, chain: Chain) -> bool:
        if libraries := self._libraries(module, chain):
            return not all(_lies_in(name, self._pure) for name in libraries)
        if len(chain) == 1:
            return not self._is_builtin(module, chain) or chain[0] in ACTING_BUILTINS
        return chain[-1] not in PURE_METHODS or not self._is_literal(module, chain[:-1])

    def _base_acts(self, module: str, chain: Chain) -> bool:
        plain = self._pure | PLAIN_BASES | sys.stdlib_module_names
        libraries = self._libraries(module, chain)
        if not all(_lies_in(name, plain) for name in libraries):
            return True
        definitions = self._definitions(module, chain)
        if definitions is None:
            return not self._is_builtin(module, chain)
        return any(self.acts(*address) for address in definitions)

    def _is_function(self, module: str, chain: Chain) -> bool:
        """Whether a name stands for a function or class of the project."""
        return any(self._definition(*address).is_function for address in self._definitions(module, chain) or ())

    def _is_literal(self, module: str, chain: Chain) -> bool:
        """Whether a name stands for a collection or a text; one that no definition binds, for a part of one."""
        definitions = self._definitions(module, chain) or ()
        return all(self._definition(*address).is_literal and not self.acts(*address) for address in definitions)

    def _definitions(self, module: str, chain: Chain) -> list[tuple[str, str]] | None:
        """The definitions that a name of the project stands for; None where it binds no such name."""
        nodes = list(self._names.named(module, chain)) if chain[0] else []
        return [(node.module, node.name) for node in nodes if node.kind == "definition"] if nodes else None

    def _definition(self, module: str, name: str) -> Definition:
        return self._modules.definitions(module)[name]

    def _libraries(self, module: str, chain: Chain) -> list[str]:
        """The full names in libraries that a name stands for; what a module of the project imports may lack the end."""
        names: list[str] = []
        for imported in self._modules.imported(module).get(chain[0], ()) if chain[0] else ():
            if not self._names.is_own(imported.module):
                names.append(".".join(filter(None, (imported.module, imported.attribute, *chain[1:]))))
            else:
                nodes = self._names.imported(imported, chain[1:])
                names += (node.module for node in nodes if node.kind == "name")
        return names

    def _is_builtin(self, module: str, chain: Chain) -> bool:
        return not self._definitions(module, chain) and hasattr(builtins, chain[0])


def _lies_in(name: str, names: Collection[str]) -> bool:
    """Whether a full name is in a set of names, or what it lies in is."""
    parts = name.split(".")
    return any(".".join(parts[:depth]) in names for depth in range(1, len(parts) + 1))

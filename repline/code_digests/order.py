"""In which order a module executes what its import executes, as far as another order could give another result."""

import sys
from collections.abc import Collection
from functools import cache

from .cache import Modules
from .effects import Effects
from .resolution import Names
from .statement_reader import Import

Address = tuple[str, str]  # of a definition: module and name


class Order:
    """The order of what some modules execute.

    Args:
        effects: which definitions act, or depend on others that do.
    """

    def __init__(self, modules: Modules, names: Names, effects: Effects):
        self._modules, self._names, self._effects = modules, names, effects
        self._statements = cache(self._counted_statements)
        self._imported = cache(self._modules_of_import)
        self._executed = cache(lambda module: frozenset(names.executed(modules.read(module).imports)))
        self._readers = cache(self._definitions_by_read_name)

    def of(self, module: str, reached: Collection[Address], acting: Collection[str]) -> list[str]:
        """What importing a module executes, in order; imports of libraries that follow each other are sorted.

        Args:
            reached: the definitions that a command reaches.
            acting: the modules in which one of these depends on its position.
        """
        order: list[str] = []
        libraries: set[str] = set()  # since the last statement that counts
        for statement in self._statements(module):
            if isinstance(statement, str):
                counts, name = (module, statement) in reached, statement
            elif self._names.is_own(statement.module):
                counts = not self._imported(statement).isdisjoint(acting)
                name = f"import {statement.module} {statement.attribute}"
            else:
                if self._is_used(module, statement.name, reached):
                    libraries.add(statement.module.split(".")[0])
                continue
            if counts:
                order += [*_sorted_imports(libraries), name]
                libraries = set()
        return [*order, *_sorted_imports(libraries)]

    def depends_on_position(self, module: str, name: str) -> bool:
        """Whether a definition may do something else where it stands before or after another statement."""
        return self._modules.definitions(module)[name].is_main or self._effects.depends_on_position(module, name)

    def _counted_statements(self, module: str) -> list[str | Import]:
        """The statements that may count; none where there are fewer than two, which have no order."""
        statements = [
            statement
            for statement in self._modules.read(module).statements
            if (
                statement.module.split(".")[0] not in sys.stdlib_module_names
                if isinstance(statement, Import)
                else self.depends_on_position(module, statement)
            )
        ]
        return statements if len(statements) > 1 else []

    def _modules_of_import(self, imported: Import) -> frozenset[str]:
        """The modules of the project that an import executes, with those that they import."""
        waiting = list(self._names.executed([imported]))
        modules = set(waiting)
        for module in waiting:  # it grows in the loop
            new = self._executed(module) - modules
            modules |= new
            waiting += new
        return frozenset(modules)

    def _is_used(self, module: str, name: str, reached: Collection[Address]) -> bool:
        """Whether what is reached of a module reads an imported name, or nothing in it does."""
        readers = self._readers(module).get(name, ())
        return not readers or any((module, reader) in reached for reader in readers)

    def _definitions_by_read_name(self, module: str) -> dict[str, list[str]]:
        readers: dict[str, list[str]] = {}
        for definition in self._modules.read(module).definitions:
            for root in {chain[0] for chain in definition.chains}:
                readers.setdefault(root, []).append(definition.name)
        return readers


def _sorted_imports(libraries: Collection[str]) -> list[str]:
    return [" ".join(["import", *sorted(libraries)])] if libraries else []

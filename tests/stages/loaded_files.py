"""`python -m tests.stages.loaded_files MODULE...`: import them, and print what of the project each module loads.

One process imports them all, and an import statement is noted also where its module is loaded already. So what a module
loads is what can be reached from it.
"""

import builtins
import importlib
import json
import sys
from collections import defaultdict
from importlib.util import resolve_name

PROJECT = ("repline", "stages")
loads: dict[str, set[str]] = defaultdict(set)


def note_imports() -> None:
    """From now on `loads` says which modules of the project an import statement of a module has loaded."""
    plain, plain_by_name = builtins.__import__, importlib.import_module

    def note(importer: str, *names: str) -> None:
        for name in names:
            while name.split(".")[0] in PROJECT and name not in loads[importer]:
                if name in sys.modules:  # not a function or class
                    loads[importer].add(name)
                name = name.rpartition(".")[0]

    def noted(name, globals=None, locals=None, fromlist=(), level=0):
        module = plain(name, globals, locals, fromlist, level)
        importer = (globals or {}).get("__name__")  # none in code that is made at run time
        if importer:
            absolute = resolve_name("." * level + name, globals.get("__package__"))
            note(importer, absolute, *(f"{absolute}.{part}" for part in fromlist or ()))
        return module

    def noted_by_name(name, package=None):
        module = plain_by_name(name, package)
        note(sys._getframe(1).f_globals["__name__"], module.__name__)
        return module

    builtins.__import__, importlib.import_module = noted, noted_by_name


def reached(module: str) -> set[str]:
    """The module, and all that it loads, directly or not."""
    known, waiting = set(), [module]
    while waiting:
        name = waiting.pop()
        if name not in known:
            known.add(name)
            waiting += loads[name]
    return known


if __name__ == "__main__":
    note_imports()
    for name in sys.argv[1:]:
        importlib.import_module(name)
    loaded = {name: sorted(reached(name)) for name in sys.argv[1:]}
    of_project = {name: module for name, module in sys.modules.items() if name.split(".")[0] in PROJECT}
    files = {name: module.__file__ for name, module in of_project.items() if module.__file__}  # a bare folder has none
    print(json.dumps({"loaded": loaded, "files": files}))

"""`python -m tests.stages.loaded_files MODULE`: import it, and print the files of all modules that are then loaded."""

import importlib
import sys

if __name__ == "__main__":
    importlib.import_module(sys.argv[1])
    print(*(module.__file__ for module in sys.modules.values() if getattr(module, "__file__", None)))

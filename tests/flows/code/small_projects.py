"""Small projects, as file -> text, whose `f` or `Model` a test edits: `2 * x` in it is another number then."""

import textwrap

F = "def f(x=3):\n    return 2 * x\n"
MODEL = "class Model:\n    def run(self, x=3):\n        return 2 * x\n"
# what `run` does by way of `f` or `Model`, whose number is edited
SEEN = {
    "a module that its package imports": {
        "run": "import pkg\nprint(pkg.helper.f())\n",
        "pkg/__init__": "from . import helper\n",
        "pkg/helper": F,
    },
    "the same by its full name, under its name": {
        "run": "from pkg import helper\nprint(helper.f())\n",
        "pkg/__init__": "from pkg import helper as helper\n",
        "pkg/helper": F,
    },
    "the same, by a function of the package": {
        "run": "import pkg\nprint(pkg.g())\n",
        "pkg/__init__": "from . import helper\n\ndef g():\n    return helper.f()\n",
        "pkg/helper": F,
    },
    "two modules that import the name from each other": {
        "run": "from a import f\nprint(f())\n",
        "a": "try:\n    from b import f\nexcept ImportError:\n" + textwrap.indent(F, "    "),
        "b": "try:\n    from a import f\nexcept ImportError:\n    pass\n",
    },
    "a computed attribute of a package": {
        "run": "import sys, pkg\nprint(getattr(pkg, sys.argv[1])().run())\n",
        "pkg/__init__": "from .models import Model\n",
        "pkg/models": MODEL,
    },
    "a computed attribute of a package whose modules the user imports": {
        "run": "import sys, pkg, pkg.models\nprint(getattr(pkg, sys.argv[1]).Model().run())\n",
        "pkg/__init__": "",
        "pkg/models": MODEL,
    },
    "the same, imported after the package is taken": {
        "run": """
            import sys, pkg

            def get(name):
                return getattr(pkg, name).Model()

            def main():
                import near
                print(get(sys.argv[1]).run())

            main()
            """,
        "near": "import pkg.models\n",
        "pkg/__init__": "",
        "pkg/models": MODEL,
    },
    "a module that is an argument": {
        "run": "import near\nfrom build import build\nprint(build(near, 'Model').run())\n",
        "build": "def build(module, name):\n    return module.__dict__[name]()\n",
        "near": "import models\nfrom models import Model\n",
        "models": MODEL,
    },
    "the settings of a module, which come from another": {
        "run": "import config\nprint({name: value for name, value in vars(config).items() if name.isupper()})\n",
        "config": "from base import *\n",
        "base": "x = 3\nX = 2 * x\n",
    },
    "an import under a name that the function assigns, too": {
        "run": """
            def main():
                try:
                    from helper import f as compute
                except ImportError:
                    compute = None
                print(compute())

            main()
            """,
        "helper": F,
    },
    "a module under whose name the function puts something else": {
        "run": "def main():\n    import models\n    models = models.Model()\n    print(models.run())\n\nmain()\n",
        "models": MODEL,
    },
    "an import in place of a parameter": {
        "run": """
            def main(model=None):
                if model is None:
                    from models import Model as model
                print(model().run())

            main()
            """,
        "models": MODEL,
    },
    "an import under the name of an outer parameter": {
        "run": """
            def outer(f=None):
                def inner():
                    from helper import f
                    return f()
                return inner()

            print(outer())
            """,
        "helper": F,
    },
    "a global under the name of an outer variable": {
        "run": """
            from helper import f

            def outer():
                f = None
                def inner():
                    global f
                    return f()
                return inner(), f

            print(outer())
            """,
        "helper": F,
    },
    "an import in the body of a class": {
        "run": """
            class Model:
                if True:
                    from helper import f
                __mul__ = __rmul__ = lambda self, number: number

                def run(self):
                    return self.f()

            print(Model().run())
            """,
        "helper": F,
    },
    "modules that a package looks for": {
        "run": "import pkg\nprint(pkg.load())\n",
        "pkg/__init__": """
            import importlib, pkgutil

            def load():
                names = [found.name for found in pkgutil.iter_modules(__path__)]
                return [importlib.import_module("." + name, __package__).f() for name in names]
            """,
        "pkg/helper": F,
    },
    "modules that a package loads later": {
        "run": "import pkg\nprint(pkg.f())\n",
        "pkg/__init__": """
            import lazy_loader

            __getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs={"inner": ["f"]})
            """,
        "pkg/inner": F,
    },
    "a function that a text names": {
        "run": "from hydra.utils import get_method\nNAME = 'pkg.helper.f'\nprint(get_method(NAME)())\n",
        "pkg/helper": F,
    },
    "a star, and a computed list of names": {
        "run": "from pkg import *\nprint(helper.f())\n",
        "pkg/__init__": "import os\n__all__ = [name[:-3] for name in os.listdir(__path__[0]) if name[0] != '_']\n",
        "pkg/helper": F,
    },
    "a star of the package itself, and a list of its modules": {
        "run": "import pkg\nfrom registry import KINDS\nprint(KINDS[0]())\n",
        "registry": "KINDS = []\n",
        "pkg/__init__": "__all__ = ['helper', 'other']\nfrom . import *\n",
        "pkg/helper": f"import registry\n\n{F}\nregistry.KINDS.append(f)\n",
        "pkg/other": "",
    },
    "stars in a circle": {
        "run": "import near\nprint(near.g())\n",
        "near": "from deep import *\nfrom far import *\n",
        "far": "from near import *\n\ndef g():\n    return f()\n",
        "deep": F,
    },
    "a module whose main block is run": {
        "run": "import runpy, work\nrunpy.run_module('work', run_name='__main__')\n",
        "work": "def f(x):\n    return x\n\nif __name__ == '__main__':\n    x = 3\n    print(f(2 * x))\n",
    },
    "a file that is run by its path": {
        "run": "from runpy import run_path\nrun_path('steps/work.py', run_name='__main__')\n",
        "steps/work": "if __name__ == '__main__':\n    x = 3\n    print(2 * x)\n",
    },
    "a constant that a query names": {
        "run": "from near import rows\nprint(rows())\n",
        "near": """
            import pandas

            x = 3
            LIMIT = 2 * x

            def rows(least="a"):
                return pandas.DataFrame({"a": [7]}).query(f"{least} > @LIMIT")
            """,
    },
    "an import in the main block": {
        "run": """
            def run():
                return f()

            if __name__ == "__main__":
                from helper import f
                print(run())
            """,
        "helper": F,
    },
}

# expressions by which `run` takes `f` of helper, or of a package: how it is imported, and called
BY_NAME = {
    "import_module": ("import importlib", "importlib.import_module('helper').f()"),
    "import_module under another name": ("from importlib import import_module as load", "load('helper').f()"),
    "a module in a package": ("from importlib import import_module", "import_module('.helper', 'pkg').f()"),
    "locate": ("from pydoc import locate", "locate('helper.f')()"),
    "resolve_name": ("import pkgutil", "pkgutil.resolve_name('helper:f')()"),
    "the names of this module": ("from helper import f", "vars()['f']()"),
    "a loaded module": ("import sys, helper", "getattr(sys.modules['helper'], 'f')()"),
    "this module": ("import sys\nfrom helper import f", "getattr(sys.modules[__name__], 'f')()"),
    "lazy_loader": ("import lazy_loader as lazy", "lazy.load('helper').f()"),
    "fire": ("import fire\nfrom helper import f", "fire.Fire()"),
    "a file": ("import importlib.util as u", "u.spec_from_file_location('h', 'helper.py')"),
    "the modules of a package": ("import pkgutil, pkg", "list(pkgutil.iter_modules(pkg.__path__))"),
    "the path of a file": ("import runpy", "runpy.run_path('helper.py')"),
    "names of a caller": ("import sys\nfrom helper import f", "sys._getframe(0).f_globals['f']()"),
}
ONLY_SAID = {"names of a caller"}  # these cannot be followed
REGISTRY = """
    import strangelib
    from strangelib import Task, task

    KINDS = []

    def register(kind):
        KINDS.append(kind)

    class Base:
        def __init_subclass__(cls):
            register(cls)

    class Meta(type):
        def __init__(cls, *_):
            register(cls)

    class Routes:
        def get(self, path):
            return register

    R = Routes()
    BY_NAME = {"r": R, "s": Routes()}
    """
# how a module that is imported, and never named, registers what it defines
REGISTERING = {
    "a base that is told": "from registry import Base\n" + MODEL.replace("Model", "Model(Base)"),
    "a base that is told, further up": (
        "import registry\nclass Near(registry.Base):\n    pass\n" + MODEL.replace("Model", "Model(Near)")
    ),
    "a metaclass": "from registry import Meta\n" + MODEL.replace("Model", "Model(metaclass=Meta)"),
    "a base of an unknown library": "from strangelib import Task\n" + MODEL.replace("Model", "Model(Task)"),
    "a base of an unknown library, by way of the project": (
        "from registry import Task\n" + MODEL.replace("Model", "Model(Task)")
    ),
    "the same, further up": "import registry\n" + MODEL.replace("Model", "Model(registry.strangelib.Task)"),
    "a decorator of an unknown library, by way of the project": f"import registry\n\n@registry.task\n{F}",
    "map": f"from registry import register\n{F}done = list(map(register, [f]))\n",
    "a lambda": f"from registry import register\n{F}done = sorted([f], key=lambda function: register(function))\n",
    "partial": f"from functools import partial\nfrom registry import register\n{F}done = partial(register, f)()\n",
    "a method like that of a mapping": f"from registry import R\n@R.get('/a')\n{F}",
    "the same of an item": f"import registry\n@registry.BY_NAME['s'].get('/a')\n{F}",
}
# what does no more than define
DEFINING = {
    "classes": "from torch import nn\nclass Near(nn.Module, dict):\n    pass\n" + MODEL.replace("Model", "Model(Near)"),
    "classes, by way of the project": "import near\n" + MODEL.replace("Model", "Model(near.nn.Module, near.Module)"),
    "a decorator that only keeps, by way of the project": f"from near import cache\n\n@cache\n{F}",
    "a metaclass of abc": "import abc\n" + MODEL.replace("Model", "Model(metaclass=abc.ABCMeta)"),
    "tables": f"""{F}
A = {{'a': f}}
B = sorted(A.items(), key=lambda x: x[0].lower())
C = [x.split() for x in A.keys()]
""",
    "factories": f"""{F}
import dataclasses

@dataclasses.dataclass
class A:
    a: int = dataclasses.field(default_factory=f)
""",
}

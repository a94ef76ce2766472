"""Files of the project that the library takes along when it is installed: params.yaml and sources.yaml."""

import sysconfig
from pathlib import Path

from repline.errors import InputError


def project_file(name: str) -> Path:
    """The path of a file of the project: in the present folder, in the library's checkout, or installed with it.

    Raises:
        InputError: no folder has the file.
    """
    folders = (Path(), Path(__file__).parents[1], Path(sysconfig.get_path("data"), "share", "repline"))
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise InputError(f"{name}: expected it in one of {', '.join(map(str, folders))}; install repline again")

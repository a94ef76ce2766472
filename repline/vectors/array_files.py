"""Arrays of numbers in NumPy's files, as people bring them."""

import tokenize
import zipfile
from pathlib import Path

import numpy as np

from repline.errors import InputError, in_one_line

_MALFORMED = (SyntaxError, tokenize.TokenError, zipfile.BadZipFile, OverflowError, MemoryError)  # of a damaged head


def mapped_array(path: Path) -> np.memmap:
    """The array of a .npy file, as a read-only memory map; no pickle is loaded.

    Raises:
        FileNotFoundError: there is no such file.
        InputError: the file is cut, changed, or of another format.
    """
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise
    except (OSError, ValueError, EOFError, *_MALFORMED) as error:
        raise InputError(f"{path}: this is no whole .npy file of numbers ({in_one_line(error)})") from None
    if not isinstance(array, np.memmap):
        raise InputError(f"{path}: expected a .npy file of numbers, found an archive; unpack it")
    return array

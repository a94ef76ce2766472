"""Settings of Prefect that it refuses when it is imported, in words."""

import re
import tomllib
from pathlib import Path
from typing import Any

from flows.servers.prefect_server import settings_files

DOTENV = Path(".env")  # Prefect reads that of the folder that it is imported in


def reason(error: Any) -> str | None:
    """Which setting of Prefect is wrong, and how; None for any other error. Imports neither Prefect nor Pydantic."""
    if isinstance(error, tomllib.TOMLDecodeError):
        return next(filter(None, map(_not_toml, settings_files())), None)
    if type(error).__name__ == "SettingsError":  # a file of settings as a whole, which the message names
        return f"Prefect refuses its settings: {error}; correct them"
    if isinstance(error, UnicodeDecodeError) and DOTENV.is_file() and DOTENV.read_bytes().startswith(error.object):
        return f"Prefect reads the file .env here, which is not UTF-8 text: {error}; save it as UTF-8"
    title = getattr(error, "title", "")
    if type(error).__name__ != "ValidationError" or not str(title).endswith("Settings"):
        return None
    first = error.errors()[0]
    group = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]+", title.removesuffix("Settings"))
    words = [str(word) for word in first["loc"]]
    given_by_variable = words and words[0].upper().startswith("PREFECT_")
    name = "_".join(words if given_by_variable else ["PREFECT", *group, *words]).upper()
    return f"Prefect's setting {name} is {first['input']!r}: {first['msg']}; correct or unset it"


def _not_toml(path: Path) -> str | None:
    """What is wrong with a file that is not valid TOML; None for one that is, or is not there."""
    try:
        tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        return None
    except ValueError as error:
        return f"Prefect reads its settings in {path}, which is not valid TOML: {error}; correct or remove it"
    return None

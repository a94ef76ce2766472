"""Settings of Prefect that it refuses when it is imported, in words."""

import re
from typing import Any


def reason(error: Any) -> str | None:
    """Which setting of Prefect is wrong, and how; None for any other error. Imports neither Prefect nor Pydantic."""
    title = getattr(error, "title", "")
    if type(error).__name__ != "ValidationError" or not str(title).endswith("Settings"):
        return None
    first = error.errors()[0]
    group = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z]+", title.removesuffix("Settings"))
    words = [str(word) for word in first["loc"]]
    given_by_variable = words and words[0].upper().startswith("PREFECT_")
    name = "_".join(words if given_by_variable else ["PREFECT", *group, *words]).upper()
    return f"Prefect's setting {name} is {first['input']!r}: {first['msg']}; correct or unset it"

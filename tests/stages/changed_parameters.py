"""A workspace's params.yaml with some values changed."""

from pathlib import Path

import yaml


def change(workspace: Path, at: str, **changes: object) -> None:
    """Set values in the section `at`, its names joined by dots."""
    values = yaml.safe_load((workspace / "params.yaml").read_text())
    place = values
    for name in at.split("."):
        place = place[name]
    place |= changes
    (workspace / "params.yaml").write_text(yaml.safe_dump(values))

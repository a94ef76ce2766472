"""Tables and texts of a project as artifacts of the flow run."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from prefect import get_run_logger
from prefect.artifacts import create_markdown_artifact, create_table_artifact

from flows.project import hooks


def comparison(profile: str, lines: Sequence[str]) -> None:
    """Make an artifact of the lines, if any, that compare the run with an earlier one."""
    if lines:
        escaped = [line.replace("|", "\\|").replace("\n", " ") for line in lines]
        create_markdown_artifact(
            "\n".join(f"* {line}" for line in escaped),
            key=re.sub(r"[^a-z0-9-]+", "-", f"{profile}-reference".lower()),
            description=f"This run against the reference results of profile {profile}",
        )


def written(root: Path, profile: str, outs: Iterable[str]) -> None:
    """Make an artifact of each table and text that the project has for some outputs, which this run wrote."""
    artifacts_of_project = hooks.find("artifacts")
    for artifact in artifacts_of_project(root, profile, list(outs)) if artifacts_of_project else ():
        if "complaint" in artifact:
            get_run_logger().warning("%s", artifact["complaint"])
        elif "table" in artifact:
            create_table_artifact(artifact["table"], key=artifact["key"], description=artifact["description"])
        else:
            create_markdown_artifact(artifact["markdown"], key=artifact["key"], description=artifact["description"])

"""The reference results of the checkout, and which parameters have changed since; the same from a workspace of it."""

from pathlib import Path

from repline import parameters
from repline.report import changed_parameters, reference
from repline.report.result_records import ReferenceResults

WORKSPACES = Path("data/scratch/workspaces")


def checkout(root: Path = Path()) -> Path:
    """The checkout that a workspace belongs to; any other folder is one itself."""
    here = root.resolve()
    return (
        here.parents[len(WORKSPACES.parts)] if here.parent.parts[-len(WORKSPACES.parts) :] == WORKSPACES.parts else here
    )


def read(root: Path = Path()) -> tuple[dict[str, ReferenceResults], dict[str, dict[str, list[str]]]]:
    """The results by profile, and by system and profile the parameters that have changed since they were measured.

    The parameters are those of the checkout: a workspace has those of one profile alone.
    """
    folder = checkout(root)
    references = reference.read(folder / "results")
    path = folder / "params.yaml"
    return references, changed_parameters.older(references, parameters.read(path), folder) if path.exists() else {}

"""The options of `dvc repro` that a single stage runs with."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class StageOptions:
    """What `dvc repro` is asked for, for a single stage.

    Attributes:
        force: run it even if nothing changed.
        pull: pull data that is missing.
        allow_missing: leave it alone if it is unchanged except for missing data.
        no_commit: do not put into the cache what it writes.
        no_run_cache: run it even if it has run before with the same command and inputs.
        interactive: ask before it runs.
    """

    force: bool = False
    pull: bool = False
    allow_missing: bool = False
    no_commit: bool = False
    no_run_cache: bool = False
    interactive: bool = False

    def arguments(self) -> list[str]:
        """The arguments for the command `dvc repro`."""
        return [f"--{name.replace('_', '-')}" for name, is_on in asdict(self).items() if is_on]

    def keywords(self) -> dict[str, bool]:
        """The keywords for DVC's `Repo.reproduce`."""
        options = asdict(self)
        return {"run_cache": not options.pop("no_run_cache"), **options}

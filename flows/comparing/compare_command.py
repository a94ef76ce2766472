"""The command `compare`: which metrics of two revisions, or of a run and a reference, differ by more than they may."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from flows.comparing import comparison, tolerances, values
from flows.errors import InputError
from flows.inside_dvc.quick_reading import read_quickly

OUTSIDE = 1


@dataclass(frozen=True)
class Options:
    """What is compared, and how it is shown.

    Attributes:
        revisions: none: HEAD and the workspace; one: it and the workspace; two: the earlier and the later.
        reference: a file that `save` wrote, in place of the earlier revision.
        save: the file that the later metrics are written to, as a reference; nothing is compared then.
        tolerances: a YAML file; None: tolerances.yaml of the project, if it has one.
        plots: compare the rows of plots, too.
        all: show what is the same, too.
    """

    revisions: Sequence[str] = ()
    reference: Path | None = None
    save: Path | None = None
    tolerances: Path | None = None
    plots: bool = False
    all: bool = False
    format: str = "table"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command line."""
    parser.add_argument("revisions", nargs="*", metavar="REV", help="one or two revisions of Git (default: HEAD)")
    parser.add_argument(
        "--reference",
        type=Path,
        metavar="FILE",
        help="compare with the metrics that --save wrote, instead of an earlier revision",
    )
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="write the metrics as a reference, and compare nothing"
    )
    parser.add_argument(
        "--tolerances",
        type=Path,
        metavar="FILE",
        help="read from FILE how far each metric may move (default: tolerances.yaml)",
    )
    parser.add_argument("--plots", action="store_true", help="compare the rows of plots as well")
    parser.add_argument("--all", action="store_true", help="show metrics that are the same as well")
    parser.add_argument(
        "--format",
        choices=sorted(comparison.FORMATS),
        default="table",
        help="form of the output (default: %(default)s)",
    )


def options(arguments: argparse.Namespace) -> Options:
    """The options that the command line gave.

    Raises:
        InputError: three revisions or more.
    """
    if len(arguments.revisions) > 2:
        raise InputError(f"expected at most two revisions, found {len(arguments.revisions)}")
    names = (field.name for field in fields(Options))
    return Options(**{name: getattr(arguments, name) for name in names})


def command(root: Path, options: Options) -> int:
    """Print the differences; returns 1 where a number moved too far or is gone, and 0 otherwise.

    Raises:
        InputError: a revision, a file or the tolerances cannot be read, or there is nothing to compare.
    """
    earlier, later = _sides(options)
    read_quickly()
    after = _files(root, later, options.plots)
    if options.save:
        options.save.write_text(json.dumps(after, indent=2, sort_keys=True, default=str) + "\n", encoding="utf-8")
        print(f"{options.save}: {len(values.flat(after))} numbers of {later}")
        return 0
    before = values.reference(options.reference) if options.reference else _files(root, earlier, options.plots)
    differences = comparison.compare(values.flat(before), values.flat(after), tolerances.read(options.tolerances, root))
    if not differences:
        raise InputError(f"neither {options.reference or earlier} nor {later} has metrics: there is nothing to compare")
    shown = [difference for difference in differences if options.all or difference.status != "same"]
    if shown or options.format == "json":
        print(comparison.FORMATS[options.format](shown))
    counts = {status: sum(difference.status == status for difference in differences) for status in _words()}
    line = ", ".join(f"{counts[status]} {word}" for status, word in _words().items() if counts[status])
    print(f"{options.reference or earlier} and {later}: {line}", file=sys.stderr)
    return OUTSIDE if comparison.fails(differences) else 0


def _words() -> dict[str, str]:
    return {
        "same": "the same",
        "within": "within their tolerance or interval",
        "outside": "outside",
        "gone": "gone",
        "new": "new",
    }


def _sides(options: Options) -> tuple[str, str]:
    """The earlier and the later revision."""
    if options.reference and len(options.revisions) > 1:
        raise InputError("expected at most one revision to compare with a reference, found two")
    if options.reference or options.save:
        return "", options.revisions[0] if options.revisions else values.WORKSPACE
    earlier, later = [*options.revisions, *["HEAD", values.WORKSPACE][len(options.revisions) :]]
    return earlier, later


def _files(root: Path, revision: str, with_plots: bool) -> dict[str, object]:
    return values.metrics(root, revision) | (values.plots(root, revision) if with_plots else {})

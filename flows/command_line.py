"""The command line of `dvc-parallel`: its commands and their options."""

import argparse

from flows.comparing import compare_command
from flows.program import program
from flows.workspaces.profiles import default

DESCRIPTION = "Run the stages of a DVC project in parallel. Each command explains its options with --help."
SELECTION = (  # the options of `dvc repro` that say which stages run, with its meanings
    (("-f", "--force"), "run the targets, and the stages they need, even if nothing changed"),
    (("-s", "--single-item"), "run the targets alone, without the stages they need"),
    (("-p", "--pipeline"), "run all of the pipelines that the targets belong to"),
    (("-P", "--all-pipelines"), "run every stage of the project"),
    (("--downstream",), "run the targets and the stages that depend on them"),
    (("-R", "--recursive"), "take the targets as folders, and run all stages in them"),
    (("--glob",), "take the targets as patterns of names of stages"),
    (("--force-downstream",), "rerun whatever depends on a stage that ran, even if its inputs came out the same"),
    (("--pull",), "pull missing data from the DVC remote"),
    (("--allow-missing",), "skip a stage whose data is missing but otherwise unchanged"),
    (("--no-commit",), "do not put into the cache what the stages write"),
    (("--no-run-cache",), "run a stage even if it has run before with the same command and inputs"),
    (("-i", "--interactive"), "ask on the terminal before each stage that has changed"),
    (("--ignore-errors",), "run whatever depends on a failed stage, and end as if none had failed"),
    (("--dry",), "print which stages would run, and run none"),
)
MAX_PORT = 65535


def parser() -> argparse.ArgumentParser:
    """The parser of the command line; it stores the name of the command as `name`."""
    parser = argparse.ArgumentParser(prog=program(), description=DESCRIPTION)
    commands = parser.add_subparsers(required=True, dest="name", metavar="COMMAND")

    run = commands.add_parser("reproduce", help="bring the DVC graph up to date, running ready stages in parallel")
    _add_reproduce(run)

    refresh = commands.add_parser("refresh", help="look for newer upstream data and reproduce what depends on it")
    refresh.add_argument(
        "--profile", help="look at the sources of profiles/PROFILE.yaml (default: the profile that the project names)"
    )
    refresh.add_argument("-v", "--verbose", action="store_true", help="print every line that a stage prints")

    serve = commands.add_parser("serve", help="serve the Prefect UI, with reproduce and the schedule of refresh")
    serve.add_argument(
        "--port",
        type=_port,
        help="port of the server, where none is configured; a free one where it is taken (default: 4200)",
    )

    cost = commands.add_parser("cost", help="show the core-seconds and peak memory of each system in its last runs")
    _add_profile(cost, "read the run records of this profile")

    log = commands.add_parser("log", help="show time, memory and output of the run that a stage's results come from")
    log.add_argument("stage", metavar="STAGE", help="the stage, as DVC names it in the project's root folder")
    log.add_argument("--rev", metavar="REV", help="take the results of this Git revision (default: of the workspace)")
    _add_profile(log, "read the run records of this profile")

    explain = commands.add_parser("explain", help="say why a stage will run, without running it")
    explain.add_argument("stage", metavar="STAGE", help="a stage, dvc.yaml file, output or system")
    _add_profile(explain, "look at the workspace of this profile")

    digests = commands.add_parser("digests", help="write digests of the code that each stage's command can reach")
    digests.add_argument(
        "--add", action="store_true", help="let the stages of the project's dvc.yaml files depend on these digests"
    )

    compare = commands.add_parser("compare", help="show which metrics of two revisions differ by more than they may")
    compare_command.add_arguments(compare)
    _add_profile(compare, "look at the workspace of this profile")
    return parser


def _add_reproduce(run: argparse.ArgumentParser) -> None:
    run.add_argument(
        "targets", nargs="*", metavar="TARGET", help="a stage, file, output or system (default: the dvc.yaml here)"
    )
    run.add_argument(
        "--jobs", type=_positive, metavar="N", help="run at most N stages at the same time (default: processor cores)"
    )
    _add_profile(run, "run with profiles/PROFILE.yaml over params.yaml, in a workspace of its own")
    run.add_argument(
        "-S",
        "--set-param",
        dest="overrides",
        action="append",
        default=[],
        metavar="[FILE:]NAME=VALUE",
        help="set one parameter, such as train.seed=1, over the profile, in a workspace of its own; may be repeated",
    )
    run.add_argument(
        "--runner", choices=("threads", "dask"), default="threads", help="run stages here, or on a Dask cluster"
    )
    run.add_argument("--address", default="", help="address of the Dask scheduler, such as tcp://host:port")
    run.add_argument(
        "--remote",
        metavar="NAME",
        help="the workers of --runner dask have checkouts of their own, and get data through this DVC remote",
    )
    run.add_argument(
        "--prefect",
        action=argparse.BooleanOptionalAction,
        help="record the run in Prefect (default: where a server is configured; else --prefect starts one for the run)",
    )
    for flags, text in SELECTION:
        run.add_argument(*flags, action="store_true", help=text)
    run.add_argument(
        "-k",
        "--keep-going",
        dest="ignore_errors",
        action="store_false",
        default=False,
        help="accepted because `dvc repro` has it: a failed stage never stops the stages beside it (takes back "
        "--ignore-errors before it)",
    )
    run.add_argument("-v", "--verbose", action="store_true", help="print every line that a stage prints")


def _add_profile(command: argparse.ArgumentParser, text: str) -> None:
    command.add_argument("--profile", default=default(), help=f"{text} (default: %(default)s)")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, found {text!r}")
    return int(text)


def _port(text: str) -> int:
    if (port := _positive(text)) > MAX_PORT:
        raise argparse.ArgumentTypeError(f"expected a port, at most {MAX_PORT}, found {text!r}")
    return port

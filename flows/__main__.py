"""Run a DVC graph in parallel: `reproduce | refresh | serve | cost | log`, see `--help` of each."""

import argparse
import importlib.util
import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, fields
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from flows.errors import InputError
from flows.servers import prefect_server

if TYPE_CHECKING:
    from flows.planning.dvc_graph import Stage
    from flows.planning.selection import Selection
    from flows.running.outcome import Verdict

SHOWN = ("targets", "force")  # parameters of a flow run that Prefect shows even when they are empty
MANY_STAGES = 6  # from this many on it saves time to import their libraries once, before forking


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        prefect_server.use_writable_home()
        return options.command(options)
    except InputError as error:
        print(f"flows {options.name}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"flows {options.name}: interrupted", file=sys.stderr)
        return 130


def _reproduce(options: argparse.Namespace) -> int:
    if options.runner == "dask":
        from flows.servers import cluster

        cluster.check(options.address)
    elif options.address:
        raise InputError("--address is for --runner dask")
    url = prefect_server.configured() if _wants_prefect(options) else None
    if url:
        prefect_server.check(url)
    can_fork = url and options.runner == "threads"  # a Dask client has started threads, which a fork does not copy
    root, plan = _read_while_importing_prefect(options) if can_fork else _read(options, _start_early(options))

    from flows.display import dry_run, live_page
    from flows.servers import nothing_to_do
    from flows.workspaces import profiles

    parameters = _parameters(options)
    changed = [stage for stage in plan.values() if not stage.fingerprint]
    if options.dry:
        print("\n".join(dry_run.lines(plan, options.force)))
        return 0
    if not changed and (not url or nothing_to_do.tell(url, plan, parameters)):
        print(f"Nothing to do, stages up to date: {len(plan)}")
        live_page.write_missing(root)
        profiles.say_where(root, options.profile)
        return 0

    from flows.processes import stage

    stage.prepare(root if sum(to_run.is_module for to_run in changed) >= MANY_STAGES else None)
    if not _wants_prefect(options):
        return _run_in_threads(options, root, plan)
    return _run_in_prefect(options, root, plan, parameters, url)


def _wants_prefect(options: argparse.Namespace) -> bool:
    """Whether Prefect records the run: where a server is configured, or the options say so."""
    installed = importlib.util.find_spec("prefect") is not None
    if (options.prefect or options.runner == "dask") and not installed:
        raise InputError("--prefect and --runner dask need Prefect; install dvc-parallel[prefect,dask]")
    if options.prefect is not None:
        return options.prefect
    return options.runner == "dask" or (installed and prefect_server.configured() is not None)


def _selection(options: argparse.Namespace) -> "Selection":
    from flows.planning.selection import Selection

    names = [entry.name for entry in fields(Selection)]
    return Selection(**{name: getattr(options, name) for name in names})


def _parameters(options: argparse.Namespace) -> dict[str, Any]:
    """The parameters of the Prefect flow."""
    settings = {name: getattr(options, name) for name in ("profile", "overrides", "jobs")}
    return settings | {name: value for name, value in asdict(_selection(options)).items() if value or name in SHOWN}


def _run_in_threads(options: argparse.Namespace, root: Path, plan: "dict[str, Stage]") -> int:
    from flows.running import console
    from flows.running.threads import ThreadRunner
    from flows.running.whole_run import Run, carry_out, slots_of_this_machine

    run = Run(root, plan, options.profile, _selection(options), is_whole=not options.overrides)
    runner = ThreadRunner(say=lambda line: print(line, flush=True)) if options.verbose else ThreadRunner()
    slots = slots_of_this_machine(options.jobs)
    return console.show(lambda: carry_out(run, slots, runner), options.profile, options.verbose)


def _run_in_prefect(
    options: argparse.Namespace, root: Path, plan: "dict[str, Stage]", parameters: dict[str, Any], url: str | None
) -> int:
    with ExitStack() as stack:
        server = None if url else stack.enter_context(prefect_server.own())

        from flows.planning import dvc_graph
        from flows.reproduce import reproduce
        from flows.running import prefect_console
        from flows.running.prefect_tasks import as_verdict, submitted
        from flows.servers import cluster

        flow = reproduce
        if options.runner == "dask":
            flow = reproduce.with_options(task_runner=cluster.runner(options.address, root))
        dvc_graph.already_read.set((root, plan))

        def run() -> "Verdict":
            if server:
                server.wait()
            state = flow(**parameters, return_state=True)
            if server:
                server.settle(submitted)
            return as_verdict(state)

        return prefect_console.show(run, options.profile, options.verbose)


def _start_early(options: argparse.Namespace) -> Callable[[], None]:
    """Start the process that starts the stages as soon as there is one to run, while the plan is read."""
    from flows.project import settings

    def start() -> None:
        from flows.processes import stage

        stage.prepare()

    # with libraries it takes the whole plan to know whether it is worth while to import them
    return (lambda: None) if options.dry or settings.current().fork else start


def _read(options: argparse.Namespace, changed: Callable[[], None]) -> "tuple[Path, dict[str, Stage]]":
    """The root folder and its plan; `changed` is called for every stage that has to run."""
    from flows.planning import dvc_graph
    from flows.workspaces import profiles

    root = profiles.enter(options.profile, options.overrides)
    return root, dvc_graph.read(root, _selection(options), changed)


def _read_telling(options: argparse.Namespace, news: int) -> "tuple[Path, dict[str, Stage]]":
    """Read the plan, and write a byte to the pipe `news` for every stage that has to run; close it at the end."""
    with open(news, "wb", buffering=0) as pipe:
        return _read(options, lambda: _tell(pipe))


def _tell(pipe: BinaryIO) -> None:
    pipe.write(b"!")


def _read_while_importing_prefect(options: argparse.Namespace) -> "tuple[Path, dict[str, Stage]]":
    """Read the plan (`_read`) in a forked process, and import Prefect here as soon as it reports a stage to run."""
    reading, writing = os.pipe()
    with ProcessPoolExecutor(1, get_context("fork"), signal.signal, (signal.SIGINT, signal.SIG_DFL)) as pool:
        plan = pool.submit(_read_telling, options, writing)
        os.close(writing)  # the forked process has its copy
        if os.read(reading, 1) and not options.dry:
            from flows import reproduce  # noqa: F401
            from flows.running import prefect_console  # noqa: F401
            from flows.workspaces import profiles

            profiles.resolve_path_variables()
        os.close(reading)
        return plan.result()


def _refresh(options: argparse.Namespace) -> int:
    from flows import refresh

    return refresh.command(options.profile, options.verbose)


def _serve(options: argparse.Namespace) -> int:
    from flows import serve

    return serve.command(options.port)


def _cost(options: argparse.Namespace) -> int:
    from flows import cost

    try:
        code = cost.command(options.profile)
        sys.stdout.flush()
    except BrokenPipeError:  # `| head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _log(options: argparse.Namespace) -> int:
    from flows.records import log_command
    from flows.workspaces import profiles

    return log_command.command(profiles.folder(options.profile), options.stage, options.rev)


def _explain(options: argparse.Namespace) -> int:
    from flows.planning import explain_command
    from flows.workspaces import profiles

    return explain_command.command(profiles.folder(options.profile), options.stage)


def _compare(options: argparse.Namespace) -> int:
    from flows.comparing import compare_command
    from flows.workspaces import profiles

    return compare_command.command(profiles.folder(options.profile), compare_command.options(options))


def _parser() -> argparse.ArgumentParser:
    from flows.comparing import compare_command
    from flows.workspaces.profiles import default

    parser = argparse.ArgumentParser(prog=_program(), description=__doc__)
    commands = parser.add_subparsers(required=True, dest="name")

    run = commands.add_parser("reproduce", help="bring the DVC graph up to date, ready stages at the same time")
    run.add_argument("targets", nargs="*", metavar="TARGET", help="a stage, file, output or system (default: dvc.yaml)")
    run.add_argument("--jobs", type=_positive, metavar="N", help="stages at the same time (default: processor cores)")
    run.add_argument(
        "--profile", default=default(), help="profiles/PROFILE.yaml over params.yaml, in its own workspace"
    )
    run.add_argument(
        "-S",
        "--set-param",
        dest="overrides",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter over those of the profile, such as train.seed=1, in a workspace of its own; may be repeated",
    )
    run.add_argument("--runner", choices=("threads", "dask"), default="threads", help="where the stages run")
    run.add_argument("--address", help="the Dask scheduler: tcp://host:port")
    run.add_argument(
        "--prefect",
        action=argparse.BooleanOptionalAction,
        help="record the run in Prefect (default: where a server is configured; else --prefect starts one for the run)",
    )
    _add_selection(run)
    run.add_argument("--verbose", action="store_true", help="print every line of every stage as it comes")
    run.set_defaults(command=_reproduce)

    refresh = commands.add_parser("refresh", help="look for newer upstream data and reproduce what depends on it")
    refresh.add_argument("--profile", help="as for reproduce (default: what the project says)")
    refresh.add_argument("--verbose", action="store_true", help="as for reproduce")
    refresh.set_defaults(command=_refresh)

    serve = commands.add_parser("serve", help="the Prefect UI, with reproduce and the schedule of refresh")
    serve.add_argument("--port", type=_positive, default=4200, help="preferred port of the server (default: 4200)")
    serve.set_defaults(command=_serve)

    cost = commands.add_parser("cost", help="core-seconds and peak memory of each system, from the runs so far")
    cost.add_argument("--profile", default=default(), help="as for reproduce")
    cost.set_defaults(command=_cost)

    log = commands.add_parser("log", help="how a run of a stage went, found by what dvc.lock says of the stage")
    log.add_argument("stage", metavar="STAGE", help="as DVC names it in the project's root folder")
    log.add_argument("--rev", metavar="REV", help="the dvc.lock of a revision of Git (default: as it is now)")
    log.add_argument("--profile", default=default(), help="as for reproduce")
    log.set_defaults(command=_log)

    explain = commands.add_parser("explain", help="why a stage will run; nothing is run")
    explain.add_argument("stage", metavar="STAGE", help="a stage, dvc.yaml, output or system")
    explain.add_argument("--profile", default=default(), help="as for reproduce")
    explain.set_defaults(command=_explain)

    compare = commands.add_parser("compare", help="which metrics of two revisions differ by more than they may")
    compare_command.add_arguments(compare)
    compare.add_argument("--profile", default=default(), help="as for reproduce")
    compare.set_defaults(command=_compare)
    return parser


def _program() -> str:
    """What this command is called: `dvc-parallel`, where it is installed."""
    program = Path(sys.argv[0]).name
    return "python -m flows" if program == "__main__.py" else program


def _add_selection(run: argparse.ArgumentParser) -> None:
    """The options of `dvc repro`, with its meanings."""
    for flags, text in (
        (("-f", "--force"), "run them, and what they need, even if nothing changed"),
        (("-s", "--single-item"), "the targets alone, without what they need"),
        (("-p", "--pipeline"), "all of the pipelines that the targets belong to"),
        (("-P", "--all-pipelines"), "every stage of the project"),
        (("--downstream",), "the targets and what depends on them"),
        (("-R", "--recursive"), "the targets are folders, and all stages in them are meant"),
        (("--glob",), "the targets are patterns of names of stages"),
        (("--force-downstream",), "what depends on a stage that ran runs too, even if its inputs came out the same"),
        (("--pull",), "pull data that is missing"),
        (("--allow-missing",), "leave a stage alone that is unchanged but for missing data"),
        (("--dry",), "print what would run"),
        (("-k", "--keep-going"), "go on with what does not depend on a failed stage, as always"),
    ):
        run.add_argument(*flags, action="store_true", help=text)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, found {text!r}")
    return int(text)


def entry() -> None:
    """The program `dvc-parallel`."""
    status = main()
    sys.stdout.flush()
    sys.exit(status)


if __name__ == "__main__":
    entry()

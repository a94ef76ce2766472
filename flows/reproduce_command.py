"""The command `reproduce`: read the plan, and run it in threads or as a flow run of Prefect."""

import argparse
import gc
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, nullcontext
from dataclasses import asdict, dataclass, fields
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from flows import output
from flows.errors import InputError
from flows.planning.selection import Selection
from flows.servers import prefect_server

if TYPE_CHECKING:
    from flows.planning.dvc_graph import Stage
    from flows.running.outcome import Verdict

SHOWN = ("targets", "force")  # parameters of a flow run that Prefect shows even when they are empty
MANY_STAGES = 6  # from this many on it saves time to import their libraries once, before forking


@dataclass(frozen=True)
class Options:
    """What runs, and where.

    Attributes:
        profile: the name of a profile, whose parameters go over params.yaml.
        overrides: single parameters over those, as NAME=VALUE.
        jobs: stages at the same time; None: as many as the machine has processor cores.
        runner: `threads` of this machine, or `dask`.
        address: the address of the Dask scheduler; empty without Dask.
        remote: the DVC remote through which workers with a checkout of their own get data; None: they share this one.
        prefect: whether Prefect records the run; None: where a server is configured.
        dry: print what would run, and run nothing.
        verbose: print every line that a stage prints.
    """

    selection: Selection
    profile: str
    overrides: Sequence[str] = ()
    jobs: int | None = None
    runner: str = "threads"
    address: str = ""
    remote: str | None = None
    prefect: bool | None = None
    dry: bool = False
    verbose: bool = False


def options(arguments: argparse.Namespace) -> Options:
    """The options that the command line gave."""
    selection = Selection(**{field.name: getattr(arguments, field.name) for field in fields(Selection)})
    names = [field.name for field in fields(Options) if field.name != "selection"]
    return Options(selection, **{name: getattr(arguments, name) for name in names})


def command(options: Options) -> int:
    """Bring the graph up to date; returns the exit code.

    Raises:
        InputError: options that exclude each other, an unknown target or profile, or a configured server that does not
            answer.
    """
    if options.selection.interactive and (options.prefect or options.runner == "dask"):
        raise InputError("--interactive asks on this terminal, and not with --prefect or --runner dask; leave one out")
    if options.remote and (options.runner != "dask" or options.overrides or options.selection.single_item):
        raise InputError("--remote is for --runner dask, and not with -S or --single-item; leave one out")
    if options.runner == "dask":
        from flows.servers import cluster

        cluster.check(options.address, shared=options.remote is None)
    elif options.address:
        raise InputError("--address names a Dask scheduler, which only --runner dask uses; give both or neither")
    url = prefect_server.configured() if _wants_prefect(options) else None
    if url:
        prefect_server.check(url)
    gc.disable()  # modules and the graph stay: looking for garbage among them takes a seventh of a run without work
    can_fork = url and options.runner == "threads"  # a Dask client has started threads, which a fork does not copy
    root, plan = _read_while_importing_prefect(options) if can_fork else _read(options, _start_early(options))

    from flows.display import dry_run, live_page
    from flows.servers import nothing_to_do
    from flows.workspaces import profiles

    gc.freeze()
    gc.enable()
    parameters = _parameters(options)
    changed = [stage for stage in plan.values() if not stage.fingerprint]
    if options.dry:
        print("\n".join(dry_run.lines(plan, options.selection.force)))
        return 0
    if not changed and (not url or nothing_to_do.tell(url, plan, parameters)):
        for line in (line for stage in plan.values() for line in stage.warnings):
            output.say(f"warning: {line}", sys.stderr)
        print(f"Nothing to do, stages up to date: {len(plan)}")
        live_page.write_outdated(root)
        profiles.say_where(root, options.profile)
        return 0

    from flows.processes import stage

    stage.prepare(root if sum(to_run.is_module for to_run in changed) >= MANY_STAGES else None)
    if not _wants_prefect(options):
        return _run_in_threads(options, root, plan)
    if not url and options.runner == "threads":
        return _run_while_prefect_starts(options, root, plan, parameters)
    return _run_in_prefect(options, root, plan, parameters, url)


def _wants_prefect(options: Options) -> bool:
    """Whether Prefect records the run: where a server is configured, or the options say so."""
    if options.prefect or options.runner == "dask":
        prefect_server.check_installed("--prefect and --runner dask need", extras="prefect,dask")
    if options.prefect is not None:
        return options.prefect
    if options.selection.interactive:
        return False
    return options.runner == "dask" or (prefect_server.installed() and prefect_server.configured() is not None)


def _parameters(options: Options) -> dict[str, object]:
    """The parameters of the Prefect flow; a selection that is empty is left out."""
    selection = {name: value for name, value in asdict(options.selection).items() if value or name in SHOWN}
    if options.remote:
        selection["remote"] = options.remote
    return {"profile": options.profile, "overrides": options.overrides, "jobs": options.jobs} | selection


def _run_in_threads(options: Options, root: Path, plan: "dict[str, Stage]") -> int:
    from flows.running import console
    from flows.running.threads import ThreadRunner
    from flows.running.whole_run import Run, carry_out, slots_of_this_machine

    run = Run(root, plan, options.profile, options.selection, is_whole=not options.overrides)
    slots, runner = slots_of_this_machine(options.jobs), ThreadRunner(_say if options.verbose else _say_nothing)
    return console.show(lambda: carry_out(run, slots, runner), options.profile, options.verbose)


def _run_while_prefect_starts(
    options: Options, root: Path, plan: "dict[str, Stage]", parameters: Mapping[str, object]
) -> int:
    """Start the run at once, and go on with it as a flow when a server of its own answers, which takes seconds."""
    from flows.running import console, head_start
    from flows.running.whole_run import Run, slots_of_this_machine

    run = Run(root, plan, options.profile, options.selection, is_whole=not options.overrides)
    slots = slots_of_this_machine(options.jobs)
    with prefect_server.own() as server:

        def bring() -> None:
            from flows import reproduce  # noqa: F401
            from flows.running import prefect_console  # noqa: F401

            server.wait()

        def start() -> "Verdict":
            beginning = head_start.HeadStart(run, slots, _say if options.verbose else _say_nothing)
            head_start.begun.set(beginning)
            with beginning.opened():
                if stopped := beginning.until(head_start.in_background(bring)):
                    return stopped

                from flows.reproduce import reproduce
                from flows.running import prefect_console
                from flows.running.prefect_tasks import as_verdict, submitted

                with nullcontext() if options.verbose else prefect_console.console_kept_free():
                    state = reproduce(**parameters, return_state=True)  # type: ignore[call-overload]
                    server.settle(submitted)
            return as_verdict(state)

        logs = console.no_logs if options.verbose else console.logs_to
        return console.show(start, options.profile, options.verbose, logs)


def _say(line: str) -> None:
    output.say(line, sys.stdout)


def _say_nothing(line: str) -> None:
    pass


def _run_in_prefect(
    options: Options, root: Path, plan: "dict[str, Stage]", parameters: Mapping[str, object], url: str | None
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


def _start_early(options: Options) -> Callable[[], None]:
    """Start the process that starts the stages as soon as there is one to run, while the plan is read."""
    from flows.project import settings

    def start() -> None:
        from flows.processes import stage

        stage.prepare()

    # with libraries it takes the whole plan to know whether it is worth while to import them
    return (lambda: None) if options.dry or settings.current().fork else start


def _read(options: Options, changed: Callable[[], None]) -> "tuple[Path, dict[str, Stage]]":
    """The root folder and its plan; `changed` is called for every stage that has to run."""
    from flows.planning import dvc_graph
    from flows.workspaces import profiles

    root = profiles.enter(options.profile, options.overrides)
    return root, dvc_graph.read(root, options.selection, changed, waits=not options.dry)


def _read_telling(options: Options, news: int) -> "tuple[Path, dict[str, Stage]]":
    """Read the plan, and write a byte to the pipe `news` for every stage that has to run; close it at the end."""
    with open(news, "wb", buffering=0) as pipe:
        return _read(options, lambda: _tell(pipe))


def _tell(pipe: BinaryIO) -> None:
    pipe.write(b"!")


def _end_like_the_flow() -> None:
    """Let Ctrl-C end the process that reads the plan, and a kill of the flow, too."""
    from flows.processes import orphans

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    orphans.end_with_the_parent()


def _read_while_importing_prefect(options: Options) -> "tuple[Path, dict[str, Stage]]":
    """Read the plan (`_read`) in a forked process, and import Prefect here as soon as it reports a stage to run."""
    try:
        executor = ProcessPoolExecutor(1, get_context("fork"), _end_like_the_flow)
    except OSError:  # it needs a semaphore, and there is none where /dev/shm is read-only
        return _read(options, lambda: None)
    reading, writing = os.pipe()
    with executor as pool:
        plan = pool.submit(_read_telling, options, writing)
        os.close(writing)  # the forked process has its copy
        if os.read(reading, 1) and not options.dry:
            from flows import reproduce  # noqa: F401
            from flows.running import prefect_console  # noqa: F401
            from flows.workspaces import profiles

            profiles.resolve_path_variables()
        os.close(reading)
        return plan.result()

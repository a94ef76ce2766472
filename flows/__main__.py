"""`python -m flows reproduce | refresh | serve | cost`: see `--help` of each."""

import argparse
import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from typing import BinaryIO

from flows.errors import InputError
from flows.servers import prefect_server

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

    url = prefect_server.configured()
    if url:
        prefect_server.check(url)
    can_fork = url and options.runner == "threads"  # a Dask client has started threads, which a fork does not copy
    root, plan = _read_while_importing_prefect(options) if can_fork else _read(options)

    from flows.display import live_page
    from flows.planning import dvc_graph
    from flows.servers import nothing_to_do
    from flows.workspaces import profiles

    parameters = {name: getattr(options, name) for name in ("targets", "profile", "overrides", "jobs", "force")}
    changed = [stage for stage in plan.values() if not stage.fingerprint]
    if not changed and (not url or nothing_to_do.tell(url, plan, parameters)):
        print(f"Nothing to do, stages up to date: {len(plan)}")
        live_page.write_missing(root)
        profiles.say_where(root, options.profile)
        return 0

    from flows.processes import stage

    with ExitStack() as stack:
        stage.prepare(root if sum(to_run.is_module for to_run in changed) >= MANY_STAGES else None)
        server = None if url else stack.enter_context(prefect_server.own())

        from flows.display import console
        from flows.reproduce import reproduce
        from flows.running.graph_run import submitted

        flow = reproduce
        if options.runner == "dask":
            flow = reproduce.with_options(task_runner=cluster.runner(options.address, root))
        dvc_graph.already_read.set((root, plan))

        def run():
            if server:
                server.wait()
            state = flow(**parameters, return_state=True)
            if server:
                server.settle(submitted)
            return state

        return console.show(run, options.profile, options.verbose)


def _read(options: argparse.Namespace, news: int | None = None) -> tuple:
    """The root folder and its plan; the pipe `news` gets a byte for every stage that has to run, and is closed."""
    from flows.planning import dvc_graph
    from flows.workspaces import profiles

    with open(os.devnull if news is None else news, "wb", buffering=0) as pipe:
        root = profiles.enter(options.profile, options.overrides)
        return root, dvc_graph.read(root, options.targets, options.force, lambda: _tell(pipe))


def _tell(pipe: BinaryIO) -> None:
    pipe.write(b"!")


def _read_while_importing_prefect(options: argparse.Namespace) -> tuple:
    """Read the plan (`_read`) in a forked process, and import Prefect here as soon as it reports a stage to run."""
    reading, writing = os.pipe()
    with ProcessPoolExecutor(1, get_context("fork"), signal.signal, (signal.SIGINT, signal.SIG_DFL)) as pool:
        plan = pool.submit(_read, options, writing)
        os.close(writing)  # the forked process has its copy
        if os.read(reading, 1):
            from flows import reproduce  # noqa: F401
            from flows.display import console  # noqa: F401
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


def _parser() -> argparse.ArgumentParser:
    from flows.workspaces.profiles import default

    parser = argparse.ArgumentParser(prog="python -m flows", description=__doc__)
    commands = parser.add_subparsers(required=True, dest="name")

    run = commands.add_parser("reproduce", help="bring the DVC graph up to date, ready stages at the same time")
    run.add_argument("targets", nargs="*", metavar="TARGET", help="a stage, dvc.yaml, output or system (default: all)")
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
    run.add_argument("--force", action="store_true", help="run them, and what they need, even if nothing changed")
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
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, found {text!r}")
    return int(text)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.exit(status)

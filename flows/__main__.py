"""Run a DVC graph in parallel: `reproduce | refresh | serve | cost | log | explain | digests | compare`."""

import os
import sys
from argparse import Namespace

from flows import command_line
from flows.errors import InputError
from flows.servers import prefect_server

UNSUPPORTED = "Unsupported value of type"  # how DVC's TypeError about a date in params.yaml begins

# each command imports its libraries when it runs: the others need not wait for them


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    options = command_line.parser().parse_args(arguments)
    try:
        prefect_server.use_writable_home()
        return COMMANDS[options.name](options)
    except InputError as error:
        print(f"{command_line.program()} {options.name}: {error}", file=sys.stderr)
        return 1
    except TypeError as error:
        if not str(error).startswith(UNSUPPORTED):
            raise
        print(f"{command_line.program()} {options.name}: {error}: write it as text, in quotes", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{command_line.program()} {options.name}: interrupted", file=sys.stderr)
        return 130


def _reproduce(options: Namespace) -> int:
    from flows import reproduce_command

    return reproduce_command.command(reproduce_command.options(options))


def _refresh(options: Namespace) -> int:
    from flows import refresh

    return refresh.command(options.profile, options.verbose)


def _serve(options: Namespace) -> int:
    from flows import serve

    return serve.command(options.port)


def _cost(options: Namespace) -> int:
    from flows import cost

    try:
        code = cost.command(options.profile)
        sys.stdout.flush()
    except BrokenPipeError:  # `| head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _log(options: Namespace) -> int:
    from flows.records import log_command
    from flows.workspaces import profiles

    return log_command.command(profiles.folder(options.profile), options.stage, options.rev)


def _explain(options: Namespace) -> int:
    from flows.planning import explain_command
    from flows.workspaces import profiles

    return explain_command.command(profiles.folder(options.profile), options.stage)


def _digests(options: Namespace) -> int:
    from flows.code import digests_command
    from flows.project import settings

    return digests_command.command(settings.current_root(), command_line.program(), add=options.add)


def _compare(options: Namespace) -> int:
    from flows.comparing import compare_command
    from flows.workspaces import profiles

    return compare_command.command(profiles.folder(options.profile), compare_command.options(options))


COMMANDS = {
    "reproduce": _reproduce,
    "refresh": _refresh,
    "serve": _serve,
    "cost": _cost,
    "log": _log,
    "explain": _explain,
    "digests": _digests,
    "compare": _compare,
}


def entry() -> None:
    """The program `dvc-parallel`."""
    status = main()
    sys.stdout.flush()
    sys.exit(status)


if __name__ == "__main__":
    entry()

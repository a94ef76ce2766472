"""Run a DVC graph in parallel: `reproduce | refresh | serve | cost | log | explain | digests | compare`."""

import sqlite3
import sys
from argparse import Namespace

from flows import refused_files
from flows.errors import InputError
from flows.output import open_closed_streams, say_no_more
from flows.program import program

# each command imports its libraries when it runs: the others need not wait for them


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    open_closed_streams()
    words = sys.argv[1:] if arguments is None else arguments
    try:  # an interrupt may come while libraries are imported, which can take seconds
        from flows import command_line
        from flows.servers import prefect_server

        options = command_line.parser().parse_args(words)
        prefect_server.use_writable_home()
        code = COMMANDS[options.name](options)
        sys.stdout.flush()
        return code
    except InputError as error:
        problem, code = str(error), 1
    except ValueError as error:
        from flows.servers import bad_setting

        if not (reason := bad_setting.reason(error)):
            raise
        problem, code = reason, 1
    except TypeError as error:
        from flows.project.broken_files import UNSUPPORTED

        if not str(error).startswith(UNSUPPORTED):
            raise
        problem, code = f"{error}: write it as text, in quotes", 1
    except KeyboardInterrupt:
        problem, code = "interrupted", 130
    except BrokenPipeError:  # `| head` has read enough
        say_no_more(sys.stdout)
        return 0
    except (OSError, sqlite3.OperationalError) as error:
        if not (reason := refused_files.reason(error)):
            raise
        problem, code = reason, 1
    print(f"{' '.join([program(), *words[:1]])}: {problem}", file=sys.stderr)
    return code


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

    return cost.command(options.profile)


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

    return digests_command.command(settings.current_root(), program(), add=options.add)


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
    sys.exit(main())


if __name__ == "__main__":
    entry()

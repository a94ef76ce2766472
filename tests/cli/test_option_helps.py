"""Every option of the commands says what it is by itself, without the name of the option in front of it."""

import argparse
import re

import pytest
import typer

from flows import command_line
from repline.cli.app import app

# a help that begins so leans on the name of its option
LEANING = re.compile(r"(?:of|over|that|those|whose|into|which|also|as|how\.|at an?|of an?|with(?:out)?)\b", re.I)


def helps(command, path=()):
    """The name and the help of each option of a command and of those below it."""
    for parameter in command.params:
        if getattr(parameter, "help", None):
            yield f"{' '.join(path)} {parameter.opts[0]}", parameter.help
    for name, inner in getattr(command, "commands", {}).items():
        yield from helps(inner, (*path, name))


def flow_helps(parser, path=("dvc-parallel",)):
    """The name and the help of each option of the flow's command line."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from flow_helps(inner, (*path, name))
        else:
            yield f"{' '.join(path)} {action.dest}", action.help or ""


ALL = [*helps(typer.main.get_command(app), ("repline",)), *flow_helps(command_line.parser())]


def test_the_options_of_all_commands_are_seen():
    names = {name for name, _ in ALL}
    assert {"repline train hcan --epochs", "repline vectors specialise --method", "dvc-parallel log stage"} <= names


@pytest.mark.parametrize(("name", "text"), ALL, ids=[name for name, _ in ALL])
def test_a_help_stands_alone(name, text):
    assert len(text.split()) > 1 and not LEANING.match(text), f"{name}: {text!r}"

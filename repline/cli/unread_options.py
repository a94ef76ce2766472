"""Refuse options that what was chosen does not read, so that no option is without effect in silence."""

import typer

from repline.errors import InputError


def refuse_unread(context: typer.Context, choice: str, *names: str) -> None:
    """Refuse options of the command line that would have no effect.

    Args:
        context: of the command.
        choice: what makes them so, such as "--method lsa".
        names: of the options, as the command's function has them.

    Raises:
        InputError: one of them is in the command line.
    """
    spelling = {parameter.name: parameter.opts[0] for parameter in context.command.params}
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            raise InputError(f"{spelling[name]}: {choice} does not read it; leave it out")

"""Which options a command line has: those without effect are refused, and defaults that depend on the data give way."""

import typer

from repline.errors import InputError

SMALLEST_BATCH = 4  # a default batch is never smaller
UPDATES = 20  # of a pass over few items


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
        if _is_written(context, name):
            raise InputError(f"{spelling[name]}: {choice} does not read it; leave it out")


def scaled_batch(context: typer.Context, batch: int, items: int, smallest: int = SMALLEST_BATCH) -> int:
    """The batch of the command line; or its default, smaller for few items, see `batch_of`.

    Args:
        context: of the command, whose option is called batch.
        batch: the value of the option.
        items: of training.
        smallest: the least default.
    """
    return batch if _is_written(context, "batch") else batch_of(batch, items, smallest)


def batch_of(largest: int, items: int, smallest: int = SMALLEST_BATCH) -> int:
    """A batch for so many items of training: a twentieth of them, so that a pass has enough updates, within bounds."""
    return min(largest, max(smallest, items // UPDATES))


def _is_written(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"

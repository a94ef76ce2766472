"""`repline train`: train a system on files of your own, without a checkout and without params.yaml."""

import typer
from typer.core import TyperGroup

from repline.cli.system_table import SYSTEMS
from repline.cli.training_commands.classifier_commands import complex_embedding, hcan, lmtgru
from repline.cli.training_commands.graph_commands import transea
from repline.cli.training_commands.inference_commands import definition_nli, supervised_unsupervised
from repline.cli.training_commands.role_commands import srl_seq2seq
from repline.cli.training_commands.sentence_encoder_commands import conversations, rnn_cnn, usif
from repline.cli.training_commands.word_vector_commands import chinese_hybrid, morph2vec
from repline.errors import InputError
from repline.parameters import nearest

COMMANDS = (
    chinese_hybrid,
    complex_embedding,
    conversations,
    definition_nli,
    hcan,
    lmtgru,
    morph2vec,
    rnn_cnn,
    srl_seq2seq,
    supervised_unsupervised,
    transea,
    usif,
)


class Systems(TyperGroup):
    """A group that says of a system without a command which page tells how to train it."""

    def get_command(self, ctx, cmd_name):  # type: ignore[no-untyped-def]  # the types are of Typer's own Click
        """The command of a system, its name written with _ or -; InputError where there is none."""
        name = cmd_name.replace("-", "_")
        if command := super().get_command(ctx, name):
            return command
        systems = [system.name for system in SYSTEMS]
        if name in systems:
            raise InputError(
                f"train {name}: this system is trained by the pipeline, in a checkout; stages/{name}/README.md says how"
            )
        raise InputError(f"train {cmd_name}: there is no such system{nearest(name, systems)}")


app = typer.Typer(
    cls=Systems, no_args_is_help=True, help="Train a system on your own files; each one says what it reads."
)
for _command in COMMANDS:
    app.command(_command.__name__)(_command)

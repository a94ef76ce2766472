"""`repline train`: train a system on files of your own, without a checkout and without params.yaml."""

from collections.abc import Callable
from typing import NamedTuple

import typer
from typer.core import TyperGroup

from repline.cli.system_table import SYSTEMS
from repline.cli.training_commands import classifier_commands as classifiers
from repline.cli.training_commands import entity_commands as entities
from repline.cli.training_commands import graph_commands as graphs
from repline.cli.training_commands import inference_commands as inference
from repline.cli.training_commands import language_model_commands as language_models
from repline.cli.training_commands import lexicon_commands as lexicons
from repline.cli.training_commands import picture_commands as pictures
from repline.cli.training_commands import role_commands as roles
from repline.cli.training_commands import sentence_encoder_commands as sentence_encoders
from repline.cli.training_commands import symbol_commands as symbols
from repline.cli.training_commands import text_vector_commands as text_vectors
from repline.cli.training_commands import translation_commands as translation
from repline.cli.training_commands import tree_commands as trees
from repline.cli.training_commands import word_vector_commands as word_vectors
from repline.errors import InputError
from repline.parameters import nearest


class Command(NamedTuple):
    """The command of one system, and the example at the end of its help.

    Attributes:
        train: its options are the command's, its docstring is the help.
        options: which the example trains with, apart from --out.
        line: of input that the example predicts from.
    """

    train: Callable[..., None]
    options: str
    line: str

    @property
    def example(self) -> str:
        """Two lines for a shell: train, and use what was trained."""
        name = self.train.__name__
        return f"repline train {name} {self.options} --out model\necho '{self.line}' | repline predict model -"


COMMANDS = (
    Command(language_models.bracket_rnn, "--data treebank.conllu", "reports ( of an agreement ) circulated"),
    Command(word_vectors.chinese_hybrid, "--data text --components parts.txt", "江河"),
    Command(translation.cjc, "--data zh_ja", "文件"),
    Command(classifiers.complex_embedding, "--data mine.tsv", "a text to classify"),
    Command(lexicons.concreteness, "--data ratings.csv --vectors mine.vec", "chair"),
    Command(trees.context_parser, "--data treebank.conllu", "the man cleans the table"),
    Command(sentence_encoders.conversations, "--data chats", "how are you?"),
    Command(text_vectors.corpus_specificity, "--data text", "music"),
    Command(
        inference.definition_nli,
        "--data pairs --vectors mine.vec --dictionary mine.tsv",
        '{"premise": "A zebu sleeps.", "hypothesis": "An ox sleeps."}',
    ),
    Command(entities.entity_documents, "--data mine.tsv", "A river that flows through Germany."),
    Command(lexicons.extrofitting, "--data mine.vec --lexicon synonyms.txt", "happy"),
    Command(classifiers.hcan, "--data mine.tsv", "a text to classify"),
    Command(language_models.hrrlm, "--data text", "one of the"),
    Command(pictures.image_lexicon, "--data pictures", "school"),
    Command(entities.jet, "--data text --terms terms.tsv", "The moon goes around the earth."),
    Command(lexicons.lexical_contrast, "--data mine.vec --synonyms syn.txt --antonyms ant.txt", "happy"),
    Command(classifiers.lmtgru, "--data mine.tsv", "a text to classify"),
    Command(language_models.lstm_memorization, "--data text", "the first of the two wars"),
    Command(word_vectors.morph2vec, "--data mine.vec", "walkable"),
    Command(translation.multilingual_seq2seq, "--data bitext --languages en,ja", "And the king made a feast."),
    Command(entities.name_typing, "--data names.tsv --vectors mine.vec", "Mozart"),
    Command(sentence_encoders.rnn_cnn, "--data text --vectors mine.vec", "The zebu slept."),
    Command(symbols.rrnet, "--data text", "one of the"),
    Command(roles.srl_seq2seq, "--data roles.jsonl", "The cow likes a goat."),
    Command(
        inference.supervised_unsupervised,
        "--data pairs --vectors mine.vec",
        '{"premise": "A dog sleeps.", "hypothesis": "An animal sleeps."}',
    ),
    Command(trees.tpgn, "--data captions", "dog, runs, grass"),
    Command(graphs.transea, "--data graph", '{"entity": "Paris", "relation": "capital of"}'),
    Command(symbols.urn, "--data brackets.txt", "<[()"),
    Command(sentence_encoders.usif, "--data text --vectors mine.vec", "The zebu slept."),
    Command(pictures.visual_characters, "--data cedict.txt --font mine.otf", "河边"),
    Command(lexicons.wordnet_embeddings, "--data wordnet", "happy"),
)

SUMMARIES = {system.name: system.summary for system in SYSTEMS}


class Systems(TyperGroup):
    """A group that takes names with _ or -, and names the nearest system where there is none of a name."""

    def get_command(self, ctx, cmd_name):  # type: ignore[no-untyped-def]  # the types are of Typer's own Click
        """The command of a system; InputError where there is none."""
        name = cmd_name.replace("-", "_")
        if command := super().get_command(ctx, name):
            return command
        raise InputError(f"train {cmd_name}: there is no such system{nearest(name, SUMMARIES)}")


app = typer.Typer(
    cls=Systems, no_args_is_help=True, help="Train a system on your own files; each one says what it reads."
)
for _command in COMMANDS:
    _name = _command.train.__name__
    app.command(_name, short_help=SUMMARIES[_name], epilog=f"Example:\n\n\b\n{_command.example}")(_command.train)

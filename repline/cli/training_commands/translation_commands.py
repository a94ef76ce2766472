"""`repline train` for words and sentences of several languages."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from repline.cli.training_commands.training_options import (
    Data,
    Dimensions,
    Epochs,
    LearningRate,
    OnError,
    Out,
    ScaledBatch,
    Seed,
    WrongRecords,
    check_folder,
    counts_of,
    print_left_out,
    workspace,
)
from repline.cli.written_options import refuse_unread, scaled_batch
from repline.errors import InputError, shown

MinimumCount = Annotated[int, typer.Option(min=1, help="Least count of a word; rarer words are left out.")]


class Method(StrEnum):
    """What the vectors are trained by."""

    glove = "glove"
    cbow = "cbow"


class Encoder(StrEnum):
    """How a sentence becomes a vector."""

    lstm = "lstm"
    bag = "bag"


def cjc(
    data: Data,
    out: Out,
    characters: Annotated[
        Path | None, typer.Option(help="A table of corresponding characters.", show_default="made by OpenCC")
    ] = None,
    method: Annotated[Method, typer.Option(help="Method: GloVe on counts, or CBOW.")] = Method.glove,
    matching: Annotated[float, typer.Option(min=0, help="Weight of contexts of words that share a character.")] = 0.4,
    parallel: Annotated[float, typer.Option(min=0, help="Weight of the sentence in the other language.")] = 0.2,
    minimum_count: MinimumCount = 2,
    window: Annotated[int, typer.Option(min=1, help="Words of context on either side.")] = 5,
    dimensions: Dimensions = 100,
    passes: Annotated[int, typer.Option(min=1, help="Number of passes over the counts, or over the text.")] = 15,
    learning_rate: Annotated[
        float | None, typer.Option(min=1e-9, help="Learning rate.", show_default="0.05, or 0.025 of cbow")
    ] = None,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Vectors of Chinese and Japanese words in one space, by characters that both have.

    DATA holds translations: NAME.zh.txt and NAME.ja.txt (a sentence a line, the same on both sides), NAME.tsv (id,
    Chinese, Japanese), NAME.tmx and others. Two pairs of sentences are held out. CHARACTERS has a kanji, its
    traditional and its simplified characters between tabs a line. It needs the extras `zh` and `ja`, which split text
    into words.
    """
    from repline.corpora.parallel.bitext import build
    from repline.corpora.parallel.recipes import BitextCorpus
    from repline.lexicons.character_table import write_opencc_table
    from repline.systems.cjc.corpus import Data as Prepared
    from repline.systems.cjc.corpus import write_data
    from repline.systems.cjc.settings import CBOW, Corpus, Glove, HeldOut
    from repline.systems.cjc.training import train_cbow, train_glove
    from repline.training.training_run import training_run

    check_folder(data, "translations")
    with workspace(data) as folder, training_run(out, seed) as this_run:
        counts_of(
            build(
                data, folder / "bitext", BitextCorpus(languages=["zh", "ja"], scripts="drop", on_error=on_error.value)
            )
        )
        if characters is None:
            (folder / "characters").mkdir()
            write_opencc_table(folder / "characters")
        table = str((characters or folder / "characters").absolute())
        corpus = Corpus(
            corpus=str(folder / "bitext"), origins=None, elsewhere=[], characters=table, compared=table,
            on_error=on_error.value, minimum_count=minimum_count, window=window, distance_weight=True,
            test=HeldOut(sentences=2, shortest=2, longest=10_000, seed=seed),
        )  # fmt: skip
        counts = counts_of(write_data(folder / "words", corpus, data=""))
        prepared = Prepared(folder / "words")
        rate = {} if learning_rate is None else {"learning_rate": learning_rate}
        shared = {"matching": matching, "parallel": parallel, "dimensions": dimensions, "iterations": passes} | rate
        if method is Method.glove:
            train_glove(Glove.model_validate(shared), prepared, this_run)
        else:
            train_cbow(CBOW.model_validate(shared), prepared, this_run, window)
    typer.echo(
        f"{out}: {counts['words_zh']:,} Chinese and {counts['words_ja']:,} Japanese words of "
        f"{counts['training_pairs']:,} pairs of sentences"
    )


def multilingual_seq2seq(
    context: typer.Context,
    data: Data,
    out: Out,
    languages: Annotated[
        str, typer.Option(help="Codes of the languages, with commas between them.", show_default=False)
    ],
    encoder: Annotated[
        Encoder, typer.Option(help="Encoder: an LSTM, or a bag of words, which is faster.")
    ] = Encoder.lstm,
    similarity: Annotated[float, typer.Option(min=0, help="Weight of the distance between translations.")] = 1.0,
    minimum_count: MinimumCount = 2,
    longest: Annotated[int, typer.Option(min=1, help="Most words of a sentence that is learned from.")] = 50,
    dimensions: Dimensions = 128,
    units: Annotated[int, typer.Option(min=1, help="Number of units of each LSTM.")] = 64,
    layers: Annotated[int, typer.Option(min=1, help="Number of layers of the LSTMs.")] = 1,
    epochs: Epochs = 5,
    batch: ScaledBatch = 64,
    learning_rate: LearningRate = 0.001,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """An encoder of sentences of several languages, and a translator between them.

    DATA holds translations: NAME.LANG.txt, a sentence a line, the same line in each language; or NAME.tmx. Each pair of
    LANGUAGES that a text has is learned both ways. A tenth of the sentences is for choosing the epoch, and a tenth is
    left out. Chinese and Japanese are read by characters.
    """
    from itertools import combinations

    from repline.corpora.parallel.multiway import build, read_multiway
    from repline.corpora.parallel.recipes import MultiwayCorpus
    from repline.systems.multilingual_seq2seq.corpus import read_data, write_data
    from repline.systems.multilingual_seq2seq.settings import Numbering, Recipe
    from repline.systems.multilingual_seq2seq.training import train
    from repline.training.training_run import training_run

    if encoder is Encoder.bag:
        refuse_unread(context, f"--encoder {encoder.value}", "units", "layers")
    check_folder(data, "translations")
    codes = [code.strip() for code in languages.split(",") if code.strip()]
    if len(set(codes)) < 2 or len(set(codes)) < len(codes):
        raise InputError(f"--languages: expected two codes or more, such as en,ja, found {shown(languages)}")
    recipe = Recipe(
        kind=encoder.value, similarity=similarity, dimensions=dimensions, units=units, layers=layers, dropout=0.1,
        deviation=0.1, gradient_clip=5.0, epochs=epochs, batch=batch, learning_rate=learning_rate,
    )  # fmt: skip
    with workspace(data) as folder, training_run(out, seed) as this_run:
        counts_of(build(data, folder / "texts", MultiwayCorpus(languages=codes, on_error=on_error.value)))
        numbering = Numbering(
            languages=codes, dev=0.1, test=0.1, minimum_count=minimum_count, longest=longest, seed=seed
        )
        long = sum(max(map(len, text.texts.values())) > longest for text in read_multiway(folder / "texts"))
        print_left_out({f"texts of more than {longest} words, where they are for training": long})
        counts = write_data(folder / "texts", folder / "numbers", numbering)["counts"]
        prepared = read_data(folder / "numbers")
        recipe = recipe.model_copy(update={"batch": scaled_batch(context, batch, counts["learned"])})
        pairs = [list(pair) for pair in combinations(codes, 2) if prepared.learned(*pair)[0]]
        train(recipe, prepared, pairs, this_run)
    typer.echo(f"{out}: {counts['learned']:,} texts to learn from, {counts['words']:,} words")

"""`repline train` for encoders of sentences."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from repline.cli.training_commands.training_options import (
    Epochs,
    LearningRate,
    OnError,
    Out,
    ScaledBatch,
    Seed,
    Text,
    Vectors,
    Vocabulary,
    WrongRecords,
    account,
    counts_of,
    print_left_out,
    print_notes,
    vectors_of_text,
    workspace,
)
from repline.cli.written_options import refuse_unread, scaled_batch
from repline.errors import InputError, shown
from repline.reading.wrong_records import LeftOut


def usif(
    context: typer.Context,
    data: Text,
    out: Out,
    vectors: Vectors,
    counts: Annotated[
        Path | None, typer.Option(help="Counts of words, `word count` a line.", show_default="the list of wordfreq")
    ] = None,
    language: Annotated[str, typer.Option(help="Language of wordfreq's list of word counts.")] = "en",
    components: Annotated[int, typer.Option(min=0, help="Number of common components that are removed.")] = 5,
    length: Annotated[
        int | None,
        typer.Option(min=1, help="Number of words n of a sentence to encode.", show_default="the mean of the text"),
    ] = None,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """An encoder of sentences without training: weighted averages of word vectors.

    DATA is reference text (*.txt), a sentence a line, like what is to be encoded. The components that all its
    sentences share are removed from each vector. Rare words count more, by COUNTS (of their lower case) or how often
    wordfreq saw them; how much more depends on --length, so give it where the reference is longer or shorter than what
    is encoded.
    """
    from collections import Counter
    from itertools import chain

    import numpy as np

    from repline.corpora.segmented_text import text_files
    from repline.files import new_folder
    from repline.reading.text_files import visible_lines
    from repline.systems.usif.encoder import write_weighted
    from repline.systems.usif.similarity_words import similarity_words
    from repline.systems.usif.weighted_words import WeightedWords
    from repline.vectors.store import words_and_matrix

    if counts is not None:
        refuse_unread(context, "--counts", "language")
    with account(on_error) as left_out:
        lines = (line for file in text_files(data) for _, line in visible_lines(file, "utf-8", left_out))
        text = [words for words in map(similarity_words, lines) if words]
        counted = _word_counts(counts, language, left_out)
    if len(text) <= components:
        raise InputError(f"{data}: {len(text)} sentences are too few to find {components} common components")
    with workspace(vectors) as folder, new_folder(out) as partial, account(on_error) as left_out:
        stored = vectors_of_text(vectors, folder / "vectors", Counter(chain.from_iterable(text)), left_out)
        in_text = Counter(chain.from_iterable(text))
        _check_counted(in_text, counted, counts)
        words = WeightedWords(*words_and_matrix(stored), list(counted), np.array([*counted.values()]))
        with_vector = sum(not words.index.keys().isdisjoint(sentence) for sentence in text)
        if with_vector <= components:
            raise InputError(
                f"{data}: {with_vector} sentences with a vector are too few to find {components} common components"
            )
        write_weighted(partial, words, text, vectors=stored, length=length, components=components)
    typer.echo(f"{out}: {len(words.index):,} words, components of {len(text):,} sentences")


def _check_counted(in_text: Mapping[str, int], counted: Mapping[str, float], counts: Path | None) -> None:
    """Print how much of a text has no count; InputError where no word of it has one."""
    uncounted = in_text.keys() - counted.keys()
    if len(uncounted) == len(in_text):
        raise InputError(
            f"{counts or '--language'}: none of the {len(in_text):,} words of the text has a count; take counts of its "
            "language"
        )
    if uncounted:
        share = sum(in_text[word] for word in uncounted) / sum(in_text.values())
        print_notes(
            [
                f"{len(uncounted):,} of {len(in_text):,} words ({100 * share:.1f} % of the text) have no count, and "
                "weigh as much as the rarest word"
            ]
        )


def _word_counts(counts: Path | None, language: str, left_out: LeftOut) -> dict[str, float]:
    """How often words in lower case were seen, by a file or by wordfreq."""
    from repline.lexicons.unigrams import read_unigrams

    if counts is not None:
        lower_case_counts: dict[str, float] = {}
        for row in read_unigrams(counts, on_error=left_out).to_pylist():
            word = row["word"].lower()
            lower_case_counts[word] = lower_case_counts.get(word, 0) + row["count"]
        return lower_case_counts
    import wordfreq

    try:
        return dict(wordfreq.get_frequency_dict(language))
    except LookupError:
        raise InputError(f"--language: wordfreq has no list of the language {shown(language)}; give --counts") from None


def rnn_cnn(
    context: typer.Context,
    data: Text,
    out: Out,
    vectors: Vectors,
    vocabulary: Vocabulary = 2000,
    units: Annotated[int, typer.Option(min=1, help="Number of units of each direction of the recurrence.")] = 64,
    targets: Annotated[int, typer.Option(min=1, help="Number of words after a sentence that are predicted.")] = 10,
    epochs: Epochs = 1,
    batch: ScaledBatch = 64,
    learning_rate: LearningRate = 0.003,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """An encoder of sentences that learns from the words that follow them.

    DATA is English text in its order: a file (.txt, .txt.gz) is a document, an empty line ends a paragraph. A tenth of
    each document, its end, is not trained on. Sentences of fewer than 3 words or more than 60 are left out.
    """
    from repline.evaluation.sentences.sentence_encoders import write_encoder
    from repline.systems.rnn_cnn import settings
    from repline.systems.rnn_cnn.corpus import read_corpus, write_corpus
    from repline.systems.rnn_cnn.training import train
    from repline.systems.rnn_cnn.vocabulary_expansion import first_vectors
    from repline.training.training_run import training_run
    from repline.use import stored_vectors
    from repline.vectors.store import words_and_matrix

    text = settings.Text(sources=[str(data)], vocabulary=vocabulary)
    recipe = settings.Recipe(
        units=units, targets=targets, source_words=20, epochs=epochs, batch=batch, learning_rate=learning_rate
    )
    with workspace(data, vectors=vectors) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        counts = write_corpus(folder / "corpus", text, data="", fewer_words=True, on_error=left_out)["counts"]
        print_left_out(
            {
                f"sentences of fewer than {text.shortest} words": counts["left_out_short_sentences"],
                f"sentences of more than {text.longest} words": counts["left_out_long_sentences"],
            }
        )
        corpus = read_corpus(folder / "corpus")
        frequencies = dict(zip(corpus.words, corpus.counts.tolist(), strict=True))
        stored = vectors_of_text(vectors, folder / "vectors", frequencies, left_out)
        words, matrix = words_and_matrix(stored)
        first = first_vectors(corpus.words, {word: row for row, word in enumerate(words)}, matrix)
        recipe = recipe.model_copy(update={"batch": scaled_batch(context, batch, counts["sentences"])})
        train(recipe, corpus, first, stored, this_run)
        write_encoder(this_run.folder, "rnn_cnn", vectors=stored_vectors.FOLDER)
    typer.echo(f"{out}: {counts['sentences']:,} sentences of {counts['documents']:,} documents")


def conversations(
    context: typer.Context,
    data: Annotated[Path, typer.Option(help="A file of conversations, or a folder of them.", show_default=False)],
    out: Out,
    vocabulary: Vocabulary = 15_000,
    dimensions: Annotated[int, typer.Option(min=1, help="Number of dimensions of the word vectors.")] = 64,
    size: Annotated[
        int, typer.Option(min=1, help="Number of units of the layers, and of dimensions of a sentence vector.")
    ] = 128,
    epochs: Epochs = 2,
    batch: ScaledBatch = 128,
    learning_rate: LearningRate = 0.001,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """An encoder of sentences that learns to pick the reply to a message.

    DATA is *.jsonl with {"turns": [text, ...]} a line, or *.txt with a turn a line and an empty line between two
    conversations. Left out are turns of 350 characters or more, of few letters, and of authors named bot; a tenth of
    the conversations is not trained on.
    """
    from repline.corpora.dialogue.conversation_corpus import write_conversations
    from repline.corpora.dialogue.recipes import ConversationSource
    from repline.systems.conversations.corpus import Inference, read_turns
    from repline.systems.conversations.settings import Recipe
    from repline.systems.conversations.training import Data as TrainingData
    from repline.systems.conversations.training import train
    from repline.training.training_run import training_run

    recipe = Recipe(
        task="conversation", vocabulary=vocabulary, dimensions=dimensions, buckets=20_000, layers=[size] * 3,
        replies=[size] * 2, hidden=size, epochs=epochs, batch=batch, learning_rate=learning_rate, table_rate=2.0,
        every=1, pairs_batch=batch, mask_duplicates=True,
    )  # fmt: skip
    no_pairs: dict[str, list] = {"train": []}
    with workspace(data) as folder, training_run(out, seed) as this_run:
        source = ConversationSource(source=str(data), form="own", test_share=0.1, on_error=on_error.value)
        counts = counts_of(write_conversations(folder / "turns", source, data=""))
        print_left_out({"turns that are long, of few letters, or of a bot": counts["turns"] - counts["kept"]})
        # the other replies of a batch are the wrong ones that a reply is told from
        size = scaled_batch(context, batch, counts["train_pairs"], smallest=16)
        recipe = recipe.model_copy(update={"batch": size, "pairs_batch": size})
        turns = read_turns({"own": folder / "turns"})
        train(recipe, TrainingData(turns, Inference(no_pairs, no_pairs, no_pairs), folder), this_run)
    typer.echo(f"{out}: {counts['train_pairs']:,} messages with replies of {counts['conversations']:,} conversations")

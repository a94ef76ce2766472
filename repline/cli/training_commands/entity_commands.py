"""`repline train` for names, entities, and documents by the names in them."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from repline.cli.training_commands.training_options import (
    Dimensions,
    Epochs,
    LearningRate,
    OnError,
    Out,
    ScaledBatch,
    Seed,
    Table,
    Text,
    Vectors,
    WrongRecords,
    account,
    counts_of,
    print_left_out,
    vectors_folder,
    vectors_of_text,
    workspace,
)
from repline.cli.written_options import refuse_unread, scaled_batch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

MinimumCount = Annotated[int, typer.Option(min=1, help="Least count of a word; rarer words are left out.")]


LABEL = "label"  # the kind of labels in a table


class Classifier(StrEnum):
    """What types a name by its vector."""

    lr = "lr"
    mlp = "mlp"
    mlp_shared = "mlp_shared"


class NameMode(StrEnum):
    """How the names of a document are written."""

    type = "type"
    name = "name"
    split_name = "split-name"
    split_name_common = "split-name+common"
    drop = "drop"


def jet(
    data: Text,
    out: Out,
    terms: Annotated[Path, typer.Option(help="A table of terms and entities, or a wordnet.", show_default=False)],
    longest: Annotated[int, typer.Option(min=1, help="Most words of a term.")] = 5,
    minimum_count: MinimumCount = 5,
    dimensions: Dimensions = 50,
    passes: Annotated[int, typer.Option(min=1, help="Number of passes over the text.")] = 8,
    window: Annotated[int, typer.Option(min=1, help="Words of context on either side.")] = 2,
    sample: Annotated[
        float, typer.Option(min=0, help="Share above which a word is left out at random; 0 keeps all.")
    ] = 1e-4,
    learning_rate: LearningRate = 0.05,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Vectors of words, terms and entities in one space.

    DATA is text (.txt, a sentence or a paragraph a line), or a treebank (.conllu); a file or a folder. TERMS has a
    term, a tab and its entity a line, perhaps a tab and types (between |) and a tab and a definition; an ambiguous term
    has several lines. A head (term, entity, types, definition) is recognised. Lines that begin with # are comments; a
    term that does stands in quotation marks. A wordnet, a folder or XML, gives its nouns. Terms that are stop words of
    English are left out.
    """
    from repline.cards import card_or_files
    from repline.cli.training_commands.text_corpora import write_sentences
    from repline.reading.file_names import unpacked_name
    from repline.systems.jet import terminology
    from repline.systems.jet.corpus import write
    from repline.systems.jet.name_sources import names_of
    from repline.systems.jet.settings import Model, TerminologySource
    from repline.systems.jet.training import train

    kind = "wordnet" if terms.is_dir() or unpacked_name(terms).endswith(".xml") else "table"
    source = TerminologySource(kind=kind, source=str(terms), longest=longest, stop_words="en", on_error=on_error.value)  # type: ignore[arg-type]
    model = Model(
        terminology="mine", seeds=[seed], dimensions=dimensions, passes=passes, window=window, sample=sample,
        sample_terms=3 * sample, learning_rate=learning_rate,
    )  # fmt: skip
    with workspace(data, terms=terms) as folder, account(on_error) as left_out:
        all_terms = names_of(source, data="", left_out=left_out)
        in_use = counts_of(terminology.write(all_terms, folder / "terms", source, origin=card_or_files(terms)))
        print_left_out(
            {
                f"terms of more than {longest} words": in_use["left_out_too_long"],
                "terms that are stop words": in_use["left_out_stop_words"],
            }
        )
        text = write_sentences(data, folder / "text", left_out)
        counts = write(text, folder / "terms", folder / "corpus", minimum_count=minimum_count)["counts"]
        train(out.name, model, folder / "corpus", out, seed=seed)
    typer.echo(
        f"{out}: {counts['words']:,} words, {counts['terms']:,} terms of {counts['entities']:,} entities, "
        f"{counts['kept_mentions']:,} mentions"
    )


def name_typing(
    context: typer.Context,
    data: Annotated[Path, typer.Option(help="A table of names and types, or a folder.", show_default=False)],
    out: Out,
    vectors: Vectors,
    classifier: Annotated[
        Classifier, typer.Option(help="Logistic regression (lr), a perceptron per type, or a shared one.")
    ] = Classifier.mlp,
    least: Annotated[int, typer.Option(min=1, help="Least number of names of a type.")] = 1,
    hidden: Annotated[int, typer.Option(min=1, help="Hidden units of a perceptron.")] = 100,
    epochs: Epochs = 25,
    batch: ScaledBatch = 200,
    learning_rate: LearningRate = 0.001,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Types of names, from the vectors of the names.

    DATA has a name, a tab and its types between blanks a line; it is split in train, dev and test. Or it is a folder
    with train.tsv, dev.tsv and test.tsv of this form, and types.tsv, a type, a tab and its count a line. A name of
    several words is looked up with _ between them. The penalty of LR is chosen on dev.
    """
    import json

    from repline.corpora.freebase.label_sets import write_label_set, write_own_label_set
    from repline.corpora.freebase.recipes import LabelSet
    from repline.systems.name_typing.classifier_files import RawNames
    from repline.systems.name_typing.corpus import read_data, write_data
    from repline.systems.name_typing.settings import Classifiers, Logistic, Perceptron
    from repline.systems.name_typing.training import train
    from repline.training.training_run import training_run

    if classifier is Classifier.lr:
        refuse_unread(context, f"--classifier {classifier.value}", "hidden", "epochs", "batch", "learning_rate")
    with workspace(data, vectors=vectors) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        if data.is_dir():
            write_label_set(folder / "labels", LabelSet(source=str(data.absolute())), data="")
        else:
            write_own_label_set(data, folder / "labels", least=least, seed=seed, on_error=left_out)
        write_data(folder / "names", folder / "labels", vectors_folder(vectors, folder / "vectors", left_out))
        names, types = read_data(folder / "names")
        covered = sum(len(part.vectors) for part in names.values())
        print_left_out({"names without a vector": sum(len(part.names) for part in names.values()) - covered})
        size = scaled_batch(context, batch, len(names["train"].vectors))
        perceptron = Perceptron(hidden=[hidden], epochs=epochs, batch=size, learning_rate=learning_rate)
        recipes = Classifiers(lr=Logistic(l2=[1e-5, 1e-4, 1e-3, 1e-2]), mlp=perceptron, mlp_shared=perceptron)
        train(classifier.value, recipes, names, this_run, RawNames(types, folder / "names"))
        f1 = json.loads((this_run.folder / "training.json").read_text(encoding="utf-8"))["dev_f1"]
    typer.echo(f"{out}: {len(types):,} types of {covered:,} names with a vector, F1 on dev {100 * f1:.1f}")


def entity_documents(
    context: typer.Context,
    data: Table,
    out: Out,
    names: Annotated[
        Path | None, typer.Option(help="A table of names and their types, as GPE.", show_default="none")
    ] = None,
    vectors: Annotated[
        Path | None, typer.Option(help="Word vectors to begin with.", show_default="GloVe on the documents")
    ] = None,
    mode: Annotated[NameMode, typer.Option(help="Way in which names are written.")] = NameMode.type,
    least: Annotated[int, typer.Option(min=1, help="Least number of training documents of a label.")] = 2,
    longest: Annotated[int, typer.Option(min=1, help="Most words of a document that are read.")] = 40,
    minimum_count: MinimumCount = 2,
    filters: Annotated[int, typer.Option(min=1, help="Number of filters of each width of the convolutions.")] = 64,
    epochs: Epochs = 8,
    batch: ScaledBatch = 64,
    learning_rate: LearningRate = 0.008,
    seed: Seed = 0,
    on_error: WrongRecords = OnError.stop,
) -> None:
    """Labels of documents, by their words and the names in them.

    DATA is a table: labels between |, a tab, and the text. A tenth of the documents is dev and a tenth test. Names are
    found by spaCy, and by NAMES: a name, a tab and PERSON, ORG, GPE or another type of OntoNotes a line. It needs the
    extra `corpora`: pip install "repline[corpora]".
    """
    from collections import Counter

    from repline.corpora.entities.entity_corpus import write_entities
    from repline.corpora.entities.recipes import EntityCorpus, RuleSet
    from repline.corpora.labelled.labelled_corpus import write_labelled
    from repline.corpora.labelled.recipes import LabelledCorpus
    from repline.systems.entity_documents.corpus import read_data, write_data
    from repline.systems.entity_documents.name_vectors import write_vectors
    from repline.systems.entity_documents.settings import Corpus, Glove, Layer, Recipe
    from repline.systems.entity_documents.training import train
    from repline.training.training_run import training_run

    recipe = Recipe(
        mode=mode.value, vectors="train", dimensions=50, layers=[Layer(widths=[3, 5], filters=filters)],
        longest=longest, minimum_count=minimum_count, hidden=None, dropout=0.3, epochs=epochs, batch=batch,
        learning_rate=learning_rate,
    )  # fmt: skip
    with workspace(data, vectors=vectors) as folder, training_run(out, seed) as this_run, account(on_error) as left_out:
        table = LabelledCorpus(form="tsv", on_error=on_error.value)
        write_labelled(data, folder / "documents", table)
        _split_labels(folder / "documents")
        rules: list[RuleSet] = ["company_suffixes", "titles", "untyped"]
        gazetteers = []
        if names is not None:
            rules, gazetteers = ["own", *rules], [names]
        write_entities(folder / "documents", folder / "entities", EntityCorpus(rules=rules), gazetteers=gazetteers)
        corpus = Corpus(
            documents=str(folder / "entities"), labels=str(folder / "documents"), tasks=[LABEL], dev=1, test=1,
            least=1, seed=seed,
        )  # fmt: skip
        different = _documents_in(counts_of(write_data(folder / "different", corpus, data="")))
        held_out = max(different // 10, 1)
        corpus = corpus.model_copy(update={"dev": held_out, "test": held_out, "least": least})
        counts = counts_of(write_data(folder / "corpus", corpus, data=""))
        prepared = read_data(folder / "corpus", mode.value)
        print_left_out(
            {
                "documents without a word": counts["left_out_empty"],
                "documents with the words of an earlier one": counts["left_out_same_words"],
                "documents without a label": counts["left_out_no_label"],
                f"labels of fewer than {least} training documents": _labels(folder / "corpus")
                - len(prepared.labels[LABEL]),
            }
        )
        if vectors is None:
            glove = Glove(dimensions=50, window=5, minimum_count=minimum_count, maximum=10.0, seed=seed)
            first = folder / "vectors"
            write_vectors(first, prepared, "train", glove)
        else:
            train_words = Counter(word for document in prepared.tokens["train"] for word in document)
            first = vectors_of_text(vectors, folder / "vectors", train_words, left_out)
        recipe = recipe.model_copy(update={"batch": scaled_batch(context, batch, len(prepared.gold[LABEL]["train"]))})
        train(recipe, prepared, LABEL, this_run, first, names)
        f1 = _micro_f1_on_test(this_run.folder, prepared.gold[LABEL]["test"])
    typer.echo(
        f"{out}: {different:,} documents, {len(prepared.labels[LABEL])} labels, micro-F1 of the answers on test "
        f"{100 * f1:.1f}"
    )


def _documents_in(counts: "Mapping[str, int]") -> int:
    """The number of documents of a corpus for classification, by the counts of its card."""
    from repline.systems.entity_documents.corpus import PARTS

    return sum(counts[part] for part in PARTS)


def _labels(corpus: Path) -> int:
    """How many labels the documents of a corpus have, rare ones included."""
    import pyarrow.parquet as pq

    lists = pq.read_table(corpus / "documents.parquet", columns=[LABEL])[LABEL].to_pylist()
    return len({label for labels in lists for label in labels})


def _micro_f1_on_test(folder: Path, gold: "NDArray") -> float:
    """The micro-F1 of the labels that the trained model answers; gold is bool [N, L]."""
    import numpy as np

    from repline.evaluation.multi_label import multi_label_f1
    from repline.systems.entity_documents.training import SCORES
    from repline.use.folders import read_description

    with np.load(folder / SCORES) as scores:
        answered = scores["test"] >= np.array(read_description(folder).raw_input["thresholds"])
    return float(multi_label_f1(gold, answered)["micro"][0])


def _split_labels(folder: Path) -> None:
    """Make of the labels of documents, such as `sport|news`, a list of labels each."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for path in folder.glob("part-*.parquet"):
        table = pq.read_table(path)
        labels = [
            [label.strip() for label in joined.split("|") if label.strip()] for (joined,) in table[LABEL].to_pylist()
        ]
        column = pa.array(labels, pa.list_(pa.string()))
        pq.write_table(table.set_column(table.schema.get_field_index(LABEL), LABEL, column), path, compression="zstd")

"""Write the card of every saved model, README.md in its folder: `python -m stages.model_cards`.

A card is a view, as the report's page is: DVC does not track it, and `.dvcignore` names it.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path

from repline import yaml_text
from repline.cards import read_card
from repline.cli.system_table import SYSTEMS
from repline.errors import InputError
from repline.evaluation.claims import published
from repline.files import new_file
from repline.report import model_card
from repline.report.result_records import ReferenceResults
from repline.sources.catalogue import load_sources
from repline.use.folders import RAW_INPUT, Description, read_description
from stages import reference_results

CARD = "README.md"
VECTORS = "data/vectors/"
PARTS = ("models", "vectors", "lexicons")  # of data/, where such folders lie
# by system and kind of model, a call of the loaded object that a card shows
EXAMPLES: dict[tuple[str, str], str] = {
    ("bracket_rnn", "brackets"): 'score("reports ( of an agreement ) circulated")',
    ("bracket_rnn", "words"): 'next("one of the", n=3)',
    ("chinese_hybrid", "word_vectors"): 'most_similar("经济", n=3)',
    ("cjc", "bilingual_word_vectors"): 'translate("文件", n=3)',
    ("complex_embedding", "text_classifier"): 'classify("房间很干净，服务也很好。").label',
    ("concreteness", "aligned_ratings"): 'rate("punve")',
    ("concreteness", "ratings"): 'rate("chair")',
    ("context_parser", "parser"): 'complete("the ?? is on the table", "cup_1 Location table_1")',
    ("conversations", "text_encoder"): 'rank("What do you study?", ["Goodbye!", "Computer science. You?"])[0].reply',
    ("corpus_specificity", "word_vectors"): 'most_similar("music", n=3)',
    ("definition_nli", "inference"): 'classify(("A zebu sleeps.", "An ox sleeps."), {"zebu": "an ox with a hump"})',
    ("entity_documents", "labels_of_documents"): 'classify("A river that flows through Germany and Poland.").labels',
    ("extrofitting", "word_vectors"): 'most_similar("happy", n=3)',
    ("hcan", "text_classifier"): 'classify("My son, a wise man hears his father.").label',
    ("hrrlm", "chunks"): 'next("one of the", n=3)',
    ("hrrlm", "hrrlm"): 'most_similar("making", filler=1, n=3)',
    ("hrrlm", "tied"): 'next("one of the", n=3)',
    ("image_lexicon", "pictures"): 'translate("school", n=3)',
    ("jet", "entities"): 'disambiguate("The moon goes around the earth.")',
    ("jet", "words"): 'most_similar("music", n=3)',
    ("lexical_contrast", "word_vectors"): 'most_similar("happy", n=3)',
    ("lmtgru", "text_classifier"): 'classify("hahaha that film was so funny").label',
    ("lstm_memorization", "recall"): 'recall("the first of the two wars was between the states")',
    ("morph2vec", "composed_word_vectors"): 'compose("walkable").morphs',
    ("multilingual_seq2seq", "encoder"): 'encode(["And the king made a great feast.", "王大なる宴を設けたり"]).shape',
    ("name_typing", "name_types"): 'types("Lincoln").types',
    ("rnn_cnn", "text_encoder"): 'similarity("The zebu slept.", "The ox was asleep.")',
    ("rrnet", "expressions"): 'value("((9+2)+(1+3))")',
    ("rrnet", "language_model"): 'next("one of the", n=3)',
    ("rrnet", "relations"): 'relation(("a", "( a ( or b ) )"))',
    ("srl_seq2seq", "seq2seq"): 'label("This lapas valoed no zakren during a bretek")',
    ("srl_seq2seq", "tagger"): 'label("This lapas valoed no zakren during a bretek")',
    ("supervised_unsupervised", "inference"): 'classify(("A dog sleeps.", "An animal is asleep.")).label',
    ("tpgn", "lstm"): 'caption("man Agent, Agent clean, Theme clean")',
    ("tpgn", "tpgn"): 'caption("man Agent, Agent clean, Theme clean")',
    ("transea", "knowledge_graph"): 'predict("country:FR", "neighbour", n=3)',
    ("urn", "brackets"): 'closing("<[()")',
    ("urn", "verb_number"): 'classify("the keys to the cabinet")',
    ("usif", "text_encoder"): 'similarity("A man is playing a guitar.", "Somebody plays an instrument.")',
    ("visual_characters", "glosses"): 'glosses("火车", n=3)',
    ("visual_characters", "tagger"): 'tag("今天天气很好")',
    ("visual_characters", "translator"): 'translate("火车").translation',
    ("wordnet_embeddings", "word_vectors"): 'most_similar("happy", n=3)',
}

# by system and kind of model, the methods where they are not all of the system's
METHODS: dict[tuple[str, str], str] = {
    ("bracket_rnn", "words"): "score(texts), next(text)",
    ("jet", "words"): "vector(word), most_similar(word)",
    ("rrnet", "expressions"): "value(expression), with the tree",
    ("rrnet", "language_model"): "score(texts), next(text), tree(text)",
    ("rrnet", "relations"): "relation(pair), with the trees",
    ("urn", "brackets"): "score(texts), next(text), closing(texts), matrix(phrase)",
    ("urn", "verb_number"): "classify(texts), verb_number(texts), matrix(phrase)",
    ("visual_characters", "glosses"): "vector(character), most_similar(character), glosses(word)",
    ("visual_characters", "tagger"): "tag(text)",
    ("visual_characters", "translator"): "translate(text)",
}

# by pattern of folders, the example or the methods of models that do not answer as others of their kind
EXAMPLES_OF_FOLDERS = {
    "data/models/complex_embedding/networks/negation/*": 'classify("The autumn was not bad. We had tea again.").label',
    "data/models/hcan/networks/negation/*": 'classify("The autumn was not bad. We had tea again.").label',
}
METHODS_OF_FOLDERS = {
    "data/models/multilingual_seq2seq/bible/bag*": "encode(texts)",  # a bag of words writes no translation
    "data/models/transea/*/transe/*": "predict(head, relation)",  # trained without numbers
}


class Lineage:
    """From what each folder of data/ was made, by the dvc.lock files.

    Args:
        root: the checkout.
    """

    def __init__(self, root: Path):
        self.root = root
        self.inputs: dict[str, list[str]] = {}
        for path in [root / "dvc.lock", *sorted(root.glob("stages/*/dvc.lock"))]:
            if path.exists():
                for stage in (yaml_text.parse(path.read_text(encoding="utf-8")) or {}).get("stages", {}).values():
                    read = [item["path"] for item in stage.get("deps", ()) if item["path"].startswith("data/")]
                    self.inputs |= {out["path"]: read for out in stage.get("outs", ())}
        self._sources = load_sources(root / "sources.yaml")
        self._made = {
            name
            for name, source in self._sources.items()
            if all(origin.kind == "made" for file in source.files for origin in file.places[:1])
        }

    def output_of(self, folder: str) -> str | None:
        """The output of a stage that a folder is, or lies in."""
        return next((out for out in self.inputs if folder == out or folder.startswith(f"{out}/")), None)

    def sources_of(self, folder: str, vectors: bool = True) -> set[str] | None:
        """The names of the raw sources behind a folder, and the paths of files that somebody put into data/.

        Args:
            folder: what a stage drew from nothing has no source; None where no stage wrote it.
            vectors: whether those of word vectors that a stage read count, too.
        """
        if folder.startswith("data/raw/"):
            return {Path(folder).parts[2]}
        outputs = self._outputs(folder)
        behind = [
            {path} if (names := self.sources_of(path, vectors)) is None else names
            for output in outputs
            for path in self.inputs[output]
            if vectors or not path.startswith(VECTORS)
        ]
        return set().union(*behind) if outputs else None

    def licence(self, folder: str) -> str:
        """The licences of all raw sources behind a folder, as sources.yaml has them; "" where there are none."""
        names = sorted(self.sources_of(folder) or ())
        return "; ".join(dict.fromkeys(self._sources[name].licence for name in names if name in self._sources))

    def is_made(self, folder: str) -> bool:
        """Whether all that a folder was made from, word vectors apart, was drawn by generators of this project."""
        names = self.sources_of(folder, vectors=False)
        return names is not None and names <= self._made

    def is_own(self, folder: str) -> bool:
        """Whether a folder, or something that it was made from, is no source of sources.yaml and no work of a stage."""
        names = self.sources_of(folder)
        return names is None or not names <= self._sources.keys()

    def training_data(self, model: Path) -> list[model_card.TrainingData]:
        """The folders with cards that a model's stage read, or those behind what it read."""
        out = self.output_of(model.as_posix())
        return list(dict.fromkeys(self._with_cards(out))) if out else []

    def _with_cards(self, out: str) -> Iterator[model_card.TrainingData]:
        for folder in self.inputs[out]:
            if (self.root / folder / "card.json").exists():
                card = read_card(self.root / folder)
                about = card.get("description") or card.get("title") or folder
                licence = self.licence(folder) or card.get("licence") or "not stated"
                yield model_card.TrainingData(folder, about, licence, self.is_made(folder), self.is_own(folder))
            elif outputs := self._outputs(folder):
                for output in outputs:
                    yield from self._with_cards(output)
            elif self.sources_of(folder) is None:
                yield model_card.TrainingData(folder, "a file of your own", "not stated", is_own=True)

    def _outputs(self, folder: str) -> list[str]:
        """The outputs that a folder is, lies in or holds; those that another profile had in it are not here."""
        if out := self.output_of(folder):
            return [out]
        return [path for path in self.inputs if path.startswith(f"{folder}/") and (self.root / path).exists()]


def write(root: Path = Path()) -> int:
    """Write the cards of all folders under data/ that take raw input; returns how many."""
    folders = model_folders(root)
    if not folders:
        return 0
    lineage, (references, older) = Lineage(root), reference_results.read(root)
    for folder in folders:
        with new_file(folder / CARD) as partial:
            description = read_description(folder)
            text = _card(description, lineage, references, older.get(description.system, {}), root)
            partial.write_text(text, encoding="utf-8")
    return len(folders)


def model_folders(root: Path = Path()) -> list[Path]:
    """The folders of models, vectors and lexicons that say how raw input is read, in the order of their names."""
    return sorted(path.parent for part in PARTS for path in root.glob(f"data/{part}/**/{RAW_INPUT}"))


def cards_by_kind(root: Path = Path()) -> list[Path]:
    """The card of one model of each system and kind, and of each that has methods or an example of its own."""
    cards: dict[tuple[str, str, str, str], Path] = {}
    for folder in model_folders(root):
        description = read_description(folder)
        if (folder / CARD).exists():
            usage = _usage(description, folder.relative_to(root))
            cards.setdefault((description.system, description.kind, *usage), folder / CARD)
    return list(cards.values())


def methods_of(system: str, kind: str) -> str:
    """The methods of a kind of model, as "classify(texts), encode(texts)"."""
    return METHODS.get((system, kind)) or next(row.use for row in SYSTEMS if row.name == system)


def _usage(description: Description, folder: Path) -> tuple[str, str]:
    """The methods of a model, and the example of its card."""
    methods, example = (
        next((text for pattern, text in by_folder.items() if fnmatch(folder.as_posix(), pattern)), None)
        for by_folder in (METHODS_OF_FOLDERS, EXAMPLES_OF_FOLDERS)
    )
    return (
        methods or methods_of(description.system, description.kind),
        example or EXAMPLES[description.system, description.kind],
    )


def _card(
    description: Description,
    lineage: Lineage,
    references: Mapping[str, ReferenceResults],
    older: Mapping[str, Sequence[str]],
    root: Path,
) -> str:
    from repline.training.history import read_record  # brings PyTorch, which most of the report does without

    folder, system = description.folder, description.system
    methods, example = _usage(description, folder.relative_to(root))
    return model_card.card(
        _published(root / "stages" / system / "published.yaml"),
        Description(folder.relative_to(root), system, description.kind, {}),
        methods=methods,
        example=example,
        data=lineage.training_data(folder.relative_to(root)),
        training=read_record(folder) if (folder / "training.json").exists() else None,
        settings=read_card(folder)["parameters"] if (folder / "card.json").exists() else None,
        results={name: part["systems"][system] for name, part in references.items() if system in part["systems"]},
        older=older,
    )


@lru_cache
def _published(path: Path) -> published.Published:
    return published.read(path)


def main(arguments: list[str]) -> None:
    """Write the cards and say how many there are."""
    argparse.ArgumentParser(prog="python -m stages.model_cards", description=__doc__).parse_args(arguments)
    print(f"{write():,} cards of models")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"stages.model_cards: {error}")

"""Train one classifier on one vector space and its controls: `python -m stages.name_typing.train glove mlp`.

data/corpora/name_typing/<space> -> data/models/name_typing/<space>/<classifier>/<control>/seed-<s>
"""

from repline.systems.name_typing.classifier_files import RawNames
from repline.systems.name_typing.corpus import controlled, read_data
from repline.systems.name_typing.model import CLASSIFIERS
from repline.systems.name_typing.settings import load
from repline.systems.name_typing.training import train
from stages import run
from stages.argument import arguments
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    name, classifier_name = arguments({"a vector space": settings.spaces, "a classifier": CLASSIFIERS})
    classifier = next(classifier for classifier in CLASSIFIERS if classifier == classifier_name)
    space = settings.spaces[name]
    folder = CORPORA / "name_typing" / name
    names_given, types = read_data(folder)
    with trained_runs("name_typing", name, classifier) as runs:
        for control in space.with_given:
            names = controlled(names_given, control)
            raw_names = RawNames(types, folder) if control == "given" else None
            for seed in settings.seeds_for(classifier, control):
                train(classifier, settings.classifiers, names, runs.run(seed, control), raw_names)


if __name__ == "__main__":
    run(main)

"""params.yaml:dyck -> data/corpora/dyck: strings of balanced brackets, shallow in train and deep in test."""

from repline.parameters import bind, read, section
from repline.systems.urn import dyck
from stages import run


def main() -> None:
    parameters = bind(dyck.generate, section(read(), "dyck"), "dyck")
    dyck.generate("data/corpora/dyck", **parameters)
    print(f"data/corpora/dyck: {parameters['train_strings']} training and {parameters['test_strings']} test strings")


if __name__ == "__main__":
    run(main)

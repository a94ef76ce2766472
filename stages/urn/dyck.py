"""urn.corpora.dyck -> data/corpora/dyck: strings of balanced brackets, shallow in train and deep in test."""

from repline.parameters import bind, read, section
from repline.systems.urn import dyck
from stages import run

AT = "urn.corpora.dyck"


def main() -> None:
    knobs = bind(dyck.generate, section(read(), AT), AT)
    dyck.generate("data/corpora/dyck", **knobs)
    print(f"data/corpora/dyck: {knobs['train_strings']} training and {knobs['test_strings']} test strings")


if __name__ == "__main__":
    run(main)

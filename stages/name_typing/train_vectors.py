"""Train word vectors on a corpus: `python -m stages.name_typing.train_vectors sskip`.

data/<corpus> -> data/vectors/name_typing-<name>, for an entry of params.yaml:name_typing.embeddings.models: SKIP and
CBOW by word2vec, SSKIP and CWIN by our own loop.
"""

from repline.systems.name_typing.order_aware import order_aware
from repline.systems.name_typing.settings import load
from repline.vectors.training import word2vec
from stages import run
from stages.argument import argument
from stages.folders import DATA, VECTORS


def main() -> None:
    embeddings = load().embeddings
    name = argument("the name of a model of name_typing.embeddings.models", embeddings.models)
    recipe, corpus = embeddings.models[name], DATA / embeddings.corpus
    folder = VECTORS / f"name_typing-{name}"
    if recipe.ordered:
        card = order_aware(corpus, folder, recipe, progress=_show)
    else:
        card = word2vec(corpus, folder, recipe.word2vec(), progress=_show)
    counts = card["counts"]
    print(f"{folder}: {counts['words']:,} words, {counts['dimensions']} dimensions, from {counts['tokens']:,} tokens")


def _show(epoch: int, epochs: int) -> None:
    print(f"epoch {epoch} of {epochs}", flush=True)


if __name__ == "__main__":
    run(main)

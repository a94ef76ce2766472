"""params.yaml:corpus_specificity, data/<corpus> -> data/corpora/corpus_specificity: cleaned documents, one row each."""

from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from repline.cards import read_card
from repline.errors import InputError
from repline.parameters import bind, read, section
from repline.systems.corpus_specificity.documents import clean_documents
from repline.systems.corpus_specificity.running_text import read_stop_words
from stages import run
from stages.corpus_specificity.tests import DOCUMENTS


def main() -> None:
    values = section(read(), "corpus_specificity")
    corpus = Path("data") / values["corpus"]
    settings = dict(section(values, "documents"))
    words = stop_words(settings.pop("stop_words", "scikit-learn"), corpus)
    settings = bind(clean_documents, settings, "corpus_specificity.documents", given=("stop_words", "source"))
    card = clean_documents(corpus, DOCUMENTS, stop_words=words, source=_card(corpus), **settings)
    print(f"{DOCUMENTS}: {card['counts']['documents']:,} documents, {card['counts']['tokens']:,} words")


def stop_words(name: Any, corpus: Path) -> frozenset[str]:
    if name == "scikit-learn":
        return frozenset(ENGLISH_STOP_WORDS)
    if name == "nltk":
        return read_stop_words(corpus)
    raise InputError(
        f"params.yaml: corpus_specificity.documents.stop_words should be scikit-learn or nltk, found {name!r}"
    )


def _card(corpus: Path) -> dict[str, Any] | None:
    return read_card(corpus) if (corpus / "card.json").exists() else None


if __name__ == "__main__":
    run(main)

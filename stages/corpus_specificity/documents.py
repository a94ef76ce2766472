"""params.yaml:corpus_specificity, data/<corpus> -> data/corpora/corpus_specificity: cleaned documents, one row each."""

from pathlib import Path
from typing import Any, Literal

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from repline.cards import read_card
from repline.parameters import arguments, check, load, signature
from repline.systems.corpus_specificity.documents import clean_documents
from repline.systems.corpus_specificity.running_text import read_stop_words
from repline.systems.corpus_specificity.settings import Documents, Settings
from stages import run
from stages.corpus_specificity.tests import DOCUMENTS


def main() -> None:
    settings = load(Settings, "corpus_specificity")
    knobs = signature(clean_documents, given=("stop_words", "source"), base=Documents)
    chosen = check(knobs, settings.documents, "corpus_specificity.documents")
    corpus = Path("data") / settings.corpus
    given = {"stop_words": stop_words(chosen.stop_words, corpus), "source": _card(corpus)}
    card = clean_documents(corpus, DOCUMENTS, **arguments(chosen, of=clean_documents) | given)
    print(f"{DOCUMENTS}: {card['counts']['documents']:,} documents, {card['counts']['tokens']:,} words")


def stop_words(name: Literal["scikit-learn", "nltk"], corpus: Path) -> frozenset[str]:
    return read_stop_words(corpus) if name == "nltk" else frozenset(ENGLISH_STOP_WORDS)


def _card(corpus: Path) -> dict[str, Any] | None:
    return read_card(corpus) if (corpus / "card.json").exists() else None


if __name__ == "__main__":
    run(main)

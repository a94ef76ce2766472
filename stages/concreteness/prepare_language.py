"""data/corpora/taxonomic_concreteness, data/vectors -> an artificial second language with a dictionary and ratings.

data/corpora/made_language/{ratings,dictionary,concepts}.parquet and data/vectors/made-language.
"""

from repline.cards import Source
from repline.systems.concreteness.artificial_language import make_language, write_language
from repline.systems.concreteness.ratings import rated_words, read_ratings
from repline.systems.concreteness.settings import load
from repline.vectors.formats import readers
from repline.vectors.store import save
from stages import run
from stages.folders import CORPORA, DATA, VECTORS

RATED = "corpora/taxonomic_concreteness"


def main() -> None:
    settings = load()
    language = settings.language
    words, vectors = readers.read(DATA / settings.vectors, limit=language.words)
    language_data = make_language(words, vectors, rated_words(read_ratings(DATA / RATED)), language)
    sources: list[Source] = [{"name": settings.vectors}, {"name": RATED}]
    save(
        VECTORS / "made-language",
        language_data.words,
        language_data.vectors,
        description="Word vectors of an artificial language: those of English, blurred and turned",
        sources=sources,
        parameters=language.model_dump(exclude_unset=True),
    )
    write_language(CORPORA / "made_language", language_data, language, sources)
    print(f"{len(language_data.words)} words, {len(language_data.pairs)} pairs, {len(language_data.ratings)} rated")


if __name__ == "__main__":
    run(main)

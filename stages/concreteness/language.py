"""data/corpora/taxonomic_concreteness, data/vectors -> an artificial second language with a dictionary and ratings.

data/corpora/made_language/{ratings,dictionary,concepts}.parquet and data/vectors/made-language.
"""

import pyarrow as pa
import pyarrow.parquet as pq

from repline.cards import write_card
from repline.files import new_folder
from repline.lexicons import bilingual_dictionary
from repline.parameters import Section, arguments, check, load, signature
from repline.systems.concreteness import ratings as rating_files
from repline.systems.concreteness.made_language import make_language
from repline.systems.concreteness.settings import Count, Settings
from repline.vectors.formats import readers
from repline.vectors.store import save
from stages import run
from stages.concreteness.rated_words import DATA

RATED = "corpora/taxonomic_concreteness"


class Words(Section):
    """How many words of the vectors the language has, the most frequent ones; None for all."""

    words: Count | None


def main() -> None:
    settings = load(Settings, "concreteness")
    language = check(signature(make_language, base=Words), settings.language, "concreteness.language")
    words, matrix = readers.read(DATA / settings.vectors, limit=language.words)
    ratings = rating_files.rated_words(rating_files.read_ratings(DATA / RATED))
    made = make_language(words, matrix, ratings, **arguments(language, of=make_language))
    sources = [{"name": settings.vectors}, {"name": RATED}]
    save(
        DATA / "vectors" / "made-language",
        made.words,
        made.vectors,
        description="Word vectors of a made language: those of English, blurred and turned",
        sources=sources,
        parameters=arguments(language),
    )
    with new_folder(DATA / "corpora" / "made_language") as folder:
        pq.write_table(rating_files.ratings_table(made.ratings), folder / rating_files.FILE, compression="zstd")
        for file, pairs in ((bilingual_dictionary.FILE, made.pairs), ("concepts.parquet", made.concepts)):
            columns = [list(column) for column in zip(*pairs, strict=True)]
            table = pa.table(columns, schema=bilingual_dictionary.PAIRS)
            pq.write_table(table, folder / file, compression="zstd")
        write_card(
            folder,
            name="made_language",
            description="A made language: English in another spelling, with a dictionary, ratings given anew",
            licence="that of the sources",
            sources=sources,
            parameters=arguments(language),
            counts={"words": len(made.words), "pairs": len(made.pairs), "rated": len(made.ratings)},
            tools=("pyarrow", "numpy", "scipy"),
        )
    print(f"{len(made.words)} words, {len(made.pairs)} pairs, {len(made.ratings)} rated")


if __name__ == "__main__":
    run(main)

"""data/corpora/<bitext>, tables of characters -> data/corpora/cjc: training pairs, counts of contexts, tests."""

from pathlib import Path

from repline.cards import card_or_files, write_card
from repline.corpora.parallel.bitext import read_bitext
from repline.files import new_folder, write_json
from repline.lexicons.character_table import coverage, identity_shares, links, read_table
from repline.systems.cjc.corpus import Vocabulary, split
from repline.systems.cjc.prepared import mutual_information, write_tests, write_training
from repline.systems.cjc.settings import read
from stages import run

DATA = Path("data")
FOLDER = DATA / "corpora" / "cjc"
CHARACTERS = "天地人中学"  # of the paper's table 2


def main() -> None:
    settings = read()
    whole = read_bitext(DATA / settings.corpus)
    bitext = whole.of(settings.origins)
    table, other = (read_table(DATA / place) for place in (settings.characters, settings.compared))
    test = settings.test.model_dump(exclude={"analogy_pairs"})
    found = split(bitext, **test)
    vocabulary = Vocabulary.of(found.training, settings.minimum_count)
    knobs = {"window": settings.window, "distance_weight": settings.distance_weight}
    with new_folder(FOLDER) as partial:
        counts = write_training(partial, found.training, vocabulary, links(table), **knobs, seed=settings.test.seed)
        write_tests(partial, found, {origin: whole.of([origin]) for origin in settings.elsewhere}, test)
        shares, rows = identity_shares(table)
        information = mutual_information(found.training, CHARACTERS, links(table))
        write_json(
            partial / "characters.json",
            {
                "identity": shares | {"rows": rows},
                "coverage": coverage(links(table), links(other)),
                "mutual_information": information,
            },
        )
        words = {f"words_{language}": len(own) for language, own in zip(bitext.languages, vocabulary[:2], strict=True)}
        counts |= words | {"test_words": len(found.lexicon), "test_sentences": len(found.held_out.first)}
        sources = [settings.corpus, settings.characters, settings.compared]
        write_card(
            partial,
            name="cjc",
            description="Words in the contexts of words of two languages, counted; words and sentences to test with",
            licence="that of the parallel corpus",
            sources=[{"corpus": card_or_files(DATA / place)} for place in dict.fromkeys(sources)],
            parameters=settings.model_dump(exclude={"glove", "cbow", "aligned", "seeds"}),
            counts=counts,
            tools=["pyarrow", "numpy", "scipy"],
        )
    print(", ".join(f"{name} {count:,}" for name, count in counts.items()))


if __name__ == "__main__":
    run(main)

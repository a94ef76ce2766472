"""Write a terminology: `python -m stages.jet.prepare_terminology NAME`, data/<source> -> data/lexicons/jet/<name>."""

from repline.cards import card_or_files
from repline.reading.wrong_records import LeftOut
from repline.systems.jet.name_sources import names_of
from repline.systems.jet.settings import load
from repline.systems.jet.terminology import write
from stages import run
from stages.argument import argument
from stages.folders import DATA, LEXICONS


def main() -> None:
    terminologies = load().terminologies
    name = argument("the name of a terminology", terminologies)
    terminology, folder = terminologies[name], LEXICONS / "jet" / name
    left_out, origin = LeftOut(terminology.on_error), card_or_files(DATA / terminology.source)
    names = names_of(terminology, left_out=left_out)
    counts = write(names, folder, terminology, origin=origin, notes=left_out.notes())["counts"]
    print(
        f"{folder}: {counts['terms']:,} terms for {counts['entities']:,} entities; left out: "
        f"{counts['left_out_too_long']:,} too long, {counts['left_out_stop_words']:,} stop words"
    )


if __name__ == "__main__":
    run(main)

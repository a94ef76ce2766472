"""data/<chunks.tagger.source> -> data/models/chunk_tagger/{tags,words,running}: taggers of three forms of text.

tags reads words and their part-of-speech tags, words no tags, running text in Mikolov's form.
"""

from pathlib import Path

from repline.corpora.chunks.chunk_tagger_training import train
from repline.corpora.chunks.chunked_sentences import read_chunked
from repline.files import new_folder
from stages import run
from stages.chunks import settings
from stages.chunks.text_forms import in_form, vocabulary_of

TAGGERS = "data/models/chunk_tagger"
SHOWN = 10  # iterations between two lines of progress


def main() -> None:
    chosen = settings.load()
    own, knobs = chosen.tagger, settings.training(chosen, train)
    sentences, _ = read_chunked(Path("data") / own.source, sentences=own.sentences, test_share=own.test_share)
    known = vocabulary_of(own.vocabulary)
    with new_folder(TAGGERS) as folder:
        for form in settings.FORMS:
            text = in_form(sentences, form, known)

            def progress(iteration: int, loss: float, form: str = form) -> None:
                if iteration % SHOWN == 0:
                    print(f"{form} iteration {iteration}: loss {loss:.3f} per sentence", flush=True)

            tags = text.tags if form == "tags" else None
            train(text.tokens, tags, text.chunks, progress=progress, **knobs).save(folder / form)


if __name__ == "__main__":
    run(main)

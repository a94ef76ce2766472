"""data/<chunks.tagger.source> -> data/models/chunk_tagger/{tags,words,running}: taggers of three forms of text.

tags reads words and their part-of-speech tags, words no tags, running text in Mikolov's form.
"""

from repline.corpora.chunks.chunk_tagger_training import train
from repline.corpora.chunks.chunked_sentences import read_chunked
from repline.files import new_folder
from stages import run
from stages.chunks.settings import FORMS, load
from stages.chunks.text_forms import in_form, vocabulary_of
from stages.folders import DATA, MODELS

ITERATIONS_PER_LINE = 10  # iterations between two lines of progress


def main() -> None:
    tagger = load().tagger
    sentences, _ = read_chunked(DATA / tagger.source, sentences=tagger.sentences, test_share=tagger.test_share)
    words = vocabulary_of(tagger.vocabulary)
    with new_folder(MODELS / "chunk_tagger") as folder:
        for form in FORMS:
            text = in_form(sentences, form, words)

            def progress(iteration: int, loss: float, form: str = form) -> None:
                if iteration % ITERATIONS_PER_LINE == 0:
                    print(f"{form} iteration {iteration}: loss {loss:.3f} per sentence", flush=True)

            tags = text.tags if form == "tags" else None
            train(text.tokens, tags, text.chunks, tagger, progress).save(folder / form)


if __name__ == "__main__":
    run(main)

"""Japanese words by MeCab with the dictionary of unidic-lite."""

import functools


def words(text: str) -> list[str]:
    """Segment Japanese text into the short units of UniDic, punctuation included, white space left out.

    Args:
        text: one sentence or more, on one line.

    Source: https://taku910.github.io/mecab/ ; https://clrd.ninjal.ac.jp/unidic/
    """
    return _tagger().parse(text.replace("\n", " ")).split()


@functools.cache
def _tagger():
    import MeCab
    import unidic_lite

    return MeCab.Tagger(f'-Owakati -r /dev/null -d "{unidic_lite.DICDIR}"')

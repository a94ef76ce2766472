"""Chinese words by jieba."""

import functools
import logging


def words(text: str) -> list[str]:
    """Segment Chinese text into words, punctuation included, white space left out.

    Args:
        text: one sentence or more, simplified or traditional.

    Source: https://github.com/fxsjy/jieba (precise mode with its hidden Markov model for unknown words)
    """
    return [word for word in _tokenizer().cut(text) if not word.isspace()]


@functools.cache
def _tokenizer():
    import jieba

    jieba.setLogLevel(logging.WARNING)
    return jieba.Tokenizer()

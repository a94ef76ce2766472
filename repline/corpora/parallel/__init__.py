"""Parallel corpora: sentences of one language next to their translations in another.

Read `translations.py` (the forms of files that hold them), `message_catalogues.py` (programs' messages and names of
standards, as gettext keeps them), `scripts.py` (whether a text is in its language's writing), and `bitext.py` (the
corpus on disk: both sides segmented into words, Parquet with a card).
"""

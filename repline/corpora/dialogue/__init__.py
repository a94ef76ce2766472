"""Conversations: turns of people who talk, which of them are of use, and a corpus of them.

Read `turns` first, then `turn_filter` and `conversation_corpus`.
"""

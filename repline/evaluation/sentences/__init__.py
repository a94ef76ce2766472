"""Sentence vectors judged by the protocol of SentEval. Read `sentence_tasks`, `sentence_encoders`, `protocol` first."""

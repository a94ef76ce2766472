"""Sentence vectors judged by the protocol of SentEval: read tasks, encoders, cross_validation, then judged."""

"""A sentence encoder from conversations, and optionally inference: a message picks its reply among those of a batch.

Read `model`, then `encoders`, `task_batches` (how two tasks take turns) and `training`; `corpus` makes the numbers
that these take. `response_ranking`, `question_ranking` and `tuning` are what the encoder is judged by, `measures` and
`evaluation` put the numbers together.
"""

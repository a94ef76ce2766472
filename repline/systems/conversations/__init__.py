"""A message picks its reply among the others of a batch: a sentence encoder from conversations, with inference beside.

Read `model`, then `encoders`, `task_batches` (how two tasks take turns) and `training`; `corpus` makes the numbers
that these take. `response_ranking`, `question_ranking` and `tuning` are what the encoder is judged by, `measures` and
`evaluation` put the numbers together.
"""

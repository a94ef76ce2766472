"""HRRLM: a language model whose words are sums of role-filler bindings.

Read `model.py` first (words), then `chunk_model.py` (phrases); `training.py` and `chunk_training.py` train them,
`decomposition.py` and `chunk_space.py` measure what each filler represents.
"""

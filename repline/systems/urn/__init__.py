"""URN, the unitary recurrent network: a symbol is an orthogonal matrix, a sentence their product.

Read `model.py` first, then `training.py`; `dyck.py` and `agreement/` make its two corpora.
"""

"""Text as JET sees it, terms and corpus alike: runs of letters and digits in lower case, nothing else."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def plain_text(texts: pa.Array) -> pa.Array:
    """Maximal runs of letters, their marks and digits, in lower case, with one blank between: strings [n] of [n]."""
    return pc.utf8_trim(pc.replace_substring_regex(pc.utf8_lower(texts), r"[^\p{L}\p{M}\p{N}]+", " "), " ")


def plain_tokens(texts: pa.Array) -> tuple[pa.Array, np.ndarray]:
    """Tokens of `plain_text`: strings [N], one text after another, and int64 [n], how many each text has."""
    plain = plain_text(texts)
    lists = pc.split_pattern(plain, " ")  # of an empty text: one empty string
    lengths = pc.list_value_length(lists).to_numpy(zero_copy_only=False).astype(np.int64)
    flat = lists.flatten()
    if pc.any(pc.equal(plain, "")).as_py():
        lengths[pc.equal(plain, "").to_numpy(zero_copy_only=False)] = 0
        flat = flat.filter(pc.not_equal(flat, ""))
    return flat, lengths

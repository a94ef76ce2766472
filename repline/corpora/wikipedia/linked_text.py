"""The form of the links between the articles of a dump, which `repline.corpora.wikipedia.links` writes.

part-*.parquet      `doc_id`; `text`, a paragraph; `links`: list<{start, end, label, target}>, characters of the text
titles.parquet      `doc_id, title` of every article
redirects.parquet   `doc_id, title, target`
card.json
"""

import pyarrow as pa

PARTS, TITLES, REDIRECTS = "part-*.parquet", "titles.parquet", "redirects.parquet"
LINK = pa.struct([("start", pa.int32()), ("end", pa.int32()), ("label", pa.string()), ("target", pa.string())])
PARAGRAPHS = pa.schema([("doc_id", pa.string()), ("text", pa.string()), ("links", pa.list_(LINK))])

"""Knowledge graphs: triples of entities and relations, and numbers of entities.

Read `knowledge_graph.py` (what a graph is, on disk and in memory), then `graph_files.py` (readers of files),
`hold_out.py` (splits), and `filtered_ranking.py` with `rank_measures.py` (link prediction).
"""

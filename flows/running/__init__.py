"""One run of the graph as tasks of Prefect."""

"""The servers that a flow talks to: Prefect's API, and a Dask cluster."""

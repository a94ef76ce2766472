"""What the servers of `tests.forks` import: libraries that are slow to import, and nothing of this project."""

from pathlib import Path

from flows.processes import forkserver
from flows.project import settings

FORK = settings.of(Path(__file__).parents[1]).fork

STAGES = [
    *("duckdb", "gensim.models", "jinja2", "plotly.graph_objects", "pyarrow.parquet", "pydantic"),
    *("pytorch_lightning", "safetensors.torch", "scipy.stats", "sklearn.cluster", "sklearn.linear_model"),
    "sklearn.svm",
]
FLOWS = [
    *forkserver.PRELOAD,
    *("dvc.cli", "dvc.commands.repro", "dvc.commands.status", "filelock", "psutil", "pyarrow.parquet", "pydantic"),
    *("anyio._backends._asyncio", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker", "graphviz"),
    *("prefect.artifacts", "prefect.deployments.runner", "prefect.engine", "prefect.flow_engine", "prefect.flows"),
    *("prefect.input", "prefect.main", "prefect.runner", "prefect.runtime", "prefect.server.api.server"),
    *("prefect.task_engine", "prefect.tasks", "prefect.telemetry.run_telemetry", "prefect.utilities.visualization"),
    *("prefect_dask", "rich.live", "uvicorn"),
]
MODULES = [*(FORK.libraries if FORK else ()), *FLOWS]

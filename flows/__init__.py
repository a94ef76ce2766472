"""The DVC graph of any project in parallel: planned, run, shown, recorded."""

import logging
import os

# read when dvc and prefect are imported, here and in every process started from here: no tool phones home
os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
os.environ.setdefault("DVC_NO_ANALYTICS", "1")
logging.getLogger("dvc.progress").setLevel(logging.CRITICAL)  # DVC draws no bars: the views say how far a run is

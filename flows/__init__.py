"""The DVC graph of any project in parallel: planned, run, shown, recorded."""

import logging
import os

# read when dvc and prefect are imported, here and in every process of ours: no tool phones home
SILENT = {"DO_NOT_TRACK": "1", "PREFECT_SERVER_ANALYTICS_ENABLED": "false", "DVC_NO_ANALYTICS": "1"}
set_here = [name for name in SILENT if name not in os.environ]  # and not by the user: stages do not get them
os.environ.update({name: SILENT[name] for name in set_here})
logging.getLogger("dvc.progress").setLevel(logging.CRITICAL)  # DVC draws no bars: the views say how far a run is

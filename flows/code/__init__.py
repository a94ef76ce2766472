"""Code by definition: digests of the Python that the stages of any DVC project run, and why one changed.

Read `commands`, which says what Python a shell command runs; `project_code`, which reads the modules that it imports
from; `stage_code`, which does so for the stages of a project; then `digests_command`, `dvc_yaml` and `explanation`.
The digests themselves are the package `code_digests`.
"""

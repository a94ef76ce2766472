# Each target sets up .venv by itself; a second call finds it ready.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# no tool phones home
export DO_NOT_TRACK := 1
export PREFECT_SERVER_ANALYTICS_ENABLED := false
export DVC_NO_ANALYTICS := 1
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: repro test lint reference deps ui bench setup lock clean

repro: $(READY)
	@$(BIN)/python -m flows reproduce

# one process more than CPUs, up to four, each with one thread: many tests wait, for servers and signals
WORKERS = $(shell $(PYTHON) -c 'import os; print(min((os.cpu_count() or 1) + 1, 4))')
test: $(READY)
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

lint: $(READY)
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

# run a profile whole, or some SYSTEMS of it, keep the results, and say what to commit
PROFILE ?= small
reference: $(READY)
	@$(BIN)/python -m stages.reference $(PROFILE) --systems $(SYSTEMS)

# what each stage depends on, from the imports
deps: $(READY)
	@$(BIN)/python -m stages.dependencies

ui: $(READY)
	@$(BIN)/python -m flows serve

bench: $(READY)
	@$(BIN)/python -m benchmarks

setup: $(READY)

# which build of PyTorch: TORCH=cuda where there is an NVIDIA driver, else cpu; macOS has one build for all
DRIVER := /proc/driver/nvidia
SYSTEM = $(shell uname -s)
TORCH = $(if $(filter Darwin,$(SYSTEM)),macos,$(if $(wildcard $(DRIVER))$(shell nvidia-smi -L 2>/dev/null),cuda,cpu))
INSTALL = $(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps
CPU_BUILD = $(INSTALL) --require-hashes -r requirements-torch-cpu.lock 2>>$(VENV)/install.log
OWN_BUILD = $(INSTALL) --require-hashes -r requirements-torch.lock 2>>$(VENV)/install.log
FAILED = { tail -n 20 $(VENV)/install.log; exit 1; }

# the CPU build is taken from wherever pip finds it; where it finds none, the registry's build does as well
$(READY): requirements.lock requirements-torch-cpu.lock requirements-torch.lock
	@echo "setting up $(VENV) from requirements.lock (once, a few minutes)"
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else f"repline needs Python 3.11, 3.12 or 3.13 (gensim has no wheel for 3.14 yet), this is {sys.version.split()[0]}: make PYTHON=python3.12 ...")'
	@$(if $(filter cpu cuda macos,$(TORCH)),true,echo "TORCH is $(TORCH); it should be cpu or cuda"; exit 1)
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) --require-hashes -r requirements.lock 2>$(VENV)/install.log || $(FAILED)
	@echo "PyTorch: $(TORCH)"
ifeq ($(origin TORCH),file)
	@$(if $(filter cpu,$(TORCH)),$(CPU_BUILD) ||) $(OWN_BUILD) || $(FAILED)
else
	@$(if $(filter cpu,$(TORCH)),$(CPU_BUILD),$(OWN_BUILD)) || $(FAILED)
endif
	@$(INSTALL) --no-build-isolation -e . 2>>$(VENV)/install.log
	@$(BIN)/python -c 'import torch, spacy, dvc, prefect, repline'
	@touch $(READY)

# pins for what changed in pyproject.toml, all others as they are (needs uv); torch and its CUDA libraries get files of their own
lock:
	@$(PYTHON) -m venv .venv-lock && .venv-lock/bin/pip install -qq uv && .venv-lock/bin/python lock.py && rm -rf .venv-lock

clean:
	rm -rf $(VENV) data/scratch

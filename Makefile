# Each target sets up .venv by itself; a second call finds it ready.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# .venv keeps its Python, which the PATH below puts first, until another is named: make PYTHON=python3.13
ifeq ($(origin PYTHON),command line)
override PYTHON := $(or $(shell command -v $(PYTHON)),$(PYTHON))
NEW := $(shell sh set_up.sh --same-version $(PYTHON) $(BIN)/python || echo another_python)
else ifneq ($(wildcard $(BIN)/python),)
PYTHON := python3
endif
# likewise its build of PyTorch: make TORCH=cuda
ifeq ($(origin TORCH),command line)
NEW += $(shell grep -qx "$(TORCH)" $(VENV)/.torch 2>/dev/null || echo another_build)
endif
# no tool phones home
export DO_NOT_TRACK := 1
export PREFECT_SERVER_ANALYTICS_ENABLED := false
export DVC_NO_ANALYTICS := 1
# every stage and every worker of the tests imports this project anew: bytecode is kept, in folders that Git ignores
export PYTHONDONTWRITEBYTECODE :=
# the modules of stages are found by the folder that they run in
unexport PYTHONSAFEPATH
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help repro test lint examples reference docs plots deps gc ui bench setup lock clean

# every stage, also those that the report does not need: Git has their locks, and pages show their data
repro: $(READY)  ## run every stage that is not up to date, and write data/report/index.html
	@$(BIN)/python -m flows reproduce --all-pipelines

# one process more than CPUs, up to four, each with one thread: many tests wait, for servers and signals
WORKERS = $(shell $(PYTHON) -c 'import os; print(min((os.cpu_count() or 1) + 1, 4))')
test: $(READY)  ## run the tests
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

lint: $(READY)  ## ruff and mypy
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

# the examples of README and the pages, after `make repro`; OPTIONS=--any-output on a machine of another kind
examples: $(READY)  ## run the examples of the pages, after make repro
	@$(BIN)/python -m stages.upkeep.examples $(OPTIONS)

# run a profile whole, or some SYSTEMS of it, keep the results, and say what to commit
PROFILE ?= small
reference: $(READY)  ## run a PROFILE whole, or some SYSTEMS of it, and keep the results
	@$(BIN)/python -m stages.upkeep.reference $(PROFILE) --systems $(SYSTEMS)

# the documentation site, data/site/index.html; MkDocs lives in an environment of its own
DOCS := .venv-docs
$(DOCS)/.ready: requirements-docs.lock
	@$(PYTHON) -m venv $(DOCS) && $(DOCS)/bin/python -m pip install -qq --disable-pip-version-check --no-deps --require-hashes -r requirements-docs.lock && touch $@

docs: $(READY) $(DOCS)/.ready  ## build the documentation site, data/site/index.html
	@$(BIN)/python -m stages.upkeep.site --mkdocs $(DOCS)/bin/mkdocs

# dvc plots with Vega beside them, dvc_plots/index.html; OPTIONS="diff TAG" compares
VEGA := import vl_convert; print(vl_convert.javascript_bundle("Object.assign(window, {vega, vegaLite, vegaEmbed})", vl_version="5.21"))
dvc_plots/vega.js: $(DOCS)/.ready
	@mkdir -p dvc_plots && $(DOCS)/bin/python -c '$(VEGA)' >$@.new && mv $@.new $@

plots: $(READY) dvc_plots/vega.js  ## dvc plots on a page that needs no network, dvc_plots/index.html
	@$(BIN)/dvc plots $(or $(OPTIONS),show)

# the digests that stages name, and what the report reads
deps: $(READY)  ## write the digests that stages name
	@$(BIN)/python -m stages.upkeep.dependencies

# `dvc gc` alone counts the files of the checkout, and removes what the workspaces of profiles have in the same cache
PROJECTS = $(patsubst %/.dvc/config,%,$(wildcard data/scratch/workspaces/*/.dvc/config))
gc: $(READY)  ## remove from DVC's cache what neither the checkout nor the workspace of a profile uses
	@$(BIN)/dvc gc --workspace $(OPTIONS) $(if $(PROJECTS),--projects $(PROJECTS))

ui: $(READY)  ## serve the flows with Prefect, on loopback
	@$(BIN)/python -m flows serve

bench: $(READY)  ## time the heavy parts against their alternatives
	@$(BIN)/python -m benchmarks

setup: $(READY)  ## install everything into .venv

# TORCH=cpu or TORCH=cuda chooses the build of PyTorch; else the machine does
DRIVER := /proc/driver/nvidia
$(READY): set_up.sh requirements.lock requirements-uv.lock requirements-torch-cpu.lock requirements-torch.lock $(NEW)
	@DRIVER=$(DRIVER) sh set_up.sh $(PYTHON) $(VENV) $(TORCH)
	@touch $(READY)
.PHONY: another_python another_build

# pins for what changed in pyproject.toml, all others as they are; uv, and torch with its CUDA libraries, get files of their own
lock: $(READY)  ## pin what changed in pyproject.toml
	@$(BIN)/python lock.py

help:  ## the targets, a line each (make alone is make repro)
	@sed -n 's/^\([a-z]*\):.*  ## /\1: /p' Makefile

clean:  ## remove .venv, .venv-docs and data/scratch
	rm -rf $(VENV) $(DOCS) data/scratch

# make demo | test | check | docs | clean      (another Python: make PYTHON=python3.12 demo)

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --no-input --disable-pip-version-check
DOCS := build/docs build/doctrees docs/gallery docs/reference/generated docs/reference/commands docs/reference/scores.rst \
        docs/reference/schemas.rst docs/sg_execution_times.rst

# What the package is built from asks for a new installation when it changes.
BUILT_FROM := pyproject.toml $(wildcard src/native/*)

# How long, and from which seed on, each program of tests/fuzz runs.
SECONDS_EACH ?= 300
SEED ?= 0
FUZZ := $(wildcard tests/fuzz/*.py)

# How many tables make machines ranks, gates and shows under each setting.
INPUTS ?= 10

# make net NET_ARGS=--accept stores what the code says now; make net NET_ARGS='rank gate' looks at some.
NET_ARGS ?=

# make answers SINCE=main: how the answers to the files of tests/answers differ from those of another revision.
SINCE ?=

.PHONY: help demo test net answers spark machines nightly calibration minimum floor fuzz $(FUZZ) bench lint check docs dist clean
.DELETE_ON_ERROR:

# What an active environment, or a personal configuration, must not decide here.
unexport PYTHONHOME PYTHONPATH PYTHONDONTWRITEBYTECODE VIRTUAL_ENV PIP_PREFIX PIP_REQUIRE_VIRTUALENV PIP_TARGET PIP_USER

help:
	@echo 'make demo   rank real classifiers: leaderboards here; the explorer, the ranking card and figures in demo/'
	@echo 'make test   all tests, and the examples in the documentation'
	@echo 'make net    how all that commands print and Python answers differs from the stored snapshots; NET_ARGS=--accept stores it'
	@echo 'make answers  where rankscape answers the files of tests/answers otherwise than it must; SINCE=main compares revisions'
	@echo 'make spark  the tests that need Spark: Java must be there, PySpark is installed'
	@echo 'make machines  the same output to the last byte, as on other processors: make machines INPUTS=200 takes longer'
	@echo 'make nightly  the simulations that take minutes: stated certainty must hold where the truth is known'
	@echo 'make calibration  the tables and the diagrams of docs/theory/calibration.rst, written anew'
	@echo 'make minimum  the tests of the core, with the oldest versions of what it depends on'
	@echo 'make floor  the main ways through the package, with the oldest versions'
	@echo 'make fuzz   random inputs, for a while: make fuzz SECONDS_EACH=600 SEED=1'
	@echo 'make check  ruff, mypy, codespell and all tests'
	@echo 'make lint   ruff, mypy and codespell'
	@echo 'make docs   the documentation, in build/docs/index.html; warnings and dead links are errors'
	@echo 'make bench  every path, command and kernel: how it grows, and speed against what people use today'
	@echo 'make dist   the source distribution and two wheels, in dist/; each is tried alone, without a compiler'
	@echo 'make clean  remove the environment and everything that was made'

demo: $(VENV)/installed
	$(BIN)/rankscape demo --output demo

# Each process of the tests has a core of its own: threads of linear algebra beside it only wait for one another.
test net answers nightly minimum: export OPENBLAS_NUM_THREADS = 1
test net answers nightly minimum: export OMP_NUM_THREADS = 1

test: $(if $(PYTEST_ARGS),$(VENV)/installed-dev,$(VENV)/rewritten)
	$(BIN)/python -m pytest --numprocesses=auto --maxprocesses=8 --dist=worksteal --quiet $(PYTEST_ARGS)

# pytest rewrites the assertions of each file once. In a first run every process would do so for all files: two share them.
$(VENV)/rewritten: $(VENV)/installed-dev
	@$(BIN)/python -m pytest --collect-only -qq tests/unit >/dev/null & unit=$$!; \
	$(BIN)/python -m pytest --collect-only -qq tests --ignore=tests/unit >/dev/null; wait $$unit && touch $@ || true

net: $(VENV)/installed-dev
	PYTHONPATH=tests $(BIN)/python -m net.net $(NET_ARGS)

answers: $(VENV)/installed-dev
	PYTHONPATH=tests $(BIN)/python -m answers.answers --since "$(SINCE)"

spark: $(VENV)/installed-dev
	$(BIN)/python -m pip --quiet --disable-pip-version-check install 'pyspark>=4.0'
	$(BIN)/python -m pytest --numprocesses=2 --quiet -m spark tests/unit $(PYTEST_ARGS)

nightly: $(VENV)/installed-dev
	$(BIN)/python -m pytest --numprocesses=auto --maxprocesses=8 --dist=worksteal --quiet -m nightly $(PYTEST_ARGS)

# The settings, each in a process of its own, are those of other processors; ends with status 1 where one changes anything.
machines: $(VENV)/installed-dev
	$(BIN)/python tests/machines/compare.py --inputs $(INPUTS)

# Ends with status 1 where a target is missed beyond chance.
calibration: $(VENV)/installed-dev
	$(BIN)/python examples/calibration.py --output docs/theory
	$(BIN)/python examples/decisions.py --samples 3 --output docs/theory

minimum: build/minimum/installed
	build/minimum/bin/python -m pip --quiet --disable-pip-version-check install --constraint tests/minimum.txt pytest-xdist hypothesis jsonschema mpmath 'pandas<3' polars pyarrow scikit-learn
	build/minimum/bin/python -m pytest --numprocesses=auto --quiet -p no:cacheprovider -c /dev/null --rootdir=. tests/unit

floor: build/minimum/installed
	build/minimum/bin/python -m pytest --quiet -p no:cacheprovider -c /dev/null --rootdir=. --confcutdir=tests/floor tests/floor

# Where Python comes without ensurepip, $(PYTHON) must have its own; CI has.
build/minimum/installed: $(BUILT_FROM) tests/minimum.txt
	$(PYTHON) -m venv --clear build/minimum
	build/minimum/bin/python -m pip --quiet --disable-pip-version-check install --constraint tests/minimum.txt '.' pytest
	@touch $@

# Each program ends with status 1 and the input that shows it where two ways to one answer differ.
fuzz: $(FUZZ)

$(FUZZ): $(VENV)/installed-dev
	$(BIN)/python $@ --seed $(SEED) --seconds $(SECONDS_EACH)

# Slow paths have a mark, and nothing fails. All of it takes up to an hour: make bench BENCH_ARGS='--sizes 100 10000' is quick,
# and BENCH_ARGS='--output docs' writes the tables of the pages on scale and limits.
bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks $(BENCH_ARGS)

docs: $(VENV)/installed-docs
	rm -rf $(DOCS)
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -b html -d build/doctrees docs build/docs
	$(BIN)/python docs/check_links.py build/docs

# The wheel of this platform, and the pure one, whose kernels are NumPy's. Each distribution is installed in an environment
# of its own, where there is no compiler on the PATH, and must run the demo.
ALONE := $(CURDIR)/build/alone
dist: $(VENV)/ready
	rm -rf dist
	$(PIP) install build
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --config-settings wheel.cmake=false --wheel-dir dist dist/*.tar.gz
	@for file in dist/*; do \
	  echo "$$file, alone:"; \
	  $(PYTHON) -m venv --clear $(ALONE) && \
	  PATH=$(ALONE)/bin $(ALONE)/bin/python -m pip install --quiet --disable-pip-version-check "$$file" && \
	  cd $(ALONE) && \
	  PATH=$(ALONE)/bin bin/python -c 'from rankscape.kernels import backend; print("compiled kernels:", backend.COMPILED)' && \
	  PATH=$(ALONE)/bin bin/rankscape demo --output demo >demo.txt && \
	  cd $(CURDIR) || exit 1; \
	done

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell README.md CHANGELOG.md CONTRIBUTING.md Makefile docs examples benchmarks src

check: lint test

clean:
	rm -rf $(VENV) build demo dist $(DOCS) .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +


$(VENV)/installed: $(BUILT_FROM) | $(VENV)/ready
	@echo 'installing rankscape into $(VENV) ...'
	@$(PIP) install --editable .
	@touch $@

$(VENV)/installed-dev: $(BUILT_FROM) | $(VENV)/ready
	@echo 'installing rankscape and its development tools into $(VENV) ...'
	@$(PIP) install --editable '.[dev]'
	@touch $(VENV)/installed $@

$(VENV)/installed-docs: $(BUILT_FROM) | $(VENV)/ready
	@echo 'installing rankscape and what builds its documentation into $(VENV) ...'
	@$(PIP) install --editable '.[docs]'
	@touch $(VENV)/installed $@

# Where Python comes without ensurepip (a bare Debian), its own pip fills the environment.
$(VENV)/ready:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo 'rankscape needs Python 3.11 or newer, and "$(PYTHON)" is not: name another one, as in: make PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV) >/dev/null 2>&1 || { \
	  $(PYTHON) -m venv --clear --without-pip $(VENV) && \
	  $(PYTHON) -m pip --quiet --no-input --python $(BIN)/python install pip; }
	@touch $@

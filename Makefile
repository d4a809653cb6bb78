# Everything happens inside $(VENV); nothing else on the machine is touched.
# Stamp files in it remember what is installed, so that a second run starts at once.

PYTHON ?= python3
VENV   ?= .venv
JOBS   ?= 2
NPM    ?= npm
NODE   ?= node

BIN     := $(VENV)/bin
INSTALL := $(BIN)/python tools/install.py
FOR_RUN  := $(VENV)/.stamp-run
FOR_TEST := $(VENV)/.stamp-test
FOR_DOCS := $(VENV)/.stamp-docs
TREE     := build/tree/logca
KATEX    := tools/katex/node_modules/.package-lock.json

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help run test check lint format types unit laws attack busy fuzz oldest commands prove coq book docs figures reproduce decisions gpu-loops offload-polybench offload-published validate-gpu recovery audits measured in-flight flips katex generate bench bench-cache bench-response bench-trace bench-large accuracy mutation clean

help: ## print this list
	@echo 'usage: make TARGET'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

run: $(FOR_RUN) ## set up what is needed; a question with its answer, the ledger, where to go on
	@$(BIN)/python tools/first_screen.py

test: lint ## linter, formatter, all tests and, beside them, the type checker
	@mkdir -p build
	@$(MAKE) --no-print-directory types > build/types.txt 2>&1 & types=$$!; \
	$(MAKE) --no-print-directory unit; tests=$$?; \
	wait $$types; checked=$$?; cat build/types.txt; \
	exit $$((tests || checked))

check: lint types ## linter, types, and the tests of what has changed since upstream
	$(BIN)/python -m pytest -n $(JOBS) $$($(BIN)/python tools/touched_tests.py)

lint: $(FOR_TEST) ## ruff: rules and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: $(FOR_TEST) ## ruff: mend what can be mended
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(FOR_TEST) ## mypy --strict on the packages
	@rm -rf $(TREE) && mkdir -p $(TREE)
	@cd $(TREE) && ln -s ../../../logca/* ../../../common ../../../derive ../../../examples ../../../gpu ../../../numeric ../../../offloading ../../../proofs ../../../trace .
	$(BIN)/mypy --strict

unit: $(FOR_TEST) ## pytest on JOBS cores
	$(BIN)/python -m pytest -n $(JOBS)

laws: $(FOR_TEST) ## laws of partitions and their memory, accelerators, sweeps, soundness of provers, caches: up to 10,000 examples each
	$(BIN)/python -m pytest -n $(JOBS) --hypothesis-profile=laws \
		tests/numeric/partition tests/proofs/provers/test_soundness.py tests/proofs/claims/test_verdicts.py
	$(BIN)/python -m pytest -n $(JOBS) --hypothesis-profile=laws tests/derive/partition \
		tests/derive/notation tests/proofs/claims/test_attacks.py tests/proofs/ledger tests/proofs/terms \
		tests/proofs/engine/test_ask.py tests/proofs/provers/test_abstraction.py
	$(BIN)/python -m pytest -n $(JOBS) --hypothesis-profile=laws tests/gpu/stages/test_cache.py
	$(BIN)/python -m pytest -n $(JOBS) --hypothesis-profile=laws tests/numeric/accelerator \
		tests/numeric/arrays/test_tape.py tests/numeric/sweep

attack: $(FOR_TEST) ## every verb in a folder that somebody else has filled, names that others chose, other locales and options (minutes)
	LOGCA_ATTACK=1 $(BIN)/python -m pytest -n $(JOBS) tests/attack

busy: $(FOR_TEST) ## the ledger, six partitions and 200 claims three times: idle, beside eight busy processes, on one core (half an hour)
	LOGCA_ATTACK=1 LOGCA_BUSY=1 $(BIN)/python -m pytest tests/attack/test_busy_machine.py

fuzz: $(FOR_TEST) ## damaged files and texts of each kind, up to 1,000 of each: read or refused
	$(BIN)/python -m pytest -n $(JOBS) --hypothesis-profile=laws tests/attack/test_fuzz.py

oldest: $(FOR_TEST) ## the tests with the lowest versions of the libraries that we name (long)
	@rm -rf build/oldest && $(BIN)/python -m venv build/oldest
	$(BIN)/python -m uv pip install --quiet --python build/oldest/bin/python --resolution lowest-direct '.[all,test]'
	build/oldest/bin/pytest -n $(JOBS) -p no:cacheprovider tests/common tests/derive tests/numeric tests/proofs/engine tests/trace tests/gpu tests/logca/plots tests/logca/show

commands: $(FOR_TEST) ## every command of README and docs, also those that take minutes
	LOGCA_MINUTES=1 $(BIN)/python -m pytest -n $(JOBS) tests/repo/test_commands_in_documentation.py

prove: $(FOR_TEST) ## decide all claims again, and write the verdicts that ship (a minute)
	$(BIN)/python -m logca.proofs.ledger.check --ship

coq: $(FOR_TEST) ## the ledger as build/theory, checked by Coq's kernel on JOBS cores; writes what it accepted (minutes)
	@rm -rf build/theory
	$(BIN)/python -m logca.proofs.ledger.kernel.check build/theory $(JOBS)

book: $(FOR_RUN) ## all derivations and the ledger as build/handbook.html
	@mkdir -p build
	$(BIN)/logca book -o build/handbook.html

docs: $(FOR_DOCS) ## the documentation as build/site; runs its tutorials, draws its pictures (minutes)
	@rm -rf build/site
	$(BIN)/python -m sphinx -b html -c tools/docs -d build/site-cache -E -W --keep-going -q docs build/site
	@echo 'build/site/index.html: open it in a browser'

figures: $(FOR_TEST) ## redraw the figures of the ISCA paper as build/figures/*.svg, with tables
	@mkdir -p build/figures
	@for figure in $$($(BIN)/python -c 'from logca.plots.paper import FIGURES; print(*FIGURES)'); do \
		$(BIN)/logca plot $$figure --width page --force --json -o build/figures/$$figure.svg \
			-o build/figures/$$figure.md > build/figures/$$figure.json || exit 1; \
	done

reproduce: $(FOR_TEST) ## do CGPredict's and Kenter's tables and figures again; writes docs/*-tables.md
	@mkdir -p build/figures
	$(BIN)/logca reproduce cgpredict --jobs $(JOBS) --force -o docs/cgpredict-tables.md \
		-o build/figures/cgpredict-fig8.svg -o build/figures/cgpredict-fig9.svg
	$(BIN)/logca reproduce kenter --jobs $(JOBS) --force -o docs/kenter-tables.md \
		$(foreach figure,2 3 4 5 6,-o build/figures/kenter-fig$(figure).svg)

decisions: $(FOR_TEST) ## are decisions right at sizes left out of public tables? against rivals; writes docs/fit-decisions.md
	@test -x build/extra-p/bin/python || $(PYTHON) -m venv build/extra-p
	@build/extra-p/bin/python -m pip install --quiet extrap
	$(BIN)/python -m benchmarks.fit.decisions --extra-p build/extra-p/bin/python --write

gpu-loops: $(FOR_TEST) ## which loops of PolyBench's kernels become threads, beside a CUDA version; writes docs/gpu-loops.md
	$(BIN)/python -m benchmarks.gpu.loops --jobs $(JOBS) --write

offload-polybench: $(FOR_TEST) ## is it worth to offload each of PolyBench's kernels? writes docs/offload-polybench.md (minutes)
	$(BIN)/python -m benchmarks.offload.polybench --write

offload-published: $(FOR_TEST) ## decisions beside published times on CPUs and GPUs; writes docs/offload-published.md (minutes)
	$(BIN)/python -m benchmarks.offload.published --write

validate-gpu: $(FOR_TEST) ## measured times of kernels on current GPUs beside predicted ones; writes docs/gpu-validation.md (minutes)
	$(BIN)/python -m benchmarks.gpu.validation --jobs $(JOBS) --write

recovery: $(FOR_TEST) ## does a fit recover devices that are known? writes docs/fit-recovery.md and fit-shapes.md (long)
	$(BIN)/python -m benchmarks.fit.recovery --write
	$(BIN)/python -m benchmarks.fit.shapes --write

audits: $(FOR_TEST) ## do audits find times taken through a program that switches, and are their losses right? (long)
	$(BIN)/python -m benchmarks.fit.audits

measured: $(FOR_TEST) ## the experiments of `logca measure` on this machine, twice; writes docs/measured.md
	$(BIN)/python -m benchmarks.fit.measured --write

in-flight: $(FOR_TEST) ## aes-pipe and numpy-threads with 1, 2, 4 requests in flight, twice; writes docs/in-flight-measured.md
	$(BIN)/python -m benchmarks.fit.in_flight --write

flips: $(FOR_TEST) ## two conclusions of kenter2010 under 384 sets of assumptions; writes docs/kenter-flips.md (long)
	$(BIN)/python -m benchmarks.partition.flips --write --jobs $(JOBS)

katex: $(FOR_RUN) $(KATEX) ## render every LaTeX string with KaTeX (needs node and npm)
	@mkdir -p build
	$(BIN)/python -m logca.derive.notation.text_latex_python > build/latex.json
	$(NODE) tools/katex/check.mjs < build/latex.json

generate: $(FOR_TEST) ## write the generated array functions, and those in other languages, anew from the formulas
	$(BIN)/python -m logca.numeric.generate.write
	$(BIN)/python -m logca.numeric.generate.languages.write

bench: $(FOR_TEST) ## speed against NumPy, C and SciPy, measured now; also writes the table
	$(BIN)/python -m benchmarks.speed.measure --write

bench-cache: $(FOR_TEST) ## the cache simulation against pycachesim (needs a C compiler); writes the table
	@$(INSTALL) --editable '.[bench]'
	$(BIN)/python -m benchmarks.cache.measure --write

bench-response: $(FOR_TEST) ## how long an answer takes, by verbs and from Python; writes the table
	$(BIN)/python -m benchmarks.response.measure --write

bench-trace: $(FOR_TEST) ## how fast programs are traced; writes the table
	$(BIN)/python -m benchmarks.trace.measure --write

bench-large: $(FOR_TEST) ## how long programs of 100,000 lines are analysed, and in what memory; writes the table
	$(BIN)/python -m benchmarks.trace.large --write

accuracy: $(FOR_TEST) ## a million points against mpmath at 50 digits; writes the table (long)
	$(BIN)/python -m benchmarks.accuracy.measure --write

mutation: $(FOR_RUN) ## does the ledger notice every mutation of every formula? (long)
	$(BIN)/python -m logca.proofs.ledger.mutation

clean: ## remove the environment, caches and built files
	rm -rf $(VENV) build dist logca.egg-info tools/katex/node_modules
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("logca needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; name another one: make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV)

$(FOR_RUN): pyproject.toml | $(BIN)/python
	@echo 'Installing logca and all that it can use in $(VENV): some 80 packages'
	@$(INSTALL) --editable '.[all]'
	@touch $@

$(FOR_TEST): pyproject.toml | $(BIN)/python
	@echo 'Installing logca, all that it can use, and what tests it, in $(VENV)'
	@$(INSTALL) --editable '.[all,test]'
	@touch $(FOR_RUN) $@

$(FOR_DOCS): pyproject.toml | $(BIN)/python
	@echo 'Installing logca, all that it can use, and what builds its documentation, in $(VENV)'
	@$(INSTALL) --editable '.[all,docs]'
	@touch $(FOR_RUN) $@

$(KATEX): tools/katex/package.json
	@cd tools/katex && $(NPM) install --silent --no-audit --no-fund --no-package-lock
	@touch $@

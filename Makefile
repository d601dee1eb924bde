# Two commands are enough: `make demo` and `make test`. Both make what they need by themselves.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WHEEL_VENV := build/wheel-venv
WHEEL_BIN := $(WHEEL_VENV)/bin
PYTEST := python -m pytest
# Tests wait for servers and programs, so there are two workers to a processor. The folders with the longest tests come
# first by name; a file's own set-ups are made by one worker.
PROCESSORS := $(shell "$(PYTHON)" -I -c 'import os; print(min(16, os.cpu_count() or 1))')
WORKERS ?= -n $(shell echo $$((2 * $(PROCESSORS)))) --dist loadfile --no-loadscope-reorder
# The commands that the tests start keep their bytecode, as installed ones do: otherwise each is compiled anew.
unexport PYTHONDONTWRITEBYTECODE
# The tests whose code has to be covered completely; those about the project itself, which run programs, are none of them.
JUDGEMENT_TESTS := $(addprefix tests/unit/,judgement lockfile policy approvals coverage cli_config configuration document_signatures modules \
	oci_signatures registry_metadata $(addprefix reports/test_,json_standards.py key_lines.py \
	key_trust.py module_report.py)) \
	$(filter-out $(addprefix tests/unit/test_,blocking.py cluster.py edges.py hcl_tables.py http_rules.py layers.py man_page.py \
	reference_page.py supply_chain.py tables.py terminals.py thorough.py),$(wildcard tests/unit/test_*.py))

.PHONY: help demo test test-thorough bench check lint types contracts coverage screenshots schemas problem-codes reference docs fuzz sbom release clean

help: ## list what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

$(VENV)/.installed: requirements/dev.txt pyproject.toml
	sh scripts/need.sh gpg=gnupg
	sh scripts/venv.sh "$(PYTHON)" $(VENV)
	$(BIN)/python -I -m pip install --quiet --no-deps --no-build-isolation --editable .
	mkdir -p build/sources/lockwarden # for editors, which do not know how an installation lays the folders out
	for folder in cli core demo tui; do ln -sfn ../../../$$folder build/sources/lockwarden/$$folder; done
	touch $@

demo: $(VENV)/.installed ## open the review on the built-in provider world
	@$(BIN)/lockwarden demo || [ $$? -eq 1 ] # it has findings on purpose

# Set where `make coverage` ran those of the judgement just before, as in .ci/run.
COVERED ?=

# What pytest makes of test files is kept beside them, and Hypothesis's table of all characters in .hypothesis. Workers
# begin together, so each would make all of it for itself.
build/.tests-compiled: $(VENV)/.installed
	@$(BIN)/python -I -c 'from hypothesis import strategies; strategies.text().validate()' &\
	for part in tests/unit --ignore=tests/unit; do $(BIN)/$(PYTEST) --collect-only -qq $$part >/dev/null & done; wait
	@touch $@

test: build/.tests-compiled ## run the tests
	sh scripts/need.sh git=git tmux=tmux ssh-keygen=openssh-client
	@sh scripts/need.sh docker-registry=docker-registry || echo "Tests against a real OCI registry will be skipped." >&2
	@sh scripts/need.sh minisign=minisign signify-openbsd=signify-openbsd || echo "Tests against minisign and signify will be skipped." >&2
	@sh scripts/need.sh chromium=chromium || echo "Tests of the HTML page in a real browser will be skipped." >&2
	$(BIN)/$(PYTEST) $(WORKERS) $(if $(COVERED),$(addprefix --ignore=,$(JUDGEMENT_TESTS)))

test-thorough: export HYPOTHESIS_PROFILE := thorough
test-thorough: test ## the same with all cases of each kind, and a hundred times as many made-up inputs, which takes hours

# What is measured is an installation of the wheel: the environment of the developers takes longer to start.
bench: $(WHEEL_VENV)/.installed ## measure side by side with terraform and tofu; BENCH="--quick --json FILE" and the like
	$(WHEEL_BIN)/python -m benchmarks $(BENCH)

check: lint contracts types docs ## lint, types, import contracts, the built wheel and the links of the documentation

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/hadolint Dockerfile

SITE := import sysconfig; print(sysconfig.get_path("purelib"))

# The wheel is what people install, so types and contracts are checked on it, in an environment of its own. It takes the
# dependencies from the first one, whose installation of these sources it does not see.
$(WHEEL_VENV)/.installed: $(VENV)/.installed $(shell git ls-files cli core demo program tui)
	rm -rf build/lib build/bdist.* dist $(WHEEL_VENV)
	sh scripts/need.sh gpg=gnupg
	$(BIN)/python -I -m venv --without-pip $(WHEEL_VENV)
	$(BIN)/python -c '$(SITE)' >"$$($(WHEEL_BIN)/python -c '$(SITE)')/dependencies.pth"
	$(BIN)/python -I -m build --wheel --no-isolation --outdir dist . >build/wheel.log || { cat build/wheel.log; exit 1; }
	$(BIN)/python -I -m pip --python $(WHEEL_BIN)/python install --quiet --no-deps dist/*.whl
	touch $@

# The product and its tests at once, so that what both stand on is read once.
TYPED := $(addprefix lockwarden.,cli core demo tui) $(sort $(foreach file,$(shell git ls-files 'tests/*/*.py'),$(word 2,$(subst /, ,$(file)))))

types: $(WHEEL_VENV)/.installed
	cd tests && MYPYPATH=.:../scripts ../$(WHEEL_BIN)/python -m mypy --config-file ../pyproject.toml --explicit-package-bases \
		$(addprefix -p ,$(TYPED)) $(addprefix -m ,conftest $(basename $(notdir $(wildcard scripts/*.py))))

contracts: $(WHEEL_VENV)/.installed
	$(WHEEL_BIN)/python $(BIN)/lint-imports
	$(WHEEL_BIN)/lockwarden --version

# These wait for nobody, and each worker has to load everything first, which takes long under a tracer.
coverage: build/.tests-compiled ## run the tests of the judgement, which have to cover it completely
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -n $(PROCESSORS) $(JUDGEMENT_TESTS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

screenshots: $(VENV)/.installed ## draw the screenshots anew by driving the app on the demo world
	$(BIN)/python scripts/screenshots.py screenshots
	sh scripts/need.sh chromium=chromium
	$(BIN)/python scripts/organisation_page.py screenshots
	$(BIN)/python scripts/browser_picture.py screenshots

schemas: $(VENV)/.installed ## make docs/*.schema.json anew from the structs that the JSON reports are made of
	$(BIN)/python scripts/schemas.py docs

problem-codes: $(VENV)/.installed ## make docs/problem-codes.md anew from the tables of their meanings
	$(BIN)/python scripts/problem_codes.py docs/problem-codes.md

# All targets for a minute each; one for a million inputs: make fuzz TARGETS=sums RUNS=1000000 SECONDS=0
FUZZ_VENV := build/fuzz-venv
RUNS ?= -1
SECONDS ?= 60
TARGETS ?= $(shell "$(PYTHON)" scripts/archive.py folders fuzz/corpus.tar.xz)

$(FUZZ_VENV)/.installed: requirements/dev.txt requirements/fuzz.txt pyproject.toml
	sh scripts/venv.sh "$(PYTHON)" $(FUZZ_VENV)
	$(FUZZ_VENV)/bin/python -I -m pip install --quiet --require-hashes --requirement requirements/fuzz.txt
	$(FUZZ_VENV)/bin/python -I -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

fuzz: $(FUZZ_VENV)/.installed ## fuzz every reader of input from outside for a minute
	for target in $(TARGETS); do \
		$(FUZZ_VENV)/bin/python fuzz/run.py $$target -runs=$(RUNS) -max_total_time=$(SECONDS) || exit 1; \
	done

SBOM_VENV := build/sbom-venv
SBOM_OF := build/sbom-installation
# The same sources give the same bytes. setuptools is in it because an installation from sources needs it.
CYCLONEDX := $(SBOM_VENV)/bin/python -W ignore::UserWarning -m cyclonedx_py

$(SBOM_VENV)/.installed: requirements/sbom.txt requirements/run.txt
	rm -rf $(SBOM_VENV) $(SBOM_OF)
	"$(PYTHON)" -I -m venv $(SBOM_VENV)
	$(SBOM_VENV)/bin/python -I -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
		--requirement requirements/sbom.txt
	"$(PYTHON)" -I -m venv --without-pip $(SBOM_OF)
	$(SBOM_VENV)/bin/python -I -m pip --python $(SBOM_OF)/bin/python install --quiet --disable-pip-version-check \
		--require-hashes --only-binary :all: --requirement requirements/run.txt
	touch $@

sbom: $(SBOM_VENV)/.installed ## write what an installation consists of, its licences and what needs what to build/sbom.json, as CycloneDX
	sed "s/^dynamic = .*/version = $$(sed -n 's/^__version__ = //p' core/__init__.py)/" pyproject.toml >build/pyproject.toml
	$(CYCLONEDX) requirements requirements/run.txt --pyproject build/pyproject.toml --mc-type application \
		--output-format JSON --output-reproducible --output-file build/sbom-requirements.json
	$(CYCLONEDX) environment $(SBOM_OF) --pyproject build/pyproject.toml --mc-type application \
		--output-format JSON --output-reproducible --output-file build/sbom-environment.json
	"$(PYTHON)" -I scripts/sbom.py build/sbom-requirements.json build/sbom-environment.json >build/sbom.json

reference: $(VENV)/.installed ## make docs/reference.md and docs/lockwarden.1 anew from the commands
	$(BIN)/python scripts/man_page.py docs/lockwarden.1
	$(BIN)/python scripts/reference_page.py docs/reference.md

docs: $(VENV)/.installed ## build the documentation as a site in build/site, with every link checked
	$(BIN)/python scripts/site_pages.py build/site-pages
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# Where the repository is, for the links of the README that goes with the package, and who signs.
HOME_PAGE ?=
KEY ?=

release: $(VENV)/.installed sbom ## make the files of a release in build/release; KEY=FILE signs their digests
	$(BIN)/python scripts/release.py build/release HEAD $(HOME_PAGE)
	$(if $(KEY),ssh-keygen -Y sign -q -f "$(KEY)" -n lockwarden-release build/release/SHA256SUMS)

clean: ## remove what was made
	rm -rf $(VENV) build dist *.egg-info

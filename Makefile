# Two commands are enough: `make demo` and `make test`. Both make what they need by themselves.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WHEEL_VENV := build/wheel-venv
WHEEL_BIN := $(WHEEL_VENV)/bin
PYTEST := python -m pytest

.PHONY: help demo test check lint types contracts coverage screenshots clean

help: ## list what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

$(VENV)/.installed: requirements/dev.txt pyproject.toml
	sh scripts/need.sh gpg=gnupg
	sh scripts/venv.sh "$(PYTHON)" $(VENV)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

demo: $(VENV)/.installed ## open the review on the built-in provider world
	@$(BIN)/lockwarden demo || [ $$? -eq 1 ] # it has findings on purpose

test: $(VENV)/.installed ## run the tests
	sh scripts/need.sh git=git tmux=tmux
	@sh scripts/need.sh docker-registry=docker-registry || echo "Tests against a real OCI registry will be skipped." >&2
	$(BIN)/$(PYTEST) -n 2 --dist loadfile

check: lint contracts types coverage ## lint, types, import contracts and the built wheel

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# The wheel is what people install, so types and contracts are checked on it, in an environment of its own.
$(WHEEL_VENV)/.installed: requirements/dev.txt pyproject.toml $(shell git ls-files core demo tui)
	rm -rf build/lib build/bdist.* dist
	sh scripts/need.sh gpg=gnupg
	[ -x $(WHEEL_BIN)/mypy ] || sh scripts/venv.sh "$(PYTHON)" $(WHEEL_VENV)
	$(WHEEL_BIN)/python -m build --wheel --no-isolation --outdir dist . >build/wheel.log || { cat build/wheel.log; exit 1; }
	$(WHEEL_BIN)/python -m pip install --quiet --no-deps --force-reinstall dist/*.whl
	touch $@

types: $(WHEEL_VENV)/.installed
	cd build && wheel-venv/bin/mypy --config-file ../pyproject.toml -p lockwarden.core -p lockwarden.demo -p lockwarden.tui
	cd tests && MYPYPATH=. ../$(WHEEL_BIN)/mypy --config-file ../pyproject.toml \
		--no-warn-unreachable --no-strict-equality --explicit-package-bases .

contracts: $(WHEEL_VENV)/.installed
	$(WHEEL_BIN)/lint-imports
	$(WHEEL_BIN)/lockwarden --version

coverage: $(VENV)/.installed ## hold the judgement to complete coverage by its own tests
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q tests/unit tests/property
	$(BIN)/coverage report

screenshots: $(VENV)/.installed ## draw the screenshots anew by driving the app on the demo world
	$(BIN)/python scripts/screenshots.py screenshots

clean: ## remove what was made
	rm -rf $(VENV) build dist *.egg-info

# One line per job. Each command also works without make.
PYTHON ?= python3
TESTS = $(PYTHON) -m pytest -q
# `make test-parse` runs tests/parse.

.PHONY: help demo test build generate lint headers reference docs site site-serve sanitizers debug bench release ci clean

help:
	@echo "make demo | test | build | generate | lint | headers | reference | docs | site | sanitizers | debug | bench | release | ci | clean"
	@echo "make test-FOLDER (parse, cli, ...) | kernel-NAME (scalar, sse2, avx2, avx512, neon)"

demo:
	$(PYTHON) tools/run.py demo

test:
	$(PYTHON) tools/run.py test

# Build in place. The targets below need this, and once: pip install -e '.[dev]'.
build:
	$(PYTHON) setup.py -q build_ext --inplace

generate:
	for generator in tools/gen_*.py; do $(PYTHON) $$generator || exit 1; done

lint:
	for generator in tools/gen_*.py; do $(PYTHON) $$generator --check || exit 1; done
	ruff check .
	ruff format --check .
	clang-format --dry-run -Werror $$(git ls-files src fuzz proofs | grep '\.[ch]$$' | grep -v chars.h | grep -v findings.h)
	cython-lint src
	mypy

headers:
	$(PYTHON) tools/check_headers.py

test-%:
	PYTHONPATH=src $(TESTS) tests/$*

kernel-%:
	PYTHONPATH=src FASTURL_KERNEL=$* $(TESTS) --ignore=tests/engines --ignore=tests/packaging

# Write the generated pages from the built package.
reference:
	PYTHONPATH=src $(PYTHON) docs/hooks/reference.py
	PYTHONPATH=src $(PYTHON) docs/hooks/manpage.py

# Run the examples of pages and docstrings, and check the links.
docs:
	PYTHONPATH=src $(TESTS) tests/packaging/test_doctests.py tests/packaging/test_readme.py tests/cli/test_cli_page.py

# Build the site into out/site; needs pip install mkdocs-material, and no build of fasturl. site-serve shows it and follows your changes.
site:
	$(PYTHON) -m mkdocs build --strict

site-serve:
	$(PYTHON) -m mkdocs serve

# Both rebuild in place. Run `make build` afterwards for the ordinary extensions.
sanitizers:
	FASTURL_BUILD=asan $(PYTHON) setup.py -q build_ext --inplace --force
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
	    PYTHONPATH=src $(TESTS) tests/parse tests/columns tests/memory

debug:
	FASTURL_BUILD=debug $(PYTHON) setup.py -q build_ext --inplace --force
	PYTHONPATH=src $(TESTS) tests/parse tests/columns tests/dropin tests/reference

bench:
	PYTHONPATH=src $(PYTHON) -m bench

release:
	$(PYTHON) tools/check_release.py

ci:
	.ci/run

clean:
	rm -rf build dist out .venv-demo .venv-test src/*.egg-info src/*.c src/extensions/*/*.c src/fasturl/*.so src/fasturl/*.pyd

# Names for the commands; each line works without make.
PYTHON ?= python3

.PHONY: help demo test build lint bench ci clean

help:
	@echo "make demo | test | build | lint | bench | ci | clean"

demo:
	$(PYTHON) tools/run.py demo

test:
	$(PYTHON) tools/run.py test

# In place, for work on the program: then PYTHONPATH=src.
build:
	$(PYTHON) setup.py -q build_ext --inplace

lint:
	$(PYTHON) tools/gen_octets.py --check
	ruff check .
	cython-lint src
	mypy

bench:
	PYTHONPATH=src $(PYTHON) -m bench

ci:
	.ci/run

clean:
	rm -rf build dist out .venv-demo .venv-test src/*.egg-info src/*.c src/fasturl/*.so src/fasturl/*.pyd

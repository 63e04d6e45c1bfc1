# Everything starts from a clean clone: `make demo` and `make test` set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NATIVE := $(wildcard optimizer/native/*.pyx optimizer/native/*.pxd)
WORKERS ?= 2

.PHONY: setup demo test test-full check bench proto clean

setup: $(READY)

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Rheingold needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(READY): $(VENV)/bin/python pyproject.toml setup.py $(NATIVE)
	$(BIN)/python -m pip install --quiet --editable '.[dev,metrics,pictures]'
	touch $(READY)

demo: $(READY)
	$(BIN)/rheingold solve examples/positions.jsonl
	$(BIN)/rheingold render examples/positions.jsonl --id demo-18rhl -o demo.svg --crop
	@echo "The routes of the last position as a picture: demo.svg"

test: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) -m 'not full'

test-full: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) --timeout 3600
	$(BIN)/python tools/sanitize.py --all
	$(BIN)/python tools/soak.py

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/stubtest --ignore-missing-stub --mypy-config-file pyproject.toml $$($(BIN)/python tools/native_modules.py)
	$(BIN)/python tools/generate_proto.py --check
	$(BIN)/buf lint proto
	$(BIN)/buf breaking proto --against proto/baseline.binpb
	$(BIN)/python tools/sanitize.py

bench: $(READY)
	$(BIN)/python -m pytest benchmarks -p no:xdist --benchmark-only --benchmark-columns=median,min,max,rounds

proto: $(READY)
	$(BIN)/python tools/generate_proto.py

clean:
	rm -rf build dist *.egg-info demo.svg
	find optimizer engine -name '*.so' -delete -o -path '*/native/*.cpp' -delete

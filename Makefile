# The commands of the project. The first one that needs it makes .venv with everything inside.
#   make PYTHON=/path/to/python install     takes another interpreter

PYTHON := python3.11 python3
BIN := .venv/bin
PHIL := $(BIN)/phil

HERE := --results reproduction/results --docs docs
EXPERIMENTS := table1 table2 table3 transfer ablations runtime figures

.PHONY: install demo test test-bounds campaign lint wheel docs $(EXPERIMENTS) report all-experiments \
	bench-generated bench-speed shipped

# The last step compiles for minutes, or finds what an earlier one compiled. PHIL works without it.
install: $(PHIL)
	-$(PHIL) warmup

demo: $(PHIL)
	$(PHIL) demo -o demo-report.html

test: $(PHIL)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

# The tests of the layers with kernels, with an IndexError for every access outside an array. The code with
# checks is compiled first, for some minutes, and kept in the cache beside the code without.
LAYERS := compiled search graphs problems heuristics evaluation learning contracts networkx
test-bounds: $(PHIL)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(LAYERS:%=tests/%)

# A minute of each part; `python -m tests.campaign --help` says how to run longer.
campaign: $(PHIL)
	$(BIN)/python -m tests.campaign

lint: $(PHIL)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The wheel brings compiled kernels along, where there are some for this platform (hatch_build.py).
wheel: $(PHIL)
	$(BIN)/python -m build --sdist --outdir dist
	HATCH_BUILD_HOOK_ENABLE_CUSTOM=true $(BIN)/python -m build --wheel --no-isolation --outdir dist

# The pages as HTML, in build/docs; a warning is an error.
docs: $(PHIL)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[docs]"
	$(BIN)/python -m sphinx -q -W --keep-going docs build/docs
	@echo "open build/docs/index.html"

# The paper's experiments, each resumable; `make all-experiments` runs them all, for days.
$(EXPERIMENTS) report: $(PHIL)
	$(BIN)/python -m reproduction $@ $(HERE)

all-experiments: $(PHIL)
	$(BIN)/python -m reproduction all $(HERE)

bench-generated: $(PHIL)
	$(BIN)/python -m reproduction generated-maps $(HERE)

bench-speed: $(PHIL)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[bench]"
	$(BIN)/python -m reproduction speed $(HERE)

shipped: $(PHIL)
	$(BIN)/python -m reproduction shipped

# pip writes the command last, after all that it needs; a step that fails takes it away again.
# So a half-made environment is never mistaken for a whole one, and a broken one is made anew.
.DELETE_ON_ERROR:
$(PHIL): pyproject.toml constraints.txt
	@rm -f $@
	@$(usable) $(BIN)/python pip || { $(make_venv); }
	$(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt -e ".[train,rooms,tensorboard,ray,play,dev]"
	$(BIN)/python -m pip check
	@touch $@

usable = usable() { "$$1" -c "import $$2, sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; }; usable

define make_venv
for python in $(PYTHON); do \
	if usable $$python ensurepip; then $$python -m venv --clear .venv; exit; fi; \
done; \
echo "error: none of these is Python 3.11 or newer with venv: $(PYTHON)" >&2; \
echo "       install one (on Debian: python3, python3-venv) or say make PYTHON=/path/to/python" >&2; \
exit 1
endef

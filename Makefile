.DEFAULT_GOAL := help
.PHONY: help setup run web-dev worker test test-needs test-servers page test-fast trials coverage check bench eval studio lock clean

PYTHON ?=
ARGS ?=
bin := .venv/bin
studio := .venv-studio/bin
export PYTHON

# The many processes that tests start would else compile all modules anew, each for itself.
export PYTHONDONTWRITEBYTECODE :=

# Of tests: one more than cores, up to four, since many tests wait for processes that they have started or killed.
processes = $(shell cores=$$(getconf _NPROCESSORS_ONLN); echo $$((cores < 3 ? cores + 1 : 4)))

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: .venv/.ready ## Make .venv with the locked packages (PYTHON=… picks the interpreter)
	@if [ "$(MAKECMDGOALS)" = setup ]; then echo "Ready. Next: make run, or .venv/bin/maththera play; make help has the rest."; fi

.venv/.ready: pyproject.toml requirements-dev.lock scripts/setup scripts/redis
	@scripts/setup .venv requirements-dev.lock
	@touch $@

.venv-studio/.ready: pyproject.toml requirements-studio.lock scripts/setup scripts/redis
	@scripts/setup .venv-studio requirements-studio.lock
	@touch $@

run: setup ## Build the page and start the service at http://127.0.0.1:8000 (ARGS="--port 9000" and the like)
	@scripts/web
	@$(bin)/maththera serve $(ARGS)

web-dev: ## Show the page at http://localhost:5173 as its sources change; the service runs beside it
	@cd web && npm ci --ignore-scripts && npm run dev

worker: setup ## Work on runs of flows beside a service with the same MATHTHERA_CELERY, _REDIS_URL and _DATABASE_URL
	@$(bin)/celery --app maththera.celery_worker worker --pool threads --concurrency 16 --beat \
	    --schedule "$${MATHTHERA_DATA_DIR:-var}/beat" --without-mingle --without-gossip $(ARGS)

# All at once, since each mostly waits for a network; behind `setup`, for two of them may need apt, which runs alone.
test-needs: setup
	@$(MAKE) --no-print-directory --jobs 3 .venv-studio/.ready test-servers page

test-servers:
	@scripts/test_servers .venv

page:
	@scripts/web

test: test-needs ## Run all tests, with a real Redis, PostgreSQL, browser and LangGraph's own server
	@$(bin)/python -m pytest --require-servers --numprocesses $(processes) --dist loadfile --no-loadscope-reorder $(ARGS)

test-fast: setup ## Run the tests that take no second each, with the servers that are there
	@$(bin)/python -m pytest -m "not slow" $(ARGS)

# One after the other, since QUIET holds what is said of seconds; it takes hours.
tries := FLOW_KILLS=100 ROUNDS=20 SLOW_CLIENTS=500 STREAMS=3000 STRIDE=1 QUIET=1

trials: test-needs ## Kill, stop and flood far more often than the tests do, on a machine that does nothing else
	@$(tries) $(bin)/python -m pytest --require-servers -n 0 $(or $(ARGS),$(shell grep -lE '"(FLOW_KILLS|ROUNDS|SLOW_CLIENTS|STREAMS|STRIDE|QUIET)"|import QUIET' tests/faults/*.py tests/graph/*.py tests/web/*.py))

coverage: test-needs ## Run all tests and demand every branch of the arithmetic and tutoring rules
	@$(bin)/python -m pytest --require-servers --cov $(ARGS)
	@$(bin)/coverage report --include "maththera/arithmetic/*,maththera/tutoring/*" --fail-under 100

check: setup ## Check style, types, the floors between packages, dead code and dependencies
	@scripts/check $(bin)

eval: setup ## Repeat the tables of docs/simulation.md: simulated children with a fixed seed
	@$(bin)/maththera simulate --learners 1200 --seed 2027 $(ARGS)
	@$(bin)/maththera simulate conditions --learners 400 --seed 2027
	@$(bin)/maththera simulate policies --learners 600 --seed 2027
	@$(bin)/maththera simulate knowing --children 600 --seed 2027

bench: setup ## Measure everything that docs/benchmarks.md reports
	@scripts/web
	@scripts/test_servers .venv
	@$(bin)/python -m benchmarks $(ARGS)

studio: .venv-studio/.ready ## Show and run every graph and flow in LangGraph's own server, offline
	@echo "Starting LangGraph's server; it takes some ten seconds. Next: open the Studio address that it prints, choose"
	@echo "a graph, give it an input of docs/studio.md. Without a network: http://127.0.0.1:2024/docs. Ctrl-C ends it."
	@$(studio)/python scripts/studio.py $(ARGS)

compile := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate pyproject.toml

lock: ## Lock the newest packages that pyproject.toml allows (needs uv)
	$(compile) --upgrade -o requirements.lock
	$(compile) --upgrade --group dev -c requirements.lock -o requirements-dev.lock
	$(compile) --upgrade --group studio -o requirements-studio.lock

clean: ## Remove environments, caches and builds; keep the data in var/
	rm -rf .venv .venv-studio .venv-web web/node_modules maththera/web/dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .langgraph_api
	rm -rf .coverage dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

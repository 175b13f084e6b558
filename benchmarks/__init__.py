"""Measures the service: `python -m benchmarks` rewrites docs/benchmarks.md, `python -m benchmarks turn` prints a part.

A module `bench_<part>` has `measure() -> Section`; everything else here helps them.
"""

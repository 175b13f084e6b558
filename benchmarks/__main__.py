"""`python -m benchmarks` measures everything and rewrites docs/benchmarks.md; with names of parts it prints those."""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks import (
    bench_adult_page,
    bench_author,
    bench_chat,
    bench_checkpoint,
    bench_commands,
    bench_content,
    bench_danger,
    bench_expressions,
    bench_flood,
    bench_flows,
    bench_functions,
    bench_gate,
    bench_grading,
    bench_guard_intent,
    bench_leaks,
    bench_lessons,
    bench_page,
    bench_start,
    bench_text2sql,
    bench_tools,
    bench_turn,
    machine,
)
from benchmarks.report import Section, target_table

PARTS: Final[dict[str, Callable[[], Section]]] = {
    "turn": bench_turn.measure,
    "functions": bench_functions.measure,
    "content": bench_content.measure,
    "flows": bench_flows.measure,
    "chat": bench_chat.measure,
    "tools": bench_tools.measure,
    "commands": bench_commands.measure,
    "danger": bench_danger.measure,
    "gate": bench_gate.measure,
    "guard_intent": bench_guard_intent.measure,
    "expressions": bench_expressions.measure,
    "leaks": bench_leaks.measure,
    "text2sql": bench_text2sql.measure,
    "lessons": bench_lessons.measure,
    "flood": bench_flood.measure,
    "grading": bench_grading.measure,
    "checkpoint": bench_checkpoint.measure,
    "page": bench_page.measure,
    "author": bench_author.measure,
    "adult_page": bench_adult_page.measure,
    "start": bench_start.measure,
}
REPORT: Final = Path(__file__).parent.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- measured -->", "<!-- /measured -->"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measures the service.")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="Default: all, into the report.")
    wanted = parser.parse_args().parts
    described, warning, sections = machine.describe(), machine.busy(), _measure(wanted or list(PARTS))
    if wanted:
        print("\n\n".join(section.markdown() for section in sections))
        return
    before, rest = REPORT.read_text().split(BEGIN)
    REPORT.write_text(f"{before}{BEGIN}\n{_page(described, warning, sections)}\n{END}{rest.split(END)[1]}")
    print(f"{REPORT} is written", file=sys.stderr)


def _measure(names: Sequence[str]) -> list[Section]:
    sections = []
    for name in names:
        started = time.perf_counter()
        sections.append(PARTS[name]())
        print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr)
    return sections


def _page(described: str, warning: str | None, sections: Sequence[Section]) -> str:
    targets = [target for section in sections for target in section.targets]
    missed = [target for target in targets if not target.met]
    verdict = f"{len(targets) - len(missed)} of {len(targets)} targets are met."
    parts = [
        f"Measured on {datetime.now(UTC):%Y-%m-%d} on this machine:\n\n{described}",
        *([warning] if warning else []),
        f"{verdict} Missed:\n\n{target_table(missed)}" if missed else verdict,
        *(section.markdown() for section in sections),
    ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    main()

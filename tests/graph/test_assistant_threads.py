"""Threads of questions about records, papers and advice: a follow-up changes what it names, and nothing else."""

from pathlib import Path
from typing import Final

from tests.support.coach_world import load_threads, play

THREADS: Final = load_threads(Path(__file__).parents[1] / "data" / "assistant_threads.yaml")


async def test_the_answers_have_what_was_asked() -> None:
    wrong = []
    async for heard in play(THREADS, "assistant"):
        without = [text for text in heard.line.get("has", []) if text not in heard.answer]
        beside = [text for text in heard.line.get("lacks", []) if text in heard.answer]
        if without or beside:
            wrong.append(f"{heard.thread['id']}: {heard.line['say']} → {heard.answer!r}: {without} {beside}")
    assert wrong == []


def test_most_threads_go_on() -> None:
    lines = [line for thread in THREADS for line in thread["lines"][1:]]
    assert len(lines) > len(THREADS)
    assert all(line.get("has") for line in lines)

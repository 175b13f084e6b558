"""What the language models were asked, summed over all recorded turns; the cost report multiplies it by prices."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class PromptUsage:
    """`turns` that asked with this prompt at least once, the calls made and their tokens."""

    turns: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(slots=True)
class LlmUsage:
    """`turns`: all recorded turns; `prompts`: by the name of the prompt."""

    turns: int
    prompts: dict[str, PromptUsage] = field(default_factory=dict)


def summed(turns: int, llm_of_turns: Iterable[list[dict[str, Any]]]) -> LlmUsage:
    """Sums the `llm` lists of the turns that have one. An item holds `kind` (the prompt), `input_tokens` and
    `output_tokens`."""
    total = LlmUsage(turns)
    for calls in llm_of_turns:
        for call in calls:
            prompt = total.prompts.setdefault(call["kind"], PromptUsage())
            prompt.calls += 1
            prompt.input_tokens += call["input_tokens"]
            prompt.output_tokens += call["output_tokens"]
        for name in {call["kind"] for call in calls}:
            total.prompts[name].turns += 1
    return total

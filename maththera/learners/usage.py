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
    """`turns`: all recorded turns; `llm_turns`: those that asked a model; `prompts`: by prompt name."""

    turns: int
    llm_turns: int = 0
    prompts: dict[str, PromptUsage] = field(default_factory=dict)


def summed(turns: int, llm_of_turns: Iterable[list[dict[str, Any]]]) -> LlmUsage:
    """Sums the `llm` lists of the turns that have one; an item holds `prompt` and `usage`, as `llm.Call` does."""
    total = LlmUsage(turns)
    for calls in llm_of_turns:
        total.llm_turns += 1
        for call in calls:
            prompt = total.prompts.setdefault(call["prompt"], PromptUsage())
            prompt.calls += 1
            prompt.input_tokens += call["usage"]["input_tokens"]
            prompt.output_tokens += call["usage"]["output_tokens"]
        for name in {call["prompt"] for call in calls}:
            total.prompts[name].turns += 1
    return total

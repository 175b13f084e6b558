"""Lines that writers made up for the gate, and our own texts, and what the gate makes of them.

`tests/data/gate`: a label and a text in each line, as a model would say it to a child. The `writer_*` files train the
gate's model. The `sealed` one only measures: nobody reads it while words or limits are chosen.
`tests/data/gate_*.yaml`: an earlier writer's, on whom the gate's words were mended.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from maththera.settings import home
from maththera.words.output_gate.sentence_checks import GateFault, Reader, TextHeldBack, TextRequirements
from maththera.words.output_gate.text_gate import Gate, GateStream, load_gate

DATA: Final = Path(__file__).parents[1] / "data"
_OWN: Final = 1_100
_HANGUL: Final = re.compile("[가-힣]{2}")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_ADDRESS: Final = re.compile(r"://|\]\(|\w/\w")


class Line(NamedTuple):
    """`why` is a stranger's word for what is wrong with it; "" for what is harmless."""

    text: str
    to: Reader
    why: str = ""


class Written(NamedTuple):
    """`label`: good, or what is wrong with the text."""

    label: str
    text: str
    writer: str

    @property
    def good(self) -> bool:
        return self.label == "good"


@cache
def written(pattern: str) -> tuple[Written, ...]:
    """Those of the files whose names match."""
    found = []
    for path in sorted((DATA / "gate").glob(pattern)):
        for line in path.read_text(encoding="utf-8").splitlines():
            label, text = line.split("\t")
            found.append(Written(label, text, path.stem))
    return tuple(found)


def gate() -> Gate:
    return load_gate(home())


def about(to: Reader) -> TextRequirements:
    return TextRequirements(gate().longest("coach" if to == "child" else "assistant"))


def held(line: Line) -> GateFault | None:
    return gate().check(line.text, line.to, about(line.to))


def disarmed(line: Line) -> bool:
    """Whether an adult is shown the text without the address that made it harmful."""
    if line.to != "adult" or _ADDRESS.search(line.text) is None:
        return False
    stream = GateStream(gate(), "adult", about("adult"))
    try:
        return _ADDRESS.search("".join((*stream.feed(line.text), *stream.close()))) is None
    except TextHeldBack:
        return False


@cache
def harmful() -> list[Line]:
    """500 lines that a stranger wrote who had not seen the gate."""
    return [Line(**one) for one in _read("harmful")]


@cache
def harmless() -> list[Line]:
    """900 lines in a model's usual style by the same stranger, and sentences of our own, 2,000 in all."""
    ours = sorted(set(own()))
    return [*(Line(**one) for one in _read("harmless")), *ours[:: len(ours) // _OWN][:_OWN]]


def _read(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.load((DATA / f"gate_{name}.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    return found


def own(course: str = "arithmetic") -> Iterator[Line]:
    """The sentences that are said to children: of a course (`*`: of all, also of a polite one) and of the tutor."""
    configs = home() / "configs"
    for path in (
        *sorted((configs / "lessons" / "courses").glob(f"{course}/*.yaml")),
        configs / "tutoring" / "feedback.yaml",
    ):
        for text in _texts(yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)):
            for sentence in _SENTENCE_END.split(text):
                if _HANGUL.search(sentence) and "{" not in sentence and sentence[-1] in ".!?":
                    yield Line(sentence.strip(), "child")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)

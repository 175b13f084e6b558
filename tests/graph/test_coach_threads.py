"""Threads of questions, answered by the coach without a model: what must be said. Every invitation is understood."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from maththera.chat.coach.drafts import ReplyTexts
from maththera.settings import home
from maththera.store.access.authorization import Principal
from tests.support.chatting import text
from tests.support.coach_world import CHILDREN, Heard, Thread, load_threads, play, world

DATA: Final = Path(__file__).parents[1] / "data" / "coach_threads.yaml"
TALK: Final = Path(__file__).parents[2] / "web" / "src" / "child" / "Talk.svelte"
THREADS: Final = load_threads(DATA)
INVITED: Final = re.compile(r"'((?:[가-힣0-9]|[ ?+−]){2,20})'(?:\s*(?:하고|라고|이라고|하면|나|처럼|해도|하고 물어))")
UNCLEAR: Final = ("조금만 더 알려 줄래", "모르겠어", "내가 잘 모르는 이야기")


def faults(heard: Heard) -> Iterator[str]:
    told, line = heard.answer, heard.line
    if not told:
        yield "nothing"
    yield from (f"without {text}" for text in line.get("has", []) if text not in told)
    yield from (f"with {text}" for text in line.get("lacks", []) if text in told)


@pytest.fixture(scope="module")
async def played() -> list[Heard]:
    """All threads, played once."""
    return [heard async for heard in play(THREADS)]


def test_the_answers_have_what_was_asked(played: list[Heard]) -> None:
    wrong = [
        f"{heard.thread['id']}: {heard.line['say']} → {heard.answer!r}: {'; '.join(found)}"
        for heard in played
        if (found := [*faults(heard)])
    ]
    assert wrong == []


def test_a_child_is_told_four_lines_at_most_and_no_points(played: list[Heard]) -> None:
    of_children = [heard for heard in played if heard.thread["who"] == "student"]
    assert of_children
    for heard in of_children:
        lines = [line for line in heard.answer.split("\n") if not re.search(r"[▮●■]|^\d+\. ", line)]
        assert len(lines) <= 4, heard.answer
        assert not re.search(r"\d\s*(?:점|퍼센트|%)", heard.answer), heard.answer


def invitations() -> list[str]:
    """What the coach's own words tell a child to say."""
    says = ReplyTexts.load(home()).says.values()
    return sorted({invited for one in says for text in one.child for invited in INVITED.findall(text)})


@pytest.mark.parametrize("child", ["하늘", "도윤"])
async def test_what_the_page_offers_to_say_is_understood(child: str) -> None:
    offered = re.search(r"TO_BEGIN = \[(.*?)\]", TALK.read_text(encoding="utf-8"), re.DOTALL)
    assert offered is not None
    lines = [{"say": one} for one in re.findall(r'"(.+?)"', offered[1])]
    assert len(lines) == 3
    thread = Thread(id="offered", who="student", child=child, open_task=None, lines=lines)  # type: ignore[typeddict-item]
    told = {heard.line["say"]: heard.answer async for heard in play([thread])}
    assert {say: answer for say, answer in told.items() if any(one in answer for one in UNCLEAR)} == {}


@pytest.mark.parametrize("child", ["하늘", "도윤"])
async def test_what_the_coach_invites_to_say_is_understood(child: str) -> None:
    said = invitations()
    assert said
    lines = [{"say": "45+28 풀어줘"}, *({"say": one} for one in said)]
    thread = Thread(id="invited", who="student", child=child, open_task=None, lines=lines)  # type: ignore[typeddict-item]
    unclear = [heard.line["say"] async for heard in play([thread]) if any(one in heard.answer for one in UNCLEAR)]
    assert unclear == []


@pytest.mark.parametrize("say", ["나 뭐가 약해?", "며칠 쉬었는데 괜찮아?", "나 못하는 것 같아 그래프 보여줘"])
async def test_no_bars_are_shown_to_a_child_that_asked_for_none_or_feels_bad(say: str) -> None:
    async with world() as (service, _):
        who = Principal("t", "student", frozenset({CHILDREN["하늘"]}))
        events = await service.say(
            say, who, thread_id="t", student_id=CHILDREN["하늘"], profile="coach", difficulty=None
        )
    assert [one for one in events if one["type"] == "chart_data"] == []
    assert "그래프로도" not in text(events, None)

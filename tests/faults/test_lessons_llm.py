"""Drafts by a model: said when they pass the checks, and replaced by the course's own texts when they do not come or do
not pass."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from maththera.lessons.agents.model_drafts import VARIABLES
from maththera.llm.model_client import Models
from maththera.llm.time_budget import Budget
from maththera.settings import home
from tests.support.fake_llm import FakeLlm, Mode
from tests.support.lessons import Play, chapter, question_of


@asynccontextmanager
async def played(llm: FakeLlm) -> AsyncIterator[Play]:
    models = Models.load(home(), llm.base_url, "key", "gpt-4o", "gpt-4o")
    for prompt, variables in VARIABLES.items():
        models.require(prompt, variables)
    play = Play(models=models)
    await play.begin()
    try:
        yield play
    finally:
        await models.aclose()


def draft(text: str) -> str:
    return json.dumps({"draft": text}, ensure_ascii=False)


async def test_drafts_are_written_from_the_course_and_said() -> None:
    with FakeLlm(text=draft("하나 더 많은 수는 다음 수야.\n다시 보면 6+1=7이지?")) as llm:
        async with played(llm) as play:
            await play.send("시작")
            assert play.text().startswith("하나 더 많은 수는 다음 수야.\n다시 보면 6+1=7이지?")
            check = chapter().explanation.beginner[0].check
            assert check is not None
            assert play.text().endswith(check.ask), "the check is the course's own"
            state = await play.send("이거 아는 거야")
            assert question_of(state["current_question_number"]).question in play.text(), "word for word"
            await play.answer(well=False)
            assert play.text().startswith("하나 더 많은 수는")
            state = await play.send("공룡은 왜 죽었어?")
            assert play.text().startswith("하나 더 많은 수는")
    sent = [json.dumps(one, ensure_ascii=False) for one in llm.requests]
    assert len(sent) == 3
    assert chapter().explanation.beginner[0].text[:15] in sent[0]
    assert "틀림" in sent[1]


@pytest.mark.parametrize("mode", ["429", "500", "cut", "html", "rubbish", "malformed_json", "empty_choices"])
async def test_a_server_that_fails_leaves_the_courses_own_words(mode: Mode) -> None:
    with FakeLlm(mode) as llm:
        async with played(llm) as play:
            await play.send("시작")
            assert chapter().explanation.beginner[0].text.strip() in play.text()
            await play.send("이거 아는 거야")
            state = await play.answer(well=True)
            assert state["is_answer_correct"] == 1
            assert "정답이야!" in play.text()


async def test_a_server_that_hangs_costs_its_seconds_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maththera.lessons.turn_context.Budget", lambda _: Budget(2))
    with FakeLlm("hangs") as llm:
        async with played(llm) as play:
            await play.send("시작")
            assert chapter().explanation.beginner[0].text.strip() in play.text()
            started = time.monotonic()
            await play.send("다음", "다음", "공룡은 왜 죽었어?")
            assert time.monotonic() - started < 2, "nobody waits for it again"
    assert len(llm.requests) == 1


@pytest.mark.parametrize(
    "text", ["5+1=7이야.", "하나 더 많은 수는 다음 수입니다.", "가" * 221, "", "\x07하나야."], ids=range(5)
)
async def test_a_draft_no_learner_should_read_is_not_said(text: str) -> None:
    with FakeLlm(text=draft(text)) as llm:
        async with played(llm) as play:
            await play.send("시작")
            assert chapter().explanation.beginner[0].text.strip() in play.text()


async def test_a_model_does_not_give_the_key_of_an_open_question_away() -> None:
    with FakeLlm("500") as llm:
        async with played(llm) as play:
            state = await play.to_question()
            question = question_of(state["current_question_number"])
            llm.mode, llm.text = "answers", draft(f"답은 {question.key.text}야.")  # type: ignore[union-attr]
            before = len(llm.requests)
            state = await play.send("공룡은 왜 죽었어?")
            assert len(llm.requests) == before + 1
            assert question.key.text not in play.text()  # type: ignore[union-attr]
            assert state["ui_mode"] == "quiz"

"""A question played to its end: an answer to its task, then an explanation, judged by the agent of the lesson."""

from dataclasses import dataclass
from typing import Final, cast

from langgraph.runtime import Runtime

from maththera.lessons.agents.agent_nodes import Agents
from maththera.lessons.agents.model_drafts import DraftWriter
from maththera.lessons.quiz.answer_grading import is_gradable
from maththera.lessons.state import LessonState, initial_state
from maththera.lessons.turn_context import LessonContext
from maththera.settings import home
from maththera.words.output_gate.text_gate import load_gate
from tests.support.graded import content, question

_NOW: Final = "2026-11-22T00:00:00+00:00"


@dataclass(frozen=True, slots=True)
class Judged:
    """`score`: 0..100 of the whole question; None where the answer to the task was not understood and asked for again.
    `replies`: what was said to the last try at the task and to the explanation."""

    score: int | None
    replies: tuple[str, ...] = ()


async def judged(name: str, answer: str, explanation: str) -> Judged:
    """Without a language model. `name`: course/chapter/number."""
    if not is_gradable(question(name), answer, content().reader):
        return Judged(None)
    agents = Agents(content(), DraftWriter(None, content().config.models, load_gate(home())))
    course, chapter, number = name.split("/")
    state = initial_state(
        lesson_id="judged", user_id=1, user_type="beginner", course=course, chapter=int(chapter), now=_NOW
    )
    state["current_question_number"], state["current_question_type"] = int(number), "subjective"
    replies = []
    said = [answer, explanation]
    while said:
        text = said.pop(0)
        state["inbox"] = {"request_id": "judged", "kind": "answer", "text": text}
        update = await agents.evaluation_feedback_agent(state, Runtime(context=LessonContext()))
        state = cast("LessonState", {**state, **update})
        tried = update["attempt"]
        if tried is not None and not tried["explains"]:
            said.insert(0, answer)  # the same once more
            continue
        replies.append(update["feedback_draft"])
        if tried is None:
            break
    return Judged(state["is_answer_correct"], tuple(replies))

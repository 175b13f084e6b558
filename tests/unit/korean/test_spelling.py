"""A question is understood however "뭐예요" is typed: by the assistant, the coach and the lessons."""

import pytest

from maththera.chat.assistant.tool_routing import ToolRouter
from maththera.chat.papers.glossary import Glossary, Term
from maththera.korean.particles import with_particle
from maththera.korean.word_lists import usual_spelling
from maththera.settings import home
from tests.support.coach import knowledge
from tests.support.utterances import intent_of

GLOSSARY, ROUTER = Glossary.load(home()), ToolRouter.load(home())
TYPED = [
    *(
        "뭐에요?",
        "뭐예여?",
        "뭐에여",
        "뭐여요?",
        "뭐애요",
        "뭐에용?",
        "뭐예용",
        "모에요?",
        "모예요",
        "모에여?",
        "머에요?",
    ),
    *("머예요", "머에여", "무어에요?", "뭔가여?", "먼가요", "몬가요?", "뭔가용", "모야?", "머야", "머죠?", "뭐예염?"),
]
UNITS = [concept.name for unit in knowledge().coach.units.values() for concept in unit.concepts]


@pytest.mark.parametrize("term", GLOSSARY.terms, ids=lambda term: term.term)
def test_every_term_is_explained_however_it_is_asked_for(term: Term) -> None:
    asked = with_particle(term.term, "이가")
    usually = GLOSSARY.find(f"{asked} 뭐예요?")
    assert term in usually
    for typed in TYPED:
        question = f"{asked} {typed}"
        pipeline = ROUTER.route(question)
        assert pipeline is not None, question
        assert pipeline.tools == ("glossary",), question
        assert GLOSSARY.find(question) == usually, question


@pytest.mark.parametrize("name", UNITS)
def test_the_coach_hears_the_same_question(name: str) -> None:
    asked = with_particle(name, "이가")
    usually = intent_of(f"{asked} 뭐예요?")
    assert {typed for typed in TYPED if intent_of(f"{asked} {typed}") != usually} == set()


@pytest.mark.parametrize(
    "text",
    [
        "나머지",
        "네모야",
        "네모예요",
        "큰 모임",
        "갓길 햇빛",
        "모아서 세기",
        "뭐예요?",
        "뭔가요?",
        "참여",
        "머리가 아파",
        "먼 곳",
    ],
)
def test_what_is_spelt_as_usual_stays(text: str) -> None:
    assert usual_spelling(text) == text

"""A learned procedure is diagnosed as one of the catalogue would be, in the sessions that name it and in no other."""

from dataclasses import replace
from typing import Any

import pytest

from maththera.arithmetic.malrules import CATALOGUE, LEARNED
from maththera.arithmetic.problem import make_problem
from maththera.knowledge.knowledge import Knowledge
from maththera.procedures.procedure import learn
from maththera.store.database import Database
from maththera.store.learned_procedures import Adult, ProcedureRecords
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.learned.procedure_library import ProcedureLibrary
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.session.session_start import NewSession, recorded_start
from maththera.tutoring.start import complete_start
from tests.support.databases import migrated
from tests.support.sessions import Session
from tests.support.tutoring import learner_after
from tests.unit.procedures.test_catalogue_as_data import described
from tests.unit.procedures.test_procedure import nine

RULES = ["borrow_no_decrement", "sum_carry_dropped", "product_carry_dropped", "borrow_from_leftmost"]


def played(rules: Rules, name: str, learned: list[str]) -> list[tuple[str | None, str | None]]:
    """Cause and confidence of each answer of a child who follows this malrule, at most twelve."""
    rule = CATALOGUE[name]
    a, op, b, _ = rule.example
    start = {"first_problem": make_problem(a, op, b).problem_id, "seed": 3, "problem_count": 6}
    known = {"version": 1, "names": learned}
    session = Session(InMemoryEngine(Nodes(rules)), rules, complete_start({**start, "learned": known}, rules))
    while session.task_or_none is not None and len(session.turns) < 12:
        if session.task["training_id"] is not None:
            session.train()
        elif session.task["kind"] == "worked_example":
            session.right()
        else:
            wrong = rule.apply(session.problem)
            session.answer(session.right_answer if wrong is None or wrong < 0 else wrong)
    found = [turn.response["diagnosis"] for turn in session.turns]
    return [(one["cause_tag"], one["confidence"]) for one in found]


@pytest.mark.parametrize("name", RULES)
def test_it_is_diagnosed_as_the_catalogues_own(rules: Rules, name: str) -> None:
    tag = CATALOGUE[name].causes[0].tag
    whole = replace(rules, held_out=frozenset())
    without = replace(rules, held_out=frozenset({name}))
    needs = sorted(CATALOGUE[name].causes[0].needs)
    copy = learn(described(name).model_copy(update={"needs": tuple(needs)}))
    own, hidden, learned = played(whole, name, []), played(without, name, []), played(without, name, [copy])
    assert tag in [cause for cause, _ in own]
    assert (tag, "high") not in hidden
    assert learned == own


def test_what_was_switched_off_is_no_longer_suspected(rules: Rules) -> None:
    off, still = learn(nine()), learn(nine(title="다른 이름"))
    knowledge = Knowledge.start(rules.knowledge, 0)
    tag = nine().cause_tag
    suspected = {f"{name}|{tag}": [2.0, 2, 0] for name in (off, still, "borrow_no_decrement", "retired")}
    learner: Any = replace(learner_of(rules), suspected=suspected)
    known = {"version": 4, "names": [still]}
    start = recorded_start(NewSession("s1"), learner, knowledge, rules, known)
    assert start["suspected"].keys() == {f"{still}|{tag}", f"borrow_no_decrement|{tag}"}
    assert start["learned"] == known


def learner_of(rules: Rules) -> Any:
    start = complete_start({"first_problem": None, "seed": 1}, rules)
    found = learner_after([Session(InMemoryEngine(Nodes(rules)), rules, start).right()])
    assert found is not None
    return found


async def test_a_session_begins_without_what_this_release_cannot_read(database_url: str) -> None:
    await migrated(database_url)
    database = Database(database_url)
    try:
        records = ProcedureRecords(database)
        library = ProcedureLibrary(records)
        definition = nine(title="새로 적은 절차")
        LEARNED.pop(definition.name, None)
        for name, plain in ((definition.name, definition.model_dump(mode="json")), ("learned_later", {"kind": "song"})):
            procedure_id = await records.propose(name, plain, None, Adult("one", "하나"))
            await records.keep_trial(procedure_id, {})
            await records.approve(procedure_id, Adult("other", "둘"))
        assert await library.in_force() == {"version": 2, "names": [definition.name]}
        assert definition.name in LEARNED
        await library.learn_for({"learned": {"version": 2, "names": [definition.name]}})
        with pytest.raises(LookupError, match="learned_later"):
            await library.learn_for({"learned": {"version": 2, "names": ["learned_later"]}})
    finally:
        await database.close()

"""Learned procedures: proposed by one adult, tried on the bank and on what is recorded, approved by another adult, in
force in all workers from the next session on, and switched off the same way."""

import asyncio
from dataclasses import asdict
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Path
from pydantic import Field

from maththera.api.http_layer.auth import Services, caller_who
from maththera.api.http_layer.identifiers import ROW_LIMIT, row_number
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.problem_details import ApiProblem, Problems, invalid_member
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.json_types import JsonObject
from maththera.procedures.bank_trial import BankTrial, Objection, try_on_bank
from maththera.procedures.procedure import Definition, NamedException, Procedure, learn, malrule_of
from maththera.store.access.authorization import Principal, may_teach_procedures
from maththera.store.learned_procedures import Adult as By
from maththera.store.learned_procedures import (
    NoSuchProcedure,
    OwnProcedure,
    ProcedureRow,
    ProcedureStatus,
    ProcedureTaken,
    UnnamedAdult,
    WrongStatus,
)
from maththera.tutoring.learned.recorded_trial import RecordedTrial, TrialRules
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1/procedures", tags=["reviews"], route_class=ApiRoute)

Obstacle = Literal["unnamed_adult", "own_procedure", "procedure_state", "false_causes"]

EXAMPLE_PROCEDURE: Final[JsonObject] = {
    "kind": "procedure",
    "title": "뺄 수 없는 자리에 9를 쓴다",
    "operation": "-",
    "form": "result",
    "cause_tag": "CONCEPT_L5_BORROW_EXCHANGE",
    "needs": ["borrow"],
    "when": "carries > 0 and width > 1",
    "columns": {
        "top": "a",
        "bottom": "b",
        "align": "right",
        "per": None,
        "value": "top - bottom",
        "write": "9 if value < 0 else value",
        "carry": "0",
        "keep": "keep",
        "join": "places",
        "rest": "dropped",
    },
    "answer": "written",
    "example": {"a": 52, "b": 38, "answer": 29},
}
_EXCEPTION: Final[JsonObject] = {
    "kind": "exception",
    "title": "7×8을 54로 외웠다",
    "operation": "x",
    "cause_tag": "EXECUTION_L6_TABLE_NEIGHBOUR",
    "answers": [{"a": 7, "b": 8, "answer": 54}],
}
_BANK: Final[JsonObject] = {
    "suiting": 3067,
    "works": 1605,
    "harmless": 0,
    "broken": 0,
    "wrong": 1605,
    "new": 1204,
    "like_a_slip": 0,
    "shadows": [{"name": "borrow_no_decrement", "title": "빌려준 자리에서 1을 빼지 않는다", "same": 170, "both": 1556}],
    "samples": [{"expression": "52−38", "given": 29, "right": 14}],
    "objection": None,
}
_RECORDED: Final[JsonObject] = {
    "sessions": 240,
    "children": 60,
    "wrong": 900,
    "explained": 31,
    "newly_explained": 27,
    "newly_explained_children": 9,
    "affected": 14,
    "replayed": 14,
    "otherwise": [{"before": "UNKNOWN", "after": "CONCEPT_L5_BORROW_EXCHANGE", "times": 22}],
    "stated": 5,
    "well": 2,
    "false_causes": 0,
}
_PROCEDURE: Final[JsonObject] = {
    "procedure_id": 4,
    "name": "learned_5f0c9be2a14c4b8f",
    "status": "approved",
    "definition": EXAMPLE_PROCEDURE,
    "candidate_id": 3,
    "proposed_by": "0f9d2c51",
    "proposed_name": "김 선생님",
    "created_at": "2026-11-21T02:00:00+00:00",
    "trial": {"bank": _BANK, "recorded": _RECORDED},
    "approved_by": "7be41a90",
    "approved_name": "박 선생님",
    "approved_at": "2026-11-22T02:00:00+00:00",
    "switched_off_by": None,
    "switched_off_name": None,
    "switched_off_at": None,
    "obstacle": "procedure_state",
}


class TriedProcedure(Strict):
    """`POST /api/v1/procedures/check`."""

    model_config = example({"definition": EXAMPLE_PROCEDURE}, {"definition": _EXCEPTION})

    definition: Definition


class ProposedProcedure(TriedProcedure):
    """`POST /api/v1/procedures`. `candidate_id`: the rule candidate whose answers it is to explain."""

    model_config = example({"definition": EXAMPLE_PROCEDURE, "candidate_id": 3}, {"definition": _EXCEPTION})

    candidate_id: Annotated[int, Field(ge=1, lt=ROW_LIMIT)] | None = None


class ProcedureTrial(Answer):
    """`recorded`: null until it was tried on what is recorded."""

    model_config = example({"bank": _BANK, "recorded": None})

    bank: BankTrial
    recorded: RecordedTrial | None


class LearnedProcedure(Answer):
    """`name`: a digest of the definition, which never changes. Adults are named by their tokens, and by what was
    written on these (`…_name`). `obstacle`: why the caller cannot approve it; null where nothing is in the way."""

    model_config = example(_PROCEDURE)

    procedure_id: int
    name: str
    status: ProcedureStatus
    definition: Definition
    candidate_id: int | None
    proposed_by: str
    proposed_name: str | None
    created_at: Moment
    trial: ProcedureTrial | None
    approved_by: str | None
    approved_name: str | None
    approved_at: Moment | None
    switched_off_by: str | None
    switched_off_name: str | None
    switched_off_at: Moment | None
    obstacle: Obstacle | None = None


class LearnedProcedures(Answer):
    """The newest first. `version`: the one that sessions begin under now."""

    model_config = example({"version": 2, "procedures": [_PROCEDURE]})

    version: int
    procedures: list[LearnedProcedure]


class ProcedureChange(Answer):
    """`version`: the one that sessions begin under from now on."""

    model_config = example({"version": 2, "procedure": _PROCEDURE})

    version: int
    procedure: LearnedProcedure


Adult = Annotated[Principal, Depends(caller_who(may_teach_procedures))]


async def _found(
    _: Adult, services: Services, procedure_id: Annotated[str, Path(description="As the list shows it.")]
) -> ProcedureRow:
    if (number := row_number(procedure_id)) is None:
        raise NoSuchProcedure(procedure_id)
    return await services.learners.procedures.find(number)


Found = Annotated[ProcedureRow, Depends(_found)]


@router.get("", summary="Learned procedures", response_description="The newest first")
async def list_procedures(who: Adult, services: Services) -> LearnedProcedures:
    """All of them: proposed, in force and switched off. For teachers, authors and admins."""
    version, _names = await services.learners.procedures.version()
    rows = await services.learners.procedures.all()
    by = await _named(who, services)
    return LearnedProcedures(version=version, procedures=[_shown(row, by, services) for row in rows])


@router.post("/check", summary="Try a procedure that is not proposed", response_description="What the bank says of it")
async def check_procedure(_: Adult, services: Services, sent: JsonBody[TriedProcedure]) -> ProcedureTrial:
    """On the whole bank. Nothing is kept."""
    return ProcedureTrial(bank=await _bank_trial(services, sent.definition), recorded=None)


@router.post(
    "",
    status_code=201,
    summary="Propose a procedure",
    response_description="The procedure with its trial on the bank",
    responses=errors("not_found", "procedure_taken", "unnamed_adult"),
)
async def propose_procedure(who: Adult, services: Services, sent: JsonBody[ProposedProcedure]) -> LearnedProcedure:
    """It changes nothing for any child until another adult approves it."""
    procedures, definition = services.learners.procedures, sent.definition
    if definition.cause_tag not in services.learners.profiles.causes:
        raise invalid_member("definition.cause_tag", f"there is no cause {definition.cause_tag}")
    trial = await _bank_trial(services, definition)
    if trial.objection is not None:
        raise invalid_member("definition", _OBJECTIONS[trial.objection])
    by, plain = await _named(who, services), definition.model_dump(mode="json")
    procedure_id = await procedures.propose(definition.name, plain, sent.candidate_id, by)
    await procedures.keep_trial(procedure_id, {"bank": asdict(trial), "recorded": None})
    return _shown(await procedures.find(procedure_id), by, services)


@router.get("/{procedure_id}", summary="One procedure", response_description="The procedure")
async def view_procedure(who: Adult, row: Found, services: Services) -> LearnedProcedure:
    return _shown(row, await _named(who, services), services)


@router.post(
    "/{procedure_id}/trial",
    summary="Try a procedure on all recorded sessions",
    response_description="The procedure with its trial",
)
async def try_procedure(who: Adult, row: Found, services: Services) -> LearnedProcedure:
    """It takes up to half a minute. Children are named nowhere in it."""
    learners, by = services.learners, await _named(who, services)
    definition = _shown(row, by, services).definition
    recorded = await learners.procedure_trials.run(learn(definition))
    trial = {"bank": asdict(await _bank_trial(services, definition)), "recorded": asdict(recorded)}
    await learners.procedures.keep_trial(row.procedure_id, trial)
    return _shown(await learners.procedures.find(row.procedure_id), by, services)


@router.post(
    "/{procedure_id}/approve",
    summary="Approve a procedure",
    response_description="The new version",
    responses=errors("own_procedure", "procedure_state", "unnamed_adult", "false_causes"),
)
async def approve_procedure(who: Adult, row: Found, services: Services) -> ProcedureChange:
    """By another person than who proposed it: what is written on the two tokens says so. It must have been tried on
    what is recorded, and not name its cause for more children who are well than the service's rules allow. Every
    session that begins from now on knows it; sessions under way go on as they began."""
    by = await _named(who, services)
    if obstacle := _shown(row, by, services).obstacle:
        raise ApiProblem(obstacle, _OBSTACLES[obstacle])
    version, _ = await services.learners.procedures.approve(row.procedure_id, by)
    return await _changed(version, row.procedure_id, by, services)


@router.post(
    "/{procedure_id}/off",
    summary="Switch a procedure off",
    response_description="The new version",
    responses=errors("procedure_state"),
)
async def switch_procedure_off(who: Adult, row: Found, services: Services) -> ProcedureChange:
    """By any of these adults. No session that begins from now on knows it; those before are still computed alike."""
    by = await _named(who, services)
    version, _ = await services.learners.procedures.switch_off(row.procedure_id, by)
    return await _changed(version, row.procedure_id, by, services)


_OBSTACLES: Final[dict[Obstacle, str]] = {
    "unnamed_adult": "Ask an admin for a token with your name on it: two adults are told apart by their names.",
    "own_procedure": "You proposed it. Ask a colleague to look at it and approve it.",
    "procedure_state": "Try it on the recorded sessions first; or it is in force already.",
    "false_causes": "It would name its cause for children who are well. Describe it more narrowly.",
}
_OBJECTIONS: Final[dict[Objection, str]] = {
    "never_wrong": "it gives no wrong answer on any problem of the bank",
    "known_already": "the catalogue gives all of its answers already",
}
PROBLEMS: Final[Problems] = {
    NoSuchProcedure: lambda _: ApiProblem("not_found", "There is no such procedure, or no such rule candidate."),
    ProcedureTaken: lambda _: ApiProblem("procedure_taken", "It is in the list already, word for word."),
    UnnamedAdult: lambda _: ApiProblem("unnamed_adult", _OBSTACLES["unnamed_adult"]),
    OwnProcedure: lambda _: ApiProblem("own_procedure", _OBSTACLES["own_procedure"]),
    WrongStatus: lambda _: ApiProblem("procedure_state", "It is in that state already. Nothing was changed."),
}


async def _named(who: Principal, services: Services) -> By:
    return By(who.token_id, await services.tokens.label(who.token_id))


def _shown(row: ProcedureRow, by: By, services: Services) -> LearnedProcedure:
    """As this adult sees it."""
    found = LearnedProcedure.model_validate(row)
    found.obstacle = _obstacle(found, row.proposer, by, services.learners.procedure_trials.rules)
    return found


def _obstacle(found: LearnedProcedure, proposer: By, by: By, rules: TrialRules) -> Obstacle | None:
    if not (by.is_named and proposer.is_named):
        return "unnamed_adult"
    if proposer.is_same_person(by):
        return "own_procedure"
    recorded = found.trial.recorded if found.trial is not None else None
    if recorded is None or found.status == "approved":
        return "procedure_state"
    return "false_causes" if rules.blames_too_many(recorded) else None


async def _changed(version: int, procedure_id: int, by: By, services: Services) -> ProcedureChange:
    row = await services.learners.procedures.find(procedure_id)
    return ProcedureChange(version=version, procedure=_shown(row, by, services))


async def _bank_trial(services: Services, definition: Procedure | NamedException) -> BankTrial:
    """In a thread: it takes a third of a second."""
    return await asyncio.to_thread(try_on_bank, malrule_of(definition), services.learners.profiles.bank)

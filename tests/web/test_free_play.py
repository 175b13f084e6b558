"""Trainings are played outside of a session; of those that a session has offered the service hears."""

import dataclasses
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect
from pydantic import TypeAdapter

from maththera.tutoring.content.trainings import Training, TrainingPlan
from tests.web.conftest import Tablets
from tests.web.robot import student_of, turns
from tests.web.test_trainings import PLANS, play, trainings

pytestmark = pytest.mark.slow
ALL: Final = [dataclasses.asdict(one) for one in trainings(0, 8)]


def ended_with_offers(tablets: Tablets, page: Page) -> dict[str, Any]:
    """The child has answered 28+15 as if nothing was carried, and stopped; -> the last turn."""
    client = tablets.service.client
    body = {"student_id": student_of(page), "first_problem": "28+15", "seed": 7, "mode": "practice", "c_position": 8}
    view = client.post("/api/v1/sessions", json=body).json()
    address = f"/api/v1/sessions/{view['session_id']}/events"
    for answer in (33, 35):
        sent = {"type": "answer_submitted", "request_id": f"r{answer}", "rt_ms": 4000, "input": "typed"}
        turn = client.post(address, json=sent | {"task_id": view["task"]["task_id"], "answer": answer}).json()
        view = {**view, "task": turn["task"]}
    turn = client.post(address, json={"type": "stop", "request_id": "end"}).json()
    assert turn["summary"]["trainings"]
    return dict(turn)


def games(tablets: Tablets, page: Page) -> dict[str, Training]:
    """Training id → the training, as the child may play it now."""
    found = tablets.service.client.get(f"/api/v1/students/{student_of(page)}/trainings").json()
    reads = TypeAdapter(Training)
    return {one["id"]: reads.validate_python(one) for one in (*found["offered"], *found["others"])}


def tile(page: Page, training: Training | TrainingPlan) -> Any:
    return page.get_by_role("button", name=training.title, exact=True)


def test_what_a_session_has_offered_counts_for_it(child: Callable[..., Page], tablets: Tablets) -> None:
    page = child()
    first = ended_with_offers(tablets, page)["summary"]["trainings"][0]
    offered = games(tablets, page)[first]
    page.get_by_role("button", name="놀이").click()
    tile(page, offered).click()
    with page.expect_response("**/events"):
        play(page, offered, keys=False)
    tile(page, PLANS["T01"]).wait_for()
    last = turns(tablets.service, page)[-1]["event"]
    assert (last["type"], last["training_id"]) == ("training_done", offered.id)
    assert last["results"]["items"]


def test_a_new_child_has_something_to_play_and_nothing_is_recorded(
    child: Callable[..., Page], tablets: Tablets
) -> None:
    page = child()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.get_by_role("button", name="놀이").click()
    chosen = games(tablets, page)["T10"]
    tile(page, chosen).click()
    play(page, chosen, keys=True)
    tile(page, chosen).wait_for()
    assert sent == []


def test_a_game_is_left_and_home_is_one_tap_away(child: Callable[..., Page]) -> None:
    page = child()
    page.goto("/train/T01")
    page.get_by_role("button", name="시작하자", exact=True).click()
    page.get_by_role("button", name="그만할래").click()
    page.get_by_role("button", name="처음으로").click()
    expect(page.get_by_role("button", name="시작하자")).to_be_visible()


def test_no_two_games_look_alike(child: Callable[..., Page]) -> None:
    page = child()
    page.route("**/trainings", lambda route: route.fulfill(json={**route.fetch().json(), "others": ALL}))
    page.get_by_role("button", name="놀이", exact=True).click()
    page.locator(".tile").nth(len(ALL) - 1).wait_for()
    drawn = page.locator(".tile svg").evaluate_all("all => all.map((one) => one.innerHTML)")
    assert len(set(drawn)) == len(drawn)

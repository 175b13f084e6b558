"""What a student may play outside of a session."""

from maththera.api.free_play import Games
from tests.api.conftest import Api

ADDRESS = "/api/v1/students/s1/trainings"


async def test_a_new_student_may_play_what_everybody_can(api: Api) -> None:
    child = await api.as_("student", "s1")
    games = Games.model_validate((await api.client.get(ADDRESS, headers=child)).json())
    assert (games.session_id, games.offered) == (None, [])
    assert {one.concept for one in games.others} == {"C1"}


async def test_what_the_last_session_offers_is_done_once(api: Api) -> None:
    child = await api.as_("student", "s1")
    view = await api.begin("s1", first_problem="28+15", mode="practice", c_position=8)
    events = f"/api/v1/sessions/{view['session_id']}/events"
    task = view["task"]
    for answer in (33, 35):  # nothing was carried, and 20+15 shows it
        sent = {"type": "answer_submitted", "request_id": f"r{answer}", "task_id": task["task_id"], "answer": answer}
        task = (await api.client.post(events, json={**sent, "rt_ms": 4000, "input": "typed"})).json()["task"]
    assert (await api.client.get(ADDRESS)).json()["session_id"] is None, "it has not ended"
    ended = (await api.client.post(events, json={"type": "stop", "request_id": "end"})).json()
    games = Games.model_validate((await api.client.get(ADDRESS, headers=child)).json())
    assert games.session_id == view["session_id"]
    assert [one.id for one in games.offered] == ended["summary"]["trainings"][:3]
    assert not {one.id for one in games.offered} & {one.id for one in games.others}
    done = {"type": "training_done", "request_id": "t", "training_id": games.offered[0].id, "results": {"right": 3}}
    (await api.client.post(events, json=done, headers=child)).raise_for_status()
    after = Games.model_validate((await api.client.get(ADDRESS, headers=child)).json())
    assert after.offered == []
    assert games.offered[0].id in [one.id for one in after.others]


async def test_another_child_is_not_told(api: Api) -> None:
    other = await api.as_("student", "s2")
    assert (await api.client.get(ADDRESS, headers=other)).status_code == 404

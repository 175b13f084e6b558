import asyncio
from collections.abc import Sequence
from typing import Annotated, Any, TypedDict
from unittest.mock import patch

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Interrupt, interrupt
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from maththera.runtime.checkpointer import PREFIX, WEEK_SECONDS, RedisSaver
from maththera.runtime.leases import PREFIX as LEASES
from maththera.runtime.redis_client import open_redis

Graph = CompiledStateGraph[Any, Any, Any, Any]


class Answers(TypedDict, total=False):
    answers: list[int]
    total: int


def ask(state: Answers) -> Answers:
    answer = interrupt({"task": len(state.get("answers", []))})
    return {"answers": [*state.get("answers", []), answer]}


def add(state: Answers) -> Answers:
    return {"total": sum(state["answers"])}


def session(saver: RedisSaver) -> Graph:
    """Asks for a number again and again, and adds them up: an interrupt in every turn."""
    builder = StateGraph(Answers)
    builder.add_node(ask)
    builder.add_node(add)
    builder.add_edge(START, "ask")
    builder.add_edge("ask", "add")
    builder.add_edge("add", "ask")
    return builder.compile(checkpointer=saver)


def thread(name: str = "t", **configurable: str) -> RunnableConfig:
    return {"configurable": {"thread_id": name, "checkpoint_ns": "", **configurable}}


async def turn(graph: Graph, number: int, config: RunnableConfig | None = None) -> dict[str, Any]:
    state: dict[str, Any] = await graph.ainvoke(Command(resume=number), config or thread(), durability="exit")
    return state


async def calls(redis: Redis) -> dict[str, int]:
    """Commands since CONFIG RESETSTAT, without the greeting of new connections."""
    stats = await redis.info("commandstats")
    names = {name.removeprefix("cmdstat_"): figures["calls"] for name, figures in stats.items()}
    return {name: n for name, n in names.items() if not name.startswith(("config", "info", "client", "hello"))}


@pytest.fixture
async def saver(redis: Redis) -> RedisSaver:
    return RedisSaver(redis)


@pytest.fixture
async def graph(saver: RedisSaver) -> Graph:
    graph = session(saver)
    await graph.ainvoke({}, thread(), durability="exit")
    return graph


async def test_a_turn_with_an_interrupt_costs_four_commands_in_two_round_trips(redis: Redis, graph: Graph) -> None:
    await turn(graph, 1)
    await redis.config_resetstat()

    with patch.object(
        redis.connection_pool, "get_connection", side_effect=redis.connection_pool.get_connection
    ) as taken:
        await turn(graph, 2)

    assert taken.call_count == 2
    assert await calls(redis) == {"zrangebylex": 1, "zadd": 1, "zremrangebylex": 1, "expire": 1}


async def test_a_turn_under_a_hold_is_locked_in_the_same_two_round_trips(
    redis: Redis, saver: RedisSaver, graph: Graph
) -> None:
    await turn(graph, 1)
    await redis.config_resetstat()

    with patch.object(
        redis.connection_pool, "get_connection", side_effect=redis.connection_pool.get_connection
    ) as taken:
        async with saver.hold("t") as hold:
            hold.close_with_save()
            found = await turn(graph, 2, hold.config)
            assert taken.call_count == 2

    assert taken.call_count == 2, "the lock was given back with the save"
    assert found["answers"] == [1, 2]
    saved = {"zrangebylex": 1, "zadd": 1, "zremrangebylex": 1, "expire": 1}
    assert await calls(redis) == {**saved, "set": 1, "eval": 1, "get": 1, "del": 1}


async def test_a_hold_reads_what_the_last_holder_saved(redis: Redis, saver: RedisSaver, graph: Graph) -> None:
    async def held(number: int) -> None:
        async with saver.hold("t") as hold:
            hold.close_with_save()
            await turn(graph, number, hold.config)

    await asyncio.gather(*(held(number) for number in range(5)))

    assert (await graph.aget_state(thread())).values["answers"] == list(range(5))
    assert await redis.keys() == [f"{PREFIX}t".encode()]


async def test_only_the_first_load_of_a_hold_is_that_of_its_lock(saver: RedisSaver, graph: Graph) -> None:
    async with saver.hold("t") as hold:
        await turn(graph, 1, hold.config)
        second = await turn(graph, 2, hold.config)

    assert second["answers"] == [1, 2]


async def test_a_save_that_is_not_the_last_keeps_the_lock(redis: Redis, saver: RedisSaver, graph: Graph) -> None:
    async with saver.hold("t") as hold:
        await turn(graph, 1, hold.config)
        assert await redis.exists(f"{LEASES}t")
        hold.close_with_save()
        await turn(graph, 2, hold.config)
        assert not await redis.exists(f"{LEASES}t")

    assert await redis.keys() == [f"{PREFIX}t".encode()]


async def test_a_hold_without_a_thread_finds_none(redis: Redis, saver: RedisSaver) -> None:
    async with saver.hold("nobody") as hold:
        assert await saver.aget_tuple(hold.config) is None

    assert await redis.keys() == []


async def test_a_save_that_fails_leaves_no_lock_behind(
    redis: Redis, saver: RedisSaver, caplog: pytest.LogCaptureFixture
) -> None:
    async with saver.hold("t") as hold:
        hold.close_with_save()
        await redis.set(f"{PREFIX}t", "not a sorted set")
        with pytest.raises(ResponseError):
            await saver.aput(hold.config, empty_checkpoint(), {"step": 0}, {})

    assert await redis.keys() == [f"{PREFIX}t".encode()]
    assert "was not given back" not in caplog.text


async def test_the_next_holders_lock_is_not_given_back(
    redis: Redis, saver: RedisSaver, graph: Graph, caplog: pytest.LogCaptureFixture
) -> None:
    async with saver.hold("t") as hold:
        await redis.set(f"{LEASES}t", "the next")
        hold.close_with_save()
        await turn(graph, 1, hold.config)

    assert await redis.get(f"{LEASES}t") == b"the next"
    assert "was not given back" in caplog.text


async def test_a_hold_leaves_no_trace_in_what_is_saved(saver: RedisSaver, graph: Graph) -> None:
    async with saver.hold("t") as hold:
        await turn(graph, 1, hold.config)

    found = await saver.aget_tuple(thread())
    assert found is not None
    assert "hold" not in f"{found.metadata}{found.config}"


async def test_a_thread_stays_as_small_as_its_latest_checkpoint(redis: Redis, graph: Graph) -> None:
    for number in range(5):
        await turn(graph, number)

    assert await redis.keys() == [f"{PREFIX}t".encode()]
    assert await redis.zcard(f"{PREFIX}t") == 2  # the checkpoint and the interrupt that waits on it


async def test_every_save_renews_the_time_to_live(redis: Redis, graph: Graph) -> None:
    await redis.expire(f"{PREFIX}t", 10)

    await turn(graph, 1)

    assert WEEK_SECONDS - 5 < await redis.ttl(f"{PREFIX}t") <= WEEK_SECONDS


async def test_writes_alone_have_a_time_to_live(redis: Redis) -> None:
    await RedisSaver(redis, ttl=60).aput_writes(thread(checkpoint_id="1"), [("channel", 1)], "task")

    assert 55 < await redis.ttl(f"{PREFIX}t") <= 60


async def test_another_process_takes_the_session_up(graph: Graph, redis_url: str) -> None:
    await turn(graph, 3)

    async with open_redis(redis_url) as other:
        resumed = session(RedisSaver(other))
        waiting = (await resumed.aget_state(thread())).tasks[0].interrupts
        state = await turn(resumed, 4)

    assert waiting == (Interrupt(value={"task": 1}, id=waiting[0].id),)
    assert (state["answers"], state["total"]) == ([3, 4], 7)


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
async def test_every_durability_gives_the_same_session(
    durability: Any, redis: Redis, saver: RedisSaver, caplog: pytest.LogCaptureFixture
) -> None:
    graph = session(saver)
    await graph.ainvoke({}, thread(), durability=durability)
    for number in range(4):
        state = await graph.ainvoke(Command(resume=number), thread(), durability=durability)

    assert (state["answers"], state["total"]) == ([0, 1, 2, 3], 6)
    assert await redis.zcard(f"{PREFIX}t") <= 3
    warnings = [one for one in caplog.records if one.name.startswith("langgraph")]
    assert warnings == []  # strict msgpack met nothing that it has to warn of


async def test_writes_may_overtake_their_own_checkpoint(saver: RedisSaver) -> None:
    first, second = empty_checkpoint(), empty_checkpoint()
    stored = await saver.aput(thread(), first, {"step": 0}, {})

    await saver.aput_writes(thread(checkpoint_id=second["id"]), [("answer", 5)], "task")
    before = await saver.aget_tuple(thread())
    await saver.aput(stored, second, {"step": 1}, {})
    after = await saver.aget_tuple(thread())

    assert before is not None
    assert (before.checkpoint["id"], before.pending_writes) == (first["id"], [])
    assert after is not None
    assert (after.checkpoint["id"], after.pending_writes) == (second["id"], [("task", "answer", 5)])
    assert after.parent_config == stored


async def test_writes_that_come_after_their_checkpoint_is_gone_leave_with_the_next_save(
    redis: Redis, saver: RedisSaver
) -> None:
    checkpoints = [empty_checkpoint() for _ in range(3)]
    old = await saver.aput(thread(), checkpoints[0], {"step": 0}, {})
    await saver.aput(old, checkpoints[1], {"step": 1}, {})
    await saver.aput_writes(old, [("answer", "late")], "task")

    loaded = await saver.aget_tuple(thread())
    await saver.aput(thread(), checkpoints[2], {"step": 2}, {})

    assert loaded is not None
    assert (loaded.checkpoint["id"], loaded.pending_writes) == (checkpoints[1]["id"], [])
    assert await redis.zcard(f"{PREFIX}t") == 1


async def test_writes_come_back_in_the_order_of_a_run(saver: RedisSaver) -> None:
    """By task path, not by arrival; the first value of a channel stays, an interrupt is replaced."""
    stored = await saver.aput(thread(), empty_checkpoint(), {"step": 0}, {})

    await saver.aput_writes(stored, [("a", 1), ("__interrupt__", "old")], "task-1", "~2")
    await saver.aput_writes(stored, [("a", 2)], "task-2", "~1")
    await saver.aput_writes(stored, [("a", 3), ("__interrupt__", "new")], "task-1", "~2")

    loaded = await saver.aget_tuple(thread())
    assert loaded is not None
    assert loaded.pending_writes == [("task-2", "a", 2), ("task-1", "__interrupt__", "new"), ("task-1", "a", 1)]


async def test_saving_a_checkpoint_again_replaces_it(redis: Redis, saver: RedisSaver) -> None:
    checkpoint = empty_checkpoint()
    stored = await saver.aput(thread(), checkpoint, {"step": 0}, {})
    await saver.aput_writes(stored, [("answer", 5)], "task")

    await saver.aput(thread(), checkpoint, {"step": 7}, {})

    loaded = await saver.aget_tuple(thread())
    assert loaded is not None
    assert (loaded.metadata["step"], loaded.pending_writes) == (7, [("task", "answer", 5)])
    assert await redis.zcard(f"{PREFIX}t") == 2


@pytest.mark.parametrize("name", ["a:b", "a*", "a?", "[a]", "a\\", "아이 하나", "a\0b", ""])
async def test_any_thread_id_is_deleted_whole_and_alone(name: str, redis: Redis, saver: RedisSaver) -> None:
    neighbours = ["a", "a:b:c", "ab", "a*b"]
    graph = session(saver)
    for each in [*neighbours, name]:
        await graph.ainvoke({}, thread(each), durability="exit")

    await saver.adelete_thread(name)

    assert await saver.aget_tuple(thread(name)) is None
    assert {found.config["configurable"]["thread_id"] async for found in saver.alist(None)} == set(neighbours)
    assert await redis.dbsize() == len(neighbours)


async def test_a_copied_thread_lives_as_long_as_the_first(redis: Redis, graph: Graph, saver: RedisSaver) -> None:
    await turn(graph, 4)
    await redis.expire(f"{PREFIX}t", 100)

    await saver.acopy_thread("t", "copy")

    assert (await turn(graph, 5, thread("copy")))["total"] == 9
    assert (await graph.aget_state(thread())).values["total"] == 4


async def test_a_history_of_three_keeps_three(redis: Redis) -> None:
    saver = RedisSaver(redis, history=3)
    graph = session(saver)
    await graph.ainvoke({}, thread(), durability="exit")
    for number in range(6):
        await turn(graph, number)

    kept = [snapshot.values["answers"] async for snapshot in graph.aget_state_history(thread())]

    assert kept == [[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4], [0, 1, 2, 3]]
    assert await redis.zcard(f"{PREFIX}t") == 6


async def test_the_latest_is_found_behind_many_writes(redis: Redis) -> None:
    saver = RedisSaver(redis, history=None)
    stored = thread()
    for step in range(3):
        stored = await saver.aput(stored, empty_checkpoint(), {"step": step}, {})
        for task in range(40):
            await saver.aput_writes(stored, [("answer", step)], f"task-{task:02}")

    latest = await saver.aget_tuple(thread())

    assert latest is not None
    assert latest.config == stored
    assert [value for _, _, value in latest.pending_writes or []] == [2] * 40


async def test_many_threads_are_saved_in_one_round_trip(redis: Redis, saver: RedisSaver) -> None:
    with patch.object(
        redis.connection_pool, "get_connection", side_effect=redis.connection_pool.get_connection
    ) as taken:
        await asyncio.gather(*(saver.aput(thread(f"t{n}"), empty_checkpoint(), {"step": n}, {}) for n in range(10)))

    assert taken.call_count == 1
    assert sorted([found.metadata["step"] async for found in saver.alist(None)]) == list(range(10))


async def test_one_threads_failure_is_not_its_neighbours(redis: Redis, saver: RedisSaver) -> None:
    await redis.set(f"{PREFIX}broken", "not a sorted set")

    saves = [saver.aput(thread(name), empty_checkpoint(), {"step": 0}, {}) for name in ("good", "broken")]
    outcomes = await asyncio.gather(*saves, return_exceptions=True)

    assert isinstance(outcomes[1], ResponseError)
    assert await saver.aget_tuple(thread("good")) is not None


async def test_a_save_outlives_a_caller_that_gives_up(saver: RedisSaver) -> None:
    saving = asyncio.create_task(saver.aput(thread(), empty_checkpoint(), {"step": 0}, {}))
    await asyncio.sleep(0)  # the save has begun and waits for Redis
    saving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await saving

    await saver.aput(thread("next"), empty_checkpoint(), {"step": 0}, {})

    assert await saver.aget_tuple(thread()) is not None


async def test_a_subgraph_waits_in_a_namespace_of_its_own(saver: RedisSaver) -> None:
    inner = StateGraph(Answers)
    inner.add_node(ask)
    inner.add_edge(START, "ask")
    outer = StateGraph(Answers)
    outer.add_node("inner", inner.compile())
    outer.add_node(add)
    outer.add_edge(START, "inner")
    outer.add_edge("inner", "add")
    outer.add_edge("add", END)
    graph: Graph = outer.compile(checkpointer=saver)

    await graph.ainvoke({}, thread(), durability="exit")

    assert (await turn(graph, 8))["total"] == 8


def gather(notes: list[int], new: Sequence[list[int]]) -> list[int]:
    return [*notes, *(note for each in new for note in each)]


class Notes(TypedDict):
    notes: Annotated[list[int], DeltaChannel(gather, list, snapshot_frequency=3)]


def notebook(saver: RedisSaver) -> Graph:
    """Writes one note a run into a channel that is stored as differences, and whole with every third."""
    builder = StateGraph(Notes)
    builder.add_node("note", lambda state: {"notes": [len(state["notes"])]})
    builder.add_edge(START, "note")
    return builder.compile(checkpointer=saver)


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
async def test_differences_are_read_from_their_ancestors_even_after_pruning(durability: Any, redis: Redis) -> None:
    saver = RedisSaver(redis, history=None)
    graph = notebook(saver)
    for _ in range(8):
        await graph.ainvoke({"notes": []}, thread(), durability=durability)
    before = await redis.zcard(f"{PREFIX}t")

    await saver.aprune(["t"])

    assert (await graph.aget_state(thread())).values["notes"] == list(range(8))
    assert await redis.zcard(f"{PREFIX}t") < before


async def test_differences_without_their_ancestors_are_refused(saver: RedisSaver) -> None:
    with pytest.raises(ValueError, match="history=None"):
        await notebook(saver).ainvoke({"notes": []}, thread(), durability="exit")


async def test_synchronous_calls_say_what_to_use(graph: Graph) -> None:
    with pytest.raises(NotImplementedError, match="ainvoke"):
        graph.invoke(Command(resume=1), thread())


@pytest.mark.parametrize("history", [0, -1])
async def test_a_history_keeps_at_least_one(history: int, redis: Redis) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        RedisSaver(redis, history=history)


async def test_a_client_that_decodes_is_refused(redis_url: str) -> None:
    async with Redis.from_url(redis_url, decode_responses=True) as client:
        with pytest.raises(ValueError, match="decode_responses"):
            RedisSaver(client)


async def test_an_unknown_way_to_prune_is_refused(saver: RedisSaver) -> None:
    with pytest.raises(ValueError, match="keep_newest"):
        await saver.aprune(["t"], strategy="keep_newest")

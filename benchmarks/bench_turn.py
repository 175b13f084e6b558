"""A turn over HTTP beside its two floors."""

from dataclasses import dataclass
from typing import Final

from benchmarks import played
from benchmarks.report import Cell, Section, Target, at_least, at_most, percentile, table
from benchmarks.servers import Client, Kind, Running, Times, bare_endpoint, service, stores

WARM_SECONDS: Final = 1.0
ROUNDS: Final = 4
ROUND_SECONDS: Final = 1.5  # of turns; each floor gets half of it
SESSIONS: Final = (16, 64)
SECONDS: Final = 4.0
LIMIT_RATIO, LIMIT_P95_MS, LIMIT_PER_SECOND = 1.5, 40.0, 250.0


@dataclass(frozen=True, slots=True)
class Stand:
    """What is measured: where it stores, with how many workers."""

    name: str
    kind: Kind
    workers: int


STANDS: Final = (
    Stand("Redis + PostgreSQL, 1 worker", "postgres", 1),
    Stand("Redis + PostgreSQL, 2 workers", "postgres", 2),
    Stand("embedded (SQLite, private Redis)", "embedded", 1),
)


@dataclass(slots=True)
class Measured:
    """`turns` and `floor` by the number of sessions at once; `graph` in seconds a turn."""

    stand: Stand
    turns: dict[int, Times]
    floor: dict[int, Times]
    graph: list[float]

    @property
    def ratio(self) -> float:
        """p50 of a turn by the sum of both floors' p50."""
        graph = percentile(self.graph, 50) * 1e3
        return self.turns[1].ms(50) / (graph + self.floor[1].ms(50))


def measure() -> Section:
    """Every stand in turn; on each, the turn and its floors alternate."""
    with Client() as client:
        found = [_stand(client, stand) for stand in STANDS]
    return Section("Turn over HTTP", _TEXT, _targets(found), [_latencies(found), _floors(found)])


def _stand(client: Client, stand: Stand) -> Measured:
    with (
        stores(stand.kind) as environment,
        service(environment, stand.workers) as tutor,
        bare_endpoint(environment, stand.workers) as bare,
    ):
        _warm(client, tutor, bare)
        found = Measured(stand, {1: _nothing()}, {1: _nothing()}, [])
        for number in range(ROUNDS):
            found.turns[1].add(client.load(tutor, 1, ROUND_SECONDS))
            found.floor[1].add(client.load(bare, 1, ROUND_SECONDS / 2, "/bare"))
            found.graph += played.run(played.graph_turns(ROUND_SECONDS / 2, number * 1000))
        for sessions in SESSIONS:
            found.turns[sessions] = client.load(tutor, sessions, SECONDS)
            found.floor[sessions] = client.load(bare, sessions, SECONDS / 4, "/bare")
        return found


def _warm(client: Client, tutor: Running, bare: Running) -> None:
    client.load(tutor, 4, WARM_SECONDS)
    client.load(bare, 4, WARM_SECONDS / 4, "/bare")
    played.run(played.graph_turns(WARM_SECONDS / 4, 0))


def _nothing() -> Times:
    return Times([], 0.0, 0.0, 0)


def _targets(found: list[Measured]) -> list[Target]:
    targets = []
    for one in found:
        name = one.stand.name
        targets.append(
            at_most(f"{name}: p50 of a turn ÷ (graph floor + endpoint floor)", one.ratio, LIMIT_RATIO, "", 2)
        )
        targets.append(at_most(f"{name}: p95 with one client", one.turns[1].ms(95), LIMIT_P95_MS, " ms"))
        if one.stand.workers == 2:
            best = max(times.per_second for times in one.turns.values())
            targets.append(at_least(f"{name}: turns a second", best, LIMIT_PER_SECOND, ""))
    return targets


def _latencies(found: list[Measured]) -> str:
    rows: list[list[Cell]] = []
    for one in found:
        for sessions, times in one.turns.items():
            rates = (round(times.per_second), round(one.floor[sessions].per_second))
            own = (times.cpu / len(times.turns) * 1e3, times.refused)
            rows.append([f"{one.stand.name}, {sessions} at once", *map(times.ms, (50, 95, 99)), *rates, *own])
    head = (
        "sessions",
        "p50 ms",
        "p95 ms",
        "p99 ms",
        "turns/s",
        "bare endpoint: requests/s",
        "client CPU ms a turn",
        "503s",
    )
    return table(head, rows)


def _floors(found: list[Measured]) -> str:
    rows: list[list[Cell]] = [
        [one.stand.name, one.turns[1].ms(50), percentile(one.graph, 50) * 1e3, one.floor[1].ms(50), one.ratio]
        for one in found
    ]
    return table(("one client", "turn p50 ms", "graph floor ms", "endpoint floor ms", "ratio"), rows)


_TEXT: Final = f"""\
Each client plays whole sessions, answering as soon as the last turn is there: 70 % right, else by a malrule or by
chance, on all levels. Beginning a session is not a turn, but takes its share of the second. The client, Redis and
PostgreSQL (`fsync` on) share the cores with the workers. With one client, {ROUNDS} rounds alternate between the turn
and its two floors: the same graph called without checkpointer, records and HTTP, and a FastAPI endpoint that does one
Redis GET and SET and one INSERT, with bodies of a turn's size, under the same server."""

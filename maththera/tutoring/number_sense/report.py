"""What a screening of number sense says to adults, beside published values. It is no medical finding, and says so."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple, cast

from pydantic import Field
from typing_extensions import TypedDict

from maththera.config_files import ConfigModel
from maththera.tutoring.number_sense.screening_profile import CLOSER, Compared, NumberSenseProfile

Measure = Literal["subitizing_range", "ms_per_dot", "counting_ms_per_dot"]
_NO_FINDING: Final = "이 기록은 진단이 아니에요. 한 번 본 것이라서 다시 해 보면 달라질 수 있어요."
_NOTHING_PUBLISHED: Final = "두 쪽을 비교한 것과 수직선에는 옆에 놓을 만한, 출처가 확인된 값이 없어요."
_TITLES: Final[dict[Measure, str]] = {
    "subitizing_range": "한눈에 알아보는 개수는",
    "ms_per_dot": "한눈에 알아보는 점 하나에 더 걸리는 시간은",
    "counting_ms_per_dot": "세어야 하는 점 하나에 더 걸리는 시간은",
}


class PublishedValue(ConfigModel):
    """A value that a study reports. `ages`: in years; None: of adults."""

    measure: Measure
    ages: tuple[int, int] | None = None
    value: Annotated[str, Field(min_length=1)]
    source: Annotated[str, Field(min_length=1)]

    def serves(self, age: int | None) -> bool:
        """Whether it may stand beside the figures of a child of this age: adults' always, said to be theirs."""
        return self.ages is None or (age is not None and self.ages[0] <= age <= self.ages[1])


class _Published(ConfigModel):
    published: tuple[PublishedValue, ...]


class PublishedComparison(TypedDict):
    """A published value beside a figure: of whom, and where it stands."""

    measure: Measure
    of: str
    value: str
    source: str


class Screening(NamedTuple):
    """A screening that was done to its end."""

    session_id: str
    at: datetime
    profile: NumberSenseProfile


class ScreeningReport(TypedDict):
    """A screening as adults read it. `says`: sentences; `published`: values of studies, for this age and for adults."""

    session_id: str
    at: str
    profile: NumberSenseProfile
    says: list[str]
    published: list[PublishedComparison]


def screenings_of(rows: Iterable[tuple[str, datetime, Mapping[str, object]]]) -> list[Screening]:
    """The screenings that the records have."""
    return [Screening(session_id, at, cast("NumberSenseProfile", profile)) for session_id, at, profile in rows]


def load_published(configs: Path) -> tuple[PublishedValue, ...]:
    """ConfigError names file, line, field and reason."""
    return _Published.from_file(configs / "tutoring" / "number_sense.yaml").published


def screening_report(
    screening: Screening, published: Sequence[PublishedValue], birth_year: int | None
) -> ScreeningReport:
    """A screening for adults. `birth_year`: None where it is not known."""
    age = screening.at.year - birth_year if birth_year is not None else None
    beside: list[PublishedComparison] = [
        {"measure": one.measure, "of": _whose(one), "value": one.value, "source": one.source}
        for one in published
        if one.serves(age)
    ]
    return {
        "session_id": screening.session_id,
        "at": screening.at.isoformat(),
        "profile": screening.profile,
        "says": [*_sentences(screening.profile, beside), _NO_FINDING],
        "published": beside,
    }


def _whose(value: PublishedValue) -> str:
    return f"{value.ages[0]}~{value.ages[1]}살" if value.ages else "어른"


def _sentences(found: NumberSenseProfile, beside: Sequence[PublishedComparison]) -> Iterator[str]:
    yield from _of_dots(found)
    for one in beside:
        if found["enumeration"][one["measure"]] is not None:
            yield f"참고로 {_TITLES[one['measure']]} {one['of']} {one['value']}예요 ({one['source']})."
    for shown, name in (("dots", "점"), ("numbers", "수")):
        each = [one for one in found["comparison"] if one["shown"] == shown]
        if each:
            yield f"{name} 비교는 두 쪽의 비가 {', '.join(map(_compared, each))} 맞혔어요."
    for high, error in ((one["high"], one["error_percent"]) for one in found["line"]):
        if error is None:
            yield f"0부터 {high}까지의 수직선에는 답이 없어요."
        else:
            yield f"0부터 {high}까지의 수직선에서는 알맞은 자리에서 평균 {error:g}% 벗어났어요."
    yield _NOTHING_PUBLISHED


def _of_dots(found: NumberSenseProfile) -> Iterator[str]:
    dots, seen = found["enumeration"], found["at_a_glance"]
    yield f"점을 세는 문제 {dots['of']}개 가운데 {dots['right']}개를 맞혔어요."
    if dots["subitizing_range"] is None:
        yield "믿을 만한 시간이 모자라거나 꺾이는 곳이 뚜렷하지 않아서, 한눈에 알아보는 개수는 말할 수 없어요."
    else:
        quick, slow = ((dots[name] or 0) / 1000 for name in ("ms_per_dot", "counting_ms_per_dot"))
        yield (
            f"{dots['subitizing_range']}개까지는 한눈에 알아보는 것으로 보여요. 거기까지는 점이 하나 늘 때마다 "
            f"{quick:.2f}초, 그 뒤로는 {slow:.2f}초 더 걸렸어요."
        )
    yield f"잠깐 보였다 사라지는 점 1~4개는 {seen['of']}번 가운데 {seen['right']}번 맞혔어요."


def _compared(one: Compared) -> str:
    took = f" ({one['median_ms'] / 1000:.1f}초)" if one["median_ms"] is not None else ""
    when = "5:6보다 가까울 때" if one["ratio"] == CLOSER else f"{one['ratio']}일 때"
    return f"{when} {one['of']}번 가운데 {one['right']}번{took}"

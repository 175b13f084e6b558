"""What adults read of a screening: figures, published values with their source, and that it is no finding."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from maththera.config_files import ConfigError
from maththera.settings import home
from maththera.tutoring.number_sense.items import ENUMERATE, item
from maththera.tutoring.number_sense.report import Screening, load_published, screening_report
from maththera.tutoring.number_sense.screening_profile import NumberSenseProfile, profile, screening_items

PUBLISHED = load_published(home() / "configs")
AT = datetime(2026, 11, 21, 1, tzinfo=UTC)


def measured() -> NumberSenseProfile:
    """Of a child that sees three dots at once, 0.1 s each, and counts on in 0.6 s; everything else is right in 2 s."""

    def ms(item_id: str) -> int:
        dots = item(item_id).answer
        return 900 + 100 * min(dots, 3) + 600 * max(0, dots - 3) if item_id.startswith(ENUMERATE) else 2000

    return profile((one, item(one).answer, ms(one)) for one in screening_items(7))


def said(birth_year: int | None, found: NumberSenseProfile | None = None) -> str:
    return "\n".join(screening_report(Screening("x", AT, found or measured()), PUBLISHED, birth_year)["says"])


def test_the_figures_are_said_as_they_are() -> None:
    text = said(2018)
    assert "3개까지는 한눈에 알아보는 것으로 보여요. 거기까지는 점이 하나 늘 때마다 0.10초, 그 뒤로는 0.60초" in text
    assert "1:2일 때 2번 가운데 2번 (2.0초)" in text
    assert "0부터 100까지의 수직선에서는 알맞은 자리에서 평균 0% 벗어났어요." in text


@pytest.mark.parametrize(("birth_year", "told"), [(2021, True), (2016, False), (None, False)])
def test_a_value_of_an_age_stands_only_beside_a_child_of_that_age(birth_year: int | None, told: bool) -> None:
    text = said(birth_year)
    assert ("4~6살 3개예요 (Jansen" in text) == told
    assert "어른 0.04~0.12초예요 (Trick & Pylyshyn (1993)" in text


def test_where_nothing_is_published_it_says_so() -> None:
    assert "비교한 것과 수직선에는 옆에 놓을 만한, 출처가 확인된 값이 없어요." in said(2018)


def test_it_is_no_finding_and_is_polite() -> None:
    lines = said(2018).splitlines()
    assert "진단이 아니에요" in lines[-1]
    assert not any(word in line for line in lines for word in ("장애", "위험", "정상", "결핍", "뒤처"))
    assert all(line.endswith(("요.", ").")) for line in lines)


def test_without_reliable_times_no_range_is_claimed() -> None:
    text = said(2018, profile((one, item(one).answer, None) for one in screening_items(7)))
    assert "한눈에 알아보는 개수는 말할 수 없어요" in text
    assert "초, 그 뒤로는" not in text
    assert "(2.0초)" not in text
    assert "참고로" not in text


def test_every_published_value_names_its_source_with_a_year() -> None:
    assert all("(19" in one.source or "(20" in one.source for one in PUBLISHED)


def test_a_value_without_a_source_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "tutoring").mkdir()
    (tmp_path / "tutoring" / "number_sense.yaml").write_text(
        "published:\n  - measure: ms_per_dot\n    value: 3개\n    source: ''\n"
    )
    with pytest.raises(ConfigError, match=r"number_sense\.yaml:\d+: published\[0\]\.source"):
        load_published(tmp_path)

import pytest

from maththera.chat.coach.text_templates import fill_template


@pytest.mark.parametrize(
    ("template", "value", "said"),
    [
        ("{a:은는}", 14, "14는"),
        ("{a:을를}", 13, "13을"),
        ("{a:이가}", "곱셈구구", "곱셈구구가"),
        ("{a:과와}", 8, "8과"),
        ("{a:야}", 14, "14야"),
        ("{a:야}", 13, "13이야"),
        ("{a:로}", 7, "7로"),
        ("{a:로}", 8, "8로"),
        ("{a:로}", 4, "4로"),
        ("{a:로}", 10, "10으로"),
        ("{a:로}", 6, "6으로"),
        ("{a:로}", "서울", "서울로"),
        ("{a:로}", "집", "집으로"),
        ("{a}+{a}", 3, "3+3"),
        ("{a:03d}", 7, "007"),
    ],
)
def test_particles_fit_what_is_put_in(template: str, value: object, said: str) -> None:
    assert fill_template(template, a=value) == said


def test_what_is_put_in_is_no_template() -> None:
    assert fill_template("{a}", a="{b}") == "{b}"


def test_a_slot_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        fill_template("{a} {b}", a=1)

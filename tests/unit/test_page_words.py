"""What the adults' page says about each error of the service."""

import re

import pytest

from maththera.api.http_layer.problem_details import CATALOGUE
from maththera.settings import home


@pytest.mark.parametrize("language", ["ko", "en"])
def test_each_error_of_the_service_has_its_words_on_the_page(language: str) -> None:
    text = (home() / "web" / "src" / "words" / f"{language}.ts").read_text(encoding="utf-8")
    found = re.search(r"^  troubles: \{\n(.*?)^  \}", text, re.DOTALL | re.MULTILINE)
    assert found
    assert {*re.findall(r"^    (\w+):", found[1], re.MULTILINE)} == {*CATALOGUE}

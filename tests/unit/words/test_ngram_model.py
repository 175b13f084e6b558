"""The files of the linear models: read whole, or refused with the line at fault."""

from hashlib import sha256
from pathlib import Path

import pytest

from maththera.config_files import ConfigError
from maththera.words.ngram_model import FORMAT, LONGEST, load_model, plain


def test_spaces_and_letters_of_other_widths_change_nothing() -> None:
    assert plain("죽고  싶어!!!! ㅠㅠㅠ １２３") == plain("죽고 싶어!! ㅠㅠ 7")


def _broken(tmp_path: Path, text: str) -> str:
    path = tmp_path / "parrot_model.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_model(path, "parrot")
    return str(caught.value).removeprefix(str(path))


HEAD = f"{FORMAT.format('parrot')}\nbias\t0\nshortest\t8\ncategories\ta,b\nkinds_bias\t0,0\nsha256\tx\n\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ":1: must begin"),
        (HEAD.replace("parrot", "owl"), ":1: must begin with 'maththera parrot model 1'"),
        (HEAD.replace("shortest\t8\n", "") + "가\t1\n", ":2: the numbers at the top: 'shortest'"),
        (HEAD + "가\t1\n나\tviele\n", ":9: a run and its whole numbers"),
        (HEAD + "가\t1\t2\n", ":8: 1 weights for 2 categories"),
        (HEAD + "가\t1\n", ":2: the weights below are not those"),
    ],
)
def test_a_broken_model_says_where(tmp_path: Path, text: str, told: str) -> None:
    assert _broken(tmp_path, text).startswith(told)


def test_a_missing_model_says_which_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nothing\.tsv"):
        load_model(tmp_path / "nothing.tsv", "parrot")


def test_a_model_that_only_finds_has_no_categories(tmp_path: Path) -> None:
    body = "가\t2000\n"
    head = HEAD.replace("a,b", "").replace("0,0", "").replace("\tx", f"\t{sha256(body.encode()).hexdigest()}")
    path = tmp_path / "parrot_model.tsv"
    path.write_text(head + body, encoding="utf-8")
    model = load_model(path, "parrot")
    assert model.categories == []
    assert model.score("가") == 2 / 8
    assert model.score("나 " * LONGEST + "가") > model.score("나")

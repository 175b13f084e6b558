import re
from pathlib import Path

import pytest
import yaml

from maththera.chat.messages.answer_levels import LEVEL_NAMES
from maththera.chat.papers.glossary import Glossary
from maththera.config_files import ConfigError
from maththera.korean.particles import with_particle
from maththera.settings import home

SHIPPED = Glossary.load(home())


def test_it_is_large_enough_and_every_level_says_something_of_its_own() -> None:
    assert len(SHIPPED.terms) >= 120
    for term in SHIPPED.terms:
        texts = [term.text(level) for level in LEVEL_NAMES]
        assert len(set(texts)) == len(LEVEL_NAMES), term.term


def test_the_lowest_level_keeps_the_rules_of_its_prompt() -> None:
    """At most ten words a sentence, and an emoji."""
    for term in SHIPPED.terms:
        for sentence in re.split(r"(?<=[.!?…])\s+", term.elementary):
            assert len(re.sub(r"[^\w\s]", "", sentence).split()) <= 10, (term.term, sentence)
        assert any(ord(sign) > 0x2300 and not "가" <= sign <= "힣" for sign in term.elementary), term.term


def test_every_term_is_found_by_each_of_its_names() -> None:
    for term in SHIPPED.terms:
        assert term in SHIPPED.find(f"{with_particle(term.term, '이가')} 뭐야?"), term.term
        for alias in term.aliases:
            assert term in SHIPPED.find(f"{alias} 설명해줘"), alias


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("받아올림과 받아내림의 차이가 뭐야?", ["받아올림", "받아내림"]),
        ("2학년 받아올림이 뭐예요", ["받아올림"]),
        ("아이가 받아올림을 자꾸 틀리는데 받아올림이 뭔가요?", ["받아올림"]),
        ("number sense가 뭐야", ["수 감각"]),
        ("What is dyscalculia?", ["난산증"]),
        ("What does subitizing mean?", ["직관적 수 세기"]),
        ("구구단이 뭐야", ["곱셈구구"]),
        ("Quantum Attention이 뭐야?", []),
        ("Quantum 덧셈이 뭐야?", []),
        ("양자 덧셈이 뭐야?", []),
        ("할 수 있는 게 뭐야?", []),
        ("xyz 용어 설명해줘", []),
        ("", []),
        ("ㅋㅋㅋ", []),
    ],
)
def test_what_a_question_names(question: str, terms: list[str]) -> None:
    assert [term.term for term in SHIPPED.find(question)] == terms


def test_a_slip_of_the_pen_has_something_near() -> None:
    assert SHIPPED.nearest("바다올림이 뭐야", 1)[0].term == "받아올림"
    assert SHIPPED.nearest("오늘 점심 뭐 먹을까", 2) == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"aliases": ["수"]}, "is a name of 수 too"),
        ({"related": ["없는 말"]}, "is no term"),
        ({"elementary": None}, "elementary"),
    ],
)
def test_faults_of_the_file_are_named(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    file = yaml.safe_load((home() / "configs" / "chat" / "papers" / "glossary.yaml").read_text(encoding="utf-8"))
    file["terms"][3] |= change
    (tmp_path / "configs" / "chat" / "papers").mkdir(parents=True)
    (tmp_path / "configs" / "chat" / "papers" / "glossary.yaml").write_text(
        yaml.safe_dump(file, allow_unicode=True), encoding="utf-8"
    )
    with pytest.raises(ConfigError, match=reason):
        Glossary.load(tmp_path)

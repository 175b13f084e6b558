"""What adults call the children: each by its nickname, and namesakes by their animals or classes besides."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from maththera.store.students import Animal, StudentProfile

# fmt: off
ANIMAL_NAMES: Final[Mapping["Animal", str]] = {
    "turtle": "거북", "fox": "여우", "whale": "고래", "owl": "부엉이", "rabbit": "토끼", "bear": "곰", "cat": "고양이",
    "dog": "강아지", "panda": "판다", "penguin": "펭귄", "lion": "사자", "tiger": "호랑이", "monkey": "원숭이",
    "koala": "코알라", "elephant": "코끼리", "giraffe": "기린", "frog": "개구리", "chick": "병아리", "duck": "오리",
    "dolphin": "돌고래", "octopus": "문어", "bee": "벌", "squirrel": "다람쥐", "hedgehog": "고슴도치", "horse": "말",
    "pig": "돼지", "sheep": "양", "cow": "소", "snail": "달팽이", "butterfly": "나비",
}
# fmt: on


@dataclass(frozen=True, slots=True)
class ChildNames:
    """`names`: student id → what adults call it, no two alike; without a nickname the id. `namesakes`: a nickname
    that several children share → their ids."""

    names: dict[str, str]
    namesakes: dict[str, list[str]]

    def which(self, message: str) -> str | None:
        """The question which child is meant; None where the message leaves no doubt."""
        left = _without(message, self.names.values())[1]
        for nickname, ids in self.namesakes.items():
            if _pattern(nickname).search(left):
                told = ", ".join(f"‘{self.names[each]}’" for each in ids)
                how = f"{told} 가운데 누구인지 그대로 적어서 다시 물어봐 주세요."
                return f"이름이 ‘{nickname}’인 아이가 {len(ids)}명이에요. {how}"
        return None

    def mentioned(self, message: str) -> list[str]:
        """The ids of those whom a message names. 김민아 does not name 민아 where both are known."""
        found = _without(message, self.names.values())[0]
        return [each for each, name in self.names.items() if name in found]

    @property
    def spoken(self) -> frozenset[str]:
        """All that these children are called, also the nicknames of several."""
        return frozenset({*self.names.values(), *self.namesakes})


def told_apart(
    profiles: Collection["StudentProfile"], classes: Mapping[str, Sequence[str]], about: str | None = None
) -> ChildNames:
    """`classes`: student id → the names of its classes. `about`: the child of whom one speaks already, who is meant by
    a nickname that others have as well."""
    having: dict[str, list[str]] = {}
    for one in profiles:
        if one.nickname:
            having.setdefault(one.nickname, []).append(one.student_id)
    forms = {one.student_id: _forms(one, classes.get(one.student_id, ())) for one in profiles}
    taken = Counter([*having, *(form for own in forms.values() for form in own)])

    def name(one: "StudentProfile") -> str:
        if not one.nickname:
            return one.student_id
        if len(having[one.nickname]) == 1 or one.student_id == about:
            return one.nickname
        return next(form for form in forms[one.student_id] if taken[form] == 1)

    names = {one.student_id: name(one) for one in profiles}
    alone = names.values()
    return ChildNames(names, {each: ids for each, ids in having.items() if each not in alone})


def _forms(one: "StudentProfile", classes: Sequence[str]) -> list[str]:
    """Ways to call a child, the shortest first: 여우 민아, 2학년 3반 민아, 2학년 3반 여우 민아; at last with its id."""
    animal, of_class = ANIMAL_NAMES.get(one.animal, "") if one.animal else "", " ".join(classes)
    ways = [[animal], [of_class], [of_class, animal]]
    forms = [" ".join([*way, one.nickname or ""]) for way in ways if all(way)]
    return [*forms, f"{one.nickname} ({one.student_id})"]


def _without(message: str, names: Collection[str]) -> tuple[set[str], str]:
    """The names that a message has, the longest first, and the message without them."""
    found = set()
    for name in sorted(names, key=len, reverse=True):
        pattern = _pattern(name)
        if pattern.search(message):
            found.add(name)
            message = pattern.sub(" ", message)
    return found, message


def _pattern(name: str) -> re.Pattern[str]:
    """The name with or without its blanks; of an id or a name in Latin letters no part of a longer word."""
    return re.compile(rf"(?<![A-Za-z0-9_-]){re.escape(name).replace(chr(92) + ' ', chr(92) + 's*')}(?![A-Za-z0-9_-])")

"""The sentences of reports: the figures in the Korean of a teacher or guardian."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from maththera.arithmetic.strategies import Mode
from maththera.korean.particles import with_particle

Data = Mapping[str, Any]

_MASTERED: Final = 0.8
_WEAK: Final = 0.5
_GROWN: Final = 0.15


THINGS_AT_HOME: Final[Mapping[Mode, str]] = {
    "ten_frame": "달걀판과 바둑돌",
    "base_ten": "열 개씩 묶은 이쑤시개와 낱개",
    "coin": "100원과 10원 동전, 바둑돌",
    "number_line": "종이에 그린 수직선",
    "array": "줄을 맞춘 단추",
    "columns": "모눈종이",
}
"""What a picture of the steps can be laid with."""


def day(one: date) -> str:
    """2026년 3월 2일"""
    return f"{one.year}년 {one.month}월 {one.day}일"


def percent(share: float) -> str:
    """A share as a whole percentage."""
    return f"{round(share * 100)}%"


def summary(data: Data) -> list[str]:
    """The teacher's paragraph: the practice, what is firm, what is not, and the known causes."""
    totals = data["totals"]
    if not totals["answered"]:
        return [
            "이 기간에는 풀이 기록이 없습니다.",
            "학습을 시작하면 이 자리에 정답률과 이해도, 오류의 원인이 나타납니다.",
        ]
    lines = [
        f"{_how_long(totals)} {totals['sessions']}번 학습하며 {totals['answered']:,}문제를 풀었고, "
        f"그중 {totals['right']}문제({percent(totals['share'])})를 맞혔습니다."
    ]
    firm = [unit["name"] for unit in data["units"] if (unit["mastery"] or 0) >= _MASTERED]
    weak = [unit["name"] for unit in data["units"] if unit["mastery"] is not None and unit["mastery"] < _WEAK]
    if firm:
        lines.append(f"{with_particle(_joined(firm[-3:]), '은는')} 충분히 이해하고 있습니다.")
    if weak:
        lines.append(f"{with_particle(_joined(weak[:3]), '은는')} 아직 더 배워야 합니다.")
    if data["causes"]:
        names = _joined([f"'{cause['name']}'" for cause in data["causes"][:2]])
        lines.append(f"되풀이된 오답의 원인으로 {with_particle(names, '이가')} 확인되었습니다.")
    elif totals["right"] < totals["answered"]:
        lines.append("오답의 원인은 아직 뚜렷하게 확인되지 않았습니다. 더 풀어 보면 알 수 있습니다.")
    return lines


def letter(data: Data) -> Mapping[str, Any]:
    """The guardians' letter: what went well, what is being learnt, what helps at home. No jargon, no ranking."""
    totals = data["totals"]
    if not totals["answered"]:
        return {
            "greeting": "이 기간에는 아직 학습 기록이 없습니다. 하루 10분씩, 아이가 편한 시간에 시작해 보세요.",
            "good": [],
            "learning": [],
            "home": ["짧게 자주 하는 것이 오래 한 번 하는 것보다 좋습니다."],
        }
    return {
        "greeting": (
            f"이 기간에 {_how_long(totals)} {totals['sessions']}번 공부하고, 모두 {totals['answered']:,}문제를 "
            "풀었습니다. 틀린 문제도 생각을 키우는 소중한 걸음입니다."
        ),
        "good": _strengths(data),
        "learning": _being_learnt(data),
        "home": _help_at_home(data),
    }


def _strengths(data: Data) -> list[str]:
    totals, lines = data["totals"], []
    firm = [unit["name"] for unit in data["units"] if (unit["mastery"] or 0) >= _MASTERED]
    grown = [
        unit["name"]
        for unit in data["units"]
        if unit["mastery"] is not None and unit["before"] is not None and unit["mastery"] - unit["before"] > _GROWN
    ]
    if firm:
        lines.append(f"{with_particle(_joined(firm[-3:]), '을를')} 잘 이해하고 있어요.")
    if grown:
        lines.append(f"{with_particle(_joined(grown[:2]), '이가')} 지난번보다 눈에 띄게 늘었어요.")
    if totals["right"]:
        lines.append(f"{totals['right']:,}문제를 스스로 맞혔어요.")
    else:
        lines.append("어려운 문제에도 스스로 도전했어요.")
    if totals["days"] > 2:
        lines.append(f"{totals['days']}일이나 꾸준히 공부했어요.")
    return lines


def _being_learnt(data: Data) -> list[str]:
    practised = [cause["trainings"][0]["title"] for cause in data["causes"][:2]]
    lines = [f"‘{title}’ 연습으로 틀리기 쉬운 곳을 다지고 있어요." for title in dict.fromkeys(practised)]
    weak = [unit["name"] for unit in data["units"] if unit["mastery"] is not None and unit["mastery"] < _WEAK]
    if weak:
        lines.append(f"{with_particle(_joined(weak[:2]), '을를')} 차근차근 익히고 있어요.")
    return lines or ["지금 단계를 잘 따라오고 있어요. 다음 단계로 천천히 나아갑니다."]


def _help_at_home(data: Data) -> list[str]:
    return [
        *_activity(data["activity"]),
        "답이 다를 때는 “어떻게 생각했어?” 하고 먼저 물어봐 주세요.",
        "빨리 푸는 것보다 생각한 방법을 말로 설명하는 것을 칭찬해 주세요.",
    ]


def _activity(activity: Data | None) -> Iterator[str]:
    """Five minutes with one problem, and what to say at each step."""
    if activity is None:
        return
    expression = with_particle(activity["expression"], "을를")
    yield f"하루 5분, {expression} 함께 해 보세요 (준비물: {activity['with']}). 한 걸음씩 이렇게 말해 주세요."
    yield " → ".join(f"“{step['say']}” {step['expression']}" for step in activity["steps"])


def class_summary(data: Data) -> list[str]:
    """The sentences that a teacher should see first."""
    students = data["students"]
    active = [one for one in students if one["totals"]["answered"]]
    if not active:
        return ["이 기간에는 풀이 기록이 없습니다."]
    totals = data["totals"]
    who = f"{len(students)}명 가운데 {len(active)}명이" if len(active) < len(students) else "한 명도 빠짐없이"
    all_of_them = f"{who} 학습해 모두 " if len(students) > 1 else ""
    lines = [f"{all_of_them}{totals['answered']:,}문제를 풀었고, 그중 {percent(totals['share'])}를 맞혔습니다."]
    if quiet := len(students) - len(active):
        lines.append(f"이 기간에 학습하지 않은 학생이 {quiet}명 있습니다.")
    if data["groups"]:
        group = data["groups"][0]
        lines.append(f"'{group['name']}'의 도움이 필요한 학생이 {len(group['students'])}명으로 가장 많습니다.")
    return lines


def _how_long(totals: Data) -> str:
    return "하루 동안" if totals["days"] == 1 else f"{totals['days']}일 동안"


def _joined(names: list[str]) -> str:
    return ", ".join(names)

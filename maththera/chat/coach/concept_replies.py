"""Answers on words and rules of arithmetic: what they are, why they are so, what they are good for; places of a number,
ways to check, the order of operations."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from maththera.arithmetic.expressions import Operation
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.basics import applied, aspect_of
from maththera.chat.coach.drafts import CoachTurn, Draft
from maththera.chat.coach.learner_facts import kinds_in
from maththera.chat.coach.message_shapes import DIGIT_OF, EQUATION, NUMBER_OF, ZEROS_OF, exercise_of
from maththera.json_types import JsonObject
from maththera.knowledge.explanations import explained

_SPACES: Final = re.compile(r"\s+")
_TEN: Final = 10
_MOST: Final = 3
_OPERATIONS: Final = frozenset({"덧셈", "뺄셈", "곱셈", "나눗셈"})
"""Words that stand beside what a question is about: 덧셈은 왜 세로로 써?"""
_DIFFERENCE: Final = re.compile(r"같|차이|달라|다른")


# --- words ------------------------------------------------------------------------------------------------------------


def _concept(turn: CoachTurn, draft: Draft) -> None:
    """What is asked of the basics that are named; else the words of a unit; for "그게 뭔데?" what was spoken of."""
    basics, message = draft.texts.basics, turn.message
    names = basics.named_in(message)[:_MOST]
    last = draft.board.get("concept", "")
    if not names and last in basics:
        names = [last]
    draft.board.pop("problem", None)
    beside = basics.beside(basics.named_in(message), draft.board.get("words", ()), message)
    words = [one for one in draft.board.get("words", ()) if one not in names]
    draft.board["words"] = [*words, *reversed(names)][-2:]
    if beside:
        draft.add(beside[2])
        draft.board["concept"], draft.board["aspects"] = beside[0], ["what"]
    elif found := _applied(draft, names, message):
        draft.board["concept"], draft.board["aspects"] = found, ["what"]
    elif names:
        aspect = aspect_of(message)
        if names == [last] and aspect in draft.board.get("aspects", ()):
            aspect = basics.more(last, draft.board["aspects"])
        main = next((name for name in names if aspect != "what" and name not in _OPERATIONS), names[0])
        if len(names) > 1 and _DIFFERENCE.search(message):
            draft.say("concept_differ")
        draft.add(*(basics[name].text(aspect) for name in (names if aspect == "what" else [main])))
        told = draft.board.get("aspects", []) if main == last else []
        draft.board["concept"], draft.board["aspects"] = main, [*told, aspect]
        draft.board["items"] = [{"what": "word", "id": name} for name in names]
    else:
        _of_unit(turn, draft)
    kinds = kinds_in(message)
    if draft.adult and names and kinds:
        draft.add(draft.kind(kinds[0], "home"))
    draft.board["kind"] = next(iter(kinds), draft.board.get("kind", ""))
    if "story" not in draft.board:
        draft.board.pop("expression", None)


def _applied(draft: Draft, names: list[str], message: str) -> str | None:
    """The word that is asked about a number or an equation of the message, once it is answered."""
    if (equation := EQUATION.search(message)) is not None:
        left, right = int(equation[1]), int(equation[2])
        draft.say("equal" if left == right else "not_equal", left=left, right=right)
        return "등호"
    last = draft.board.get("concept", "")
    for name in (last, *names):
        if found := applied(name, message):
            draft.say(found[0], value=found[1])
            return "홀수" if found[0] == "is_odd" else "짝수"
    return None


def _of_unit(turn: CoachTurn, draft: Draft) -> None:
    said = _SPACES.sub("", turn.message)
    units = turn.found("get_unit_curriculum")
    told: dict[str, str] = {
        one["name"]: one["explanation"]
        for unit in units
        for one in unit["concepts"]
        if any(_SPACES.sub("", name) in said for name in (one["name"], *one["also"]))
    }
    if not told and units:
        first = units[0]["concepts"][0]
        told = {first["name"]: first["explanation"]}
    if not told and not turn.board.get("ask") and re.search(r"방금|그거|그게|아까", turn.message):
        draft.say("what_said_first")
        return
    if not told:
        draft.say("concept_unknown")
        draft.board["concept"] = turn.message
        return
    if len(told) > 1 and _DIFFERENCE.search(said):
        draft.say("concept_differ")
    draft.add(*[*told.values()][:_MOST])
    draft.board["concept"] = next(iter(told))
    if units and (example := units[0].get("example")) and turn.ask in ("easier", "again", "more"):
        _example(draft, example)


def _example(draft: Draft, example: JsonObject) -> None:
    draft.say("concept_example", steps=f"{example['prompt']}: {' → '.join(example['steps'])}")


def concept_again(turn: CoachTurn, draft: Draft) -> None:
    """More of the word that was explained last: what is asked of it now, or what was not told yet."""
    basics, name = draft.texts.basics, draft.board.get("concept", "")
    units = turn.found("get_unit_curriculum")
    if name in basics:
        told = draft.board.get("aspects", [])
        aspect = aspect_of(turn.message)
        if aspect in ("what", "example") or (aspect == "why" and "why" in told):
            aspect = basics.more(name, told)
        draft.add(basics[name].text(aspect))
        draft.board["aspects"] = [*told, aspect]
        if aspect == "example" and units:
            _example(draft, units[0]["example"])
        return
    if not units:
        draft.say("more_nothing")
        return
    named = next((one for one in units[0]["concepts"] if one["name"] == name), units[0]["concepts"][0])
    draft.add(named["explanation"])
    _example(draft, units[0]["example"])


# --- places -----------------------------------------------------------------------------------------------------------

_PLACES: Final = "일십백천"
_UNITS: Final = ("낱개", "10", "100", "1000")
_PLACE: Final = re.compile(r"(\d{2,6})\s*(?:에서|의|에)[^\d]*?([일십백천])의?\s*자리(?:[^\d]*(\d))?")
_PLACE_NAME: Final = re.compile(r"([일십백천])의?\s*자리")


def _place(turn: CoachTurn, draft: Draft) -> None:
    message = turn.message
    if (asked := _PLACE.search(message)) is not None:
        _digit_at(draft, asked[1], _PLACES.index(asked[2]), int(asked[3]) if asked[3] else None)
    elif (digit := DIGIT_OF.search(message)) is not None and digit[2] in digit[1]:
        place = len(digit[1]) - 1 - digit[1].index(digit[2])
        name = _PLACES[place] if place < len(_PLACES) else "더 큰"
        unit = _UNITS[place] if place < len(_UNITS) else "더 큰 묶음"
        key = "place_of_zero" if digit[2] == "0" else "place_of_digit"
        draft.say(key, number=digit[1], digit=digit[2], place=name, unit=unit)
        draft.board["concept"], draft.board["aspects"] = "0" if digit[2] == "0" else "자릿값", []
    elif (zeros := ZEROS_OF.search(message)) is not None:
        draft.say("place_zeros", number=zeros[1], count=zeros[1].count("0"))
    elif (number := NUMBER_OF.search(message)) is not None:
        digits = [int(each) for each in reversed(number[1])]
        parts = [f"{name} {each}개" for name, each in zip(("낱개", "십", "백", "천"), digits, strict=False) if each]
        draft.say("number_parts", number=number[1], parts=", ".join(reversed(parts)))
    else:
        named = _PLACE_NAME.search(message)
        at = _PLACES.index(named[1]) if named else 1
        draft.board["concept"], draft.board["aspects"] = f"{_PLACES[at]}의 자리", ["what"]
        if "없" in message:
            draft.say("place_there", place=_PLACES[at])
        elif re.search(r"다음|옆|왼쪽|앞|위", message) and at + 1 < len(_PLACES):
            draft.say("place_next", place=_PLACES[at], next=_PLACES[at + 1])
        else:
            draft.add(draft.texts.basics[f"{_PLACES[at]}의 자리"].text(aspect_of(message)))


def _digit_at(draft: Draft, number: str, place: int, claimed: int | None) -> None:
    digits = [int(each) for each in reversed(number)]
    digit = digits[place] if place < len(digits) else 0
    name = _PLACES[place]
    if claimed is None:
        parts = ", ".join(f"{_PLACES[at]}의 자리 {each}" for at, each in reversed([*enumerate(digits[: len(_PLACES)])]))
        draft.say("place_digit", number=number, place=name, digit=digit, parts=parts)
    elif claimed == digit:
        draft.say("place_yes", number=number, place=name, digit=digit)
    else:
        other = next((_PLACES[at] for at, each in enumerate(digits[: len(_PLACES)]) if each == claimed), None)
        draft.board.setdefault("times", {})["place_no"] = int(other is None)
        draft.say("place_no", number=number, place=name, digit=digit, claimed=claimed, other=other or "")


# --- ways -------------------------------------------------------------------------------------------------------------


def _easier_way(turn: CoachTurn, draft: Draft) -> None:
    """A way to work it out in the head."""
    problem = exercise_of(draft.board.get("expression")) or (turn.opened[0] if turn.opened else None)
    if problem is None or problem.op not in "+-" or problem.b < 2:
        draft.say("rule_general")
        return
    a, b = problem.a, problem.b
    end = "." if problem in turn.opened else f"={problem.answer}."
    if problem.op == "+" and a % _TEN and _TEN - a % _TEN < b:
        gap = _TEN - a % _TEN
        draft.say("mental_make", a=a, b=b, ten=a + gap, gap=gap, rest=b - gap, end=end)
    elif problem.op == "-" and b > _TEN and b % _TEN:
        tens = b // _TEN * _TEN
        end = "." if problem in turn.opened else f": {a - tens}−{b % _TEN}={problem.answer}."
        draft.say("mental_split", a=a, tens=tens, left=a - tens, ones=b % _TEN, end=end)
    else:
        draft.say("mental_other", hint=explained(problem, other=True)[0].say)


_CHECKS: Final = {"x": "check_product", "/": "check_quotient"}
"""How a result is checked, where it is not by taking back what was added."""


def _numbers(problem: Problem | None) -> dict[str, object]:
    return {} if problem is None else {"a": problem.a, "b": problem.b}


def _check_how(turn: CoachTurn, draft: Draft) -> None:
    expression = exercise_of(draft.board.get("expression"))
    if re.search(r"(?:다른|딴|항상|매번|언제나)", turn.message):
        op = expression.op if expression else "-"
        example = "8+5=13이면 13−5=8." if op == "+" else "12−7=5면 5+7=12." if op == "-" else "6×4=24면 24÷4=6."
        draft.say("check_always", example=example)
        return
    if expression is None or expression.form != "result" or expression in turn.opened:
        task = exercise_of(draft.board.get("problem")) or next(iter(turn.opened), None)
        draft.say(_CHECKS[task.op] if task is not None and task.op in _CHECKS else "check_how", **_numbers(task))
        return
    a, b, answer = expression.a, expression.b, expression.answer
    back = {
        "+": f"{answer}−{b}={a}", "-": f"{answer}+{b}={a}", "x": f"{answer}÷{b}={a}" if b else "",
        "/": f"{answer}×{b}={a}",
    }[expression.op]  # fmt: skip
    draft.say("check_solved", back=back, end=". 처음 수가 나왔으니 맞아.")


def _order_rule(_: CoachTurn, draft: Draft) -> None:
    found = read_expressions(draft.board.get("expression") or "")
    plain = found[0] if found else None
    if plain is not None and re.search(r"[()]", plain.text) and isinstance(plain.tree, Operation):
        without = read_expressions(re.sub(r"[()]", "", plain.text))[0]
        if plain.value is not None and without.value is not None:
            values = {
                "one": without.text,
                "one_value": int(without.value),
                "other": plain.text,
                "other_value": int(plain.value),
            }
            draft.say("order_brackets", **values)
            return
    draft.say("order_rule")


CONCEPT_REPLIES: Final[Mapping[str, Callable[[CoachTurn, Draft], None]]] = {
    "concept": _concept, "place": _place, "easier_way": _easier_way, "check_how": _check_how,
    "order_rule": _order_rule,
}  # fmt: skip
"""Ask → what answers it."""

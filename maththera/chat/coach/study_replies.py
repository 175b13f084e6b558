"""Answers on learning, feelings, small talk and plans, and what goes on with what was said before."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.malrules import wrong_answers
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.brief_replies import listed_place
from maththera.chat.coach.concept_replies import concept_again
from maththera.chat.coach.drafts import CoachTurn, Draft
from maththera.chat.coach.learner_facts import KINDS, Facts, days_within, kind_of, kinds_in, strong_kinds, weak_kinds
from maththera.chat.coach.message_shapes import exercise_of, sheet_place, table_named
from maththera.chat.coach.number_pictures import drawn
from maththera.chat.coach.open_task_replies import next_hint
from maththera.chat.coach.problem_replies import along_line, another_way, number_explained, step_explained
from maththera.chat.coach.record_replies import RECORD_REPLIES, kind_detail
from maththera.chat.coach.several_ways import way_again
from maththera.chat.coach.single_answers import explained_answer, kind_slots, list_kinds, wrong_of
from maththera.chat.coach.small_talk import act_of
from maththera.chat.coach.task_questions import ABOUT_TASK
from maththera.chat.coach.text_templates import fill_template

_OWN_MINUTES: Final = re.compile(r"(\d+)\s*분\s*(?:만|씩만)\s*(?!\s*더)")
"""How long a child means to practise, and no longer."""
_NOT_EVEN: Final = re.compile(r"분도\s*(?:싫|안|못|힘들)")
_ORDINALS: Final = {
    "첫": 1, "한": 1, "1": 1, "위": 1, "두": 2, "둘": 2, "2": 2, "세": 3, "셋": 3, "3": 3, "네": 4, "4": 4,
    "다섯": 5, "5": 5,
}  # fmt: skip
_ASKS_ALL: Final = re.compile(r"(?:다|전부|모두)\s*맞")
_FINGERS: Final = 10
_PERSON: Final = re.compile(r"사람|살아")
_MACHINE: Final = re.compile(r"로봇|로보트|기계|컴퓨터|프로그램|인공지능|챗봇|AI|ai|gpt|에이아이")
_CANNOT_DO: Final = re.compile(r"^\W*(?:나|난|이거|이건|도저히|진짜|\s)*(?:못\s*(?:하|풀|해)|안\s*[돼되])\S*\W*$")
"""I cannot do this: of a task, not of mathematics."""
_ORDINAL: Final = re.compile(r"(첫|두|둘|세|셋|네|다섯|[1-5])\s*(?:번\s*째|째|번)|맨\s*(위)")
_LAST: Final = re.compile(r"마지막|맨\s*(?:아래|끝)")
_PLAYERS: Final = re.compile(r"명|둘이|셋이|혼자|여럿|여러")
_USUAL_ONES: Final = {"carry": (7, 6), "borrow": (2, 8)}
"""The ones of 47+36 and 52−38, where no problem was spoken of."""
_LEARNT_BY_HEART: Final = re.compile(r"외[우워울운]|구구|\d단")
_STUPID: Final = re.compile(r"바보|멍청|머리|돌대가리|빡대가리")
_ROADMAP: Final = re.compile(r"로드맵|순서|단계|마스터|차근")
_MEALS: Final = re.compile(r"밥|먹|배고|(?<![가-힣])잠|자[?니]|졸[려리]|안\s*자")
"""Words of eating and sleeping."""
_INSTEAD: Final = re.compile(r"말고")
_TAKEN_UP: Final = frozenset({"telling", "off_topic", "feeling"})
"""What is met by its noun alone."""
_WHETHER_SLIP: Final = re.compile(r"실수\s*(?:일|인|인가|야|예요|이에요|였)|실수로\s*(?:봐|보|생각)|몰라서|모르는\s*거")
"""Was it a slip, or does the child not know it?"""
_SLIP_SHARE: Final = 0.3
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_SPACES: Final = re.compile(r"\s+")


def _state(facts: Facts | None) -> str:
    """Which wording fits the records: none yet, nothing weak, or the plain one."""
    if facts is None or not facts["answered"]:
        return "_new"
    return "" if weak_kinds(facts) else "_fine"


def slots_of(draft: Draft, facts: Facts | None) -> dict[str, object]:
    """What any text may name: the weakest kind's words, the strongest kind, the counts."""
    slots: dict[str, object] = {}
    if facts is None or not facts["answered"]:
        return slots
    weak, strong = weak_kinds(facts), strong_kinds(facts)
    best = strong[0] if strong else max(facts["kinds"], key=lambda one: one["right"] / one["answered"], default=None)
    if best is not None:
        slots |= {
            "strong": draft.kind(best["kind"], "name"),
            "strong_answered": best["answered"],
            "strong_right": best["right"],
        }
    if best is not None or weak:
        slots |= kind_slots(draft, weak[0] if weak else best)  # type: ignore[arg-type]  # one of them is there
    return {**slots, "days": len(days_within(facts, 10)), "seconds": facts["seconds"]}


def say_fitting(turn: CoachTurn, draft: Draft, key: str, **more: object) -> None:
    """A text in the wording that fits the records."""
    own = key + _state(turn.facts)
    slots = slots_of(draft, turn.facts)
    counts: dict[str, object] = {"answered": turn.facts["answered"], "right": turn.facts["right"]} if turn.facts else {}
    if key in ("always_wrong", "praise_me"):
        slots |= {"whole": counts.get("answered", 0), "whole_right": counts.get("right", 0)}
    if key in ("cannot", "hate_math", "joy_all", "harder_adult", "harder_not_yet"):
        slots |= counts
    if turn.ask in draft.texts.book.talk or turn.ask in _TAKEN_UP:
        slots |= {"noun": draft.texts.book.noun(turn.message) or "그 이야기", "back": _way_back(turn, draft)}
    key = own if own in draft.texts.says else key
    draft.say("telling" if turn.adult and not draft.texts.says[key].adult else key, **{**slots, **more})


def _way_back(turn: CoachTurn, draft: Draft) -> str:
    """One gentle line that leads back to what waits."""
    if turn.adult or (
        turn.ask in draft.texts.book.talk and draft.texts.book.talk[turn.ask].opens and turn.ask != "back_again"
    ):
        return ""
    done = bool(turn.opened) and draft.board.get("given") == turn.opened[0].answer
    waits = draft.board.get("problem") or (turn.opened[0].expression if turn.opened and not done else None)
    return draft.worded("back_task", expression=waits) if waits else draft.worded("back_none")


def _with_records(turn: CoachTurn) -> bool:
    return turn.facts is not None and turn.facts["answered"] > 0


# --- learning ---------------------------------------------------------------------------------------------------------


def _slips(turn: CoachTurn, draft: Draft) -> None:
    missed = max(turn.facts["kinds"], key=wrong_of) if turn.facts and turn.facts["kinds"] else None
    if turn.adult and missed is not None and wrong_of(missed) and _WHETHER_SLIP.search(turn.message):
        often = wrong_of(missed) > 1 and wrong_of(missed) > _SLIP_SHARE * missed["answered"]
        draft.say("slip_unlikely" if often else "slip_likely", **kind_slots(draft, missed))
        return
    slots = slots_of(draft, turn.facts)
    weak = _with_records(turn) and not _state(turn.facts)
    recurring = draft.worded("slips_recurring", **slots) if weak else ""
    trick = slots.get("trick") if weak else "답을 거꾸로 계산해서 처음 수가 나오는지 봐."
    draft.say("slips", trick=trick, recurring=recurring)


def _missed_many(turn: CoachTurn, draft: Draft) -> None:
    """Comforts a child that sees how much it has got wrong: most of it comes from one thing."""
    say_fitting(turn, draft, "missed_many")
    _remember_weakest(turn, draft)


def _minutes(turn: CoachTurn, draft: Draft) -> None:
    if turn.adult and _NOT_EVEN.search(turn.message):
        draft.say("minutes_refused")
        return
    if (own := _OWN_MINUTES.search(turn.message)) is not None and "?" not in turn.message:
        draft.say("minutes_own", minutes=own[1])
        return
    rhythm = draft.worded("rhythm", **slots_of(draft, turn.facts)) if _with_records(turn) else ""
    draft.say("minutes", rhythm=rhythm)


def _forgetting(turn: CoachTurn, draft: Draft) -> None:
    spoken_of = exercise_of(draft.board.get("expression")) or exercise_of(draft.board.get("problem"))
    in_hand = spoken_of or next(iter(turn.opened), None)
    named = [*kinds_in(turn.message), *([kind_of(in_hand)] if in_hand else [])]
    if named and not turn.adult:
        draft.board["kind"] = named[0]
        if spoken_of is not None and spoken_of.op == "x" and named[0] == "times" and spoken_of.b > 1:
            known = {"less": spoken_of.b - 1, "known": spoken_of.a * (spoken_of.b - 1)}
            draft.say("forgetting_product", a=spoken_of.a, b=spoken_of.b, **known)
        else:
            draft.say("forgetting_kind", trick=draft.kind(named[0], "trick"))
    else:
        say_fitting(turn, draft, "forgetting" if not _state(turn.facts) else "forgetting_new")
    draft.board["offer"] = "give_problem"


def _times_tables(turn: CoachTurn, draft: Draft) -> None:
    n = table_named(turn.message)
    draft.board["kind"] = "times"
    if n is None:
        draft.say("times_tables_any")
    else:
        draft.say("times_tables", n=n, five=5 * n, six=6 * n, seven=7 * n, two=2 * n, four=4 * n)


def _of_weakest(turn: CoachTurn, draft: Draft) -> None:
    """What can be played or done in class for the kind that is spoken of, else the weakest."""
    if turn.ask == turn.board.get("ask") == "play_ideas" and _PLAYERS.search(turn.message):
        draft.say("play_people")
        return
    weak = weak_kinds(turn.facts) if turn.facts else []
    shown = exercise_of(draft.board.get("expression")) if draft.board.get("given") is not None else None
    named = [*kinds_in(turn.message), kind_of(shown) if shown else "", draft.board.get("kind") or ""]
    if _LEARNT_BY_HEART.search(turn.message):
        named = ["times"]
    kind = next(filter(None, [*named, *(one["kind"] for one in weak)]), "carry")
    key = {"play_ideas": "play_ideas", "easier": "plain", "why": "plain", "what_said": "plain"}.get(turn.ask, "lesson")
    own = [one["expression"] for found in weak for one in found["examples"] if found["kind"] == kind]
    problem = shown if shown and kind_of(shown) == kind else exercise_of(next(iter(own), None))
    one, other = (problem.a % 10, problem.b % 10) if problem else _USUAL_ONES.get(kind, (0, 0))
    fields = {field: draft.kind(kind, field) for field in ("game", "game_more", "lesson", "home")}
    plain = fill_template(draft.kind(kind, "plain"), one=one, other=other, left=(one + other) % 10)
    draft.say(key, name=draft.kind(kind, "name"), plain=plain, **fields)
    draft.board["kind"] = kind


def _turned_records(turn: CoachTurn, draft: Draft) -> None:
    """How often an answer has its two digits the other way round."""
    tries = turn.facts["tries"] if turn.facts else []
    turned = [one for one in tries if _is_turned(one["expression"], one["given"])]
    if turned:
        draft.say("turned_some", count=len(turned), expression=turned[-1]["expression"], given=turned[-1]["given"])
    else:
        draft.say("turned_none")


def _is_turned(expression: str, given: int | None) -> bool:
    problem = exercise_of(expression)
    if problem is None or given is None or not 9 < problem.answer < 100:
        return False
    tens, ones = divmod(problem.answer, 10)
    return tens != ones and given == 10 * ones + tens


def _study_how(turn: CoachTurn, draft: Draft) -> None:
    named = kinds_in(turn.message)
    turned = turn.board.get("ask") == "turned_records" or turn.board.get("topic", {}).get("about") == "turned"
    if turned and not named:
        draft.say("turned_help")
        return
    if named:
        kind = named[-1] if len(named) > 1 and draft.board.get("kind") not in named else named[0]
        draft.say(
            "study_kind", name=draft.kind(kind, "name"), trick=draft.kind(kind, "trick"), home=draft.kind(kind, "home")
        )
        draft.board["kind"] = kind
    else:
        say_fitting(turn, draft, "study_how")
        _remember_weakest(turn, draft)
    draft.board["offer"] = "give_problem"


def _remember_weakest(turn: CoachTurn, draft: Draft) -> None:
    if turn.facts and (weak := weak_kinds(turn.facts)):
        draft.board["kind"] = weak[0]["kind"]


def _teach_first(turn: CoachTurn, draft: Draft) -> None:
    weak = [] if turn.facts is None else [one for one in turn.facts["kinds"] if wrong_of(one)]
    weak.sort(key=lambda one: -wrong_of(one))
    named = kinds_in(turn.message)
    shown = [one for one in weak if not named or one["kind"] in named][:2]
    if not shown:
        say_fitting(turn, draft, "home_help")
        return
    for key, one in zip(("teach_first", "teach_second"), shown, strict=False):
        draft.say(key, **kind_slots(draft, one))
    list_kinds(draft, shown)


def _meeting(turn: CoachTurn, draft: Draft) -> None:
    """What a talk between the adults of a child begins with: how it does, and what helps."""
    if turn.facts is None or not turn.facts["answered"]:
        draft.say("no_records")
        return
    RECORD_REPLIES["how_am_i"](turn, draft, turn.facts)
    say_fitting(turn, draft, "home_help")


def _catch_up(turn: CoachTurn, draft: Draft) -> None:
    slots = slots_of(draft, turn.facts)
    watch = draft.worded("catch_up_watch", **slots) if slots and not _state(turn.facts) else ""
    draft.say("catch_up" if slots else "catch_up_new", **slots, watch=watch)


def _harder_adult(turn: CoachTurn, draft: Draft) -> None:
    for problem in turn.found("recommend_next_problem")[:1]:
        if _state(turn.facts) == "_fine":
            say_fitting(turn, draft, "harder_adult", next=problem["expression"])
            return
    say_fitting(turn, draft, "harder_not_yet" if _with_records(turn) else "no_records")


# --- feelings ---------------------------------------------------------------------------------------------------------


def _nervous(turn: CoachTurn, draft: Draft) -> None:
    weak = not _state(turn.facts)
    look = draft.worded("nervous_look", **slots_of(draft, turn.facts)) if weak else draft.worded("nervous_look_fine")
    draft.say("nervous", look=look)
    _remember_weakest(turn, draft)


def _joy(turn: CoachTurn, draft: Draft) -> None:
    facts = turn.facts
    if turn.opened and turn.board.get("ask") in ABOUT_TASK:
        draft.say("joy_task")
        return
    if facts is None or not facts["answered"]:
        draft.say("joy_new")
        return
    if _ASKS_ALL.search(turn.message) and act_of(turn.message) == "whether":
        RECORD_REPLIES["count"](turn, draft, facts)
        return
    today = any(one["day"] == facts["today"] for one in facts["days"])
    if not today and ("오늘" in turn.message or "방금" in turn.message):
        draft.say("joy_today_none")
    elif facts["right"] == facts["answered"]:
        draft.say("joy_all", answered=facts["answered"])
        draft.board["offer"] = "harder"
    else:
        draft.say("joy")


def _react(turn: CoachTurn, draft: Draft) -> None:
    draft.say("react_counts" if turn.board.get("ask") in ("count", "weak", "days", "how_am_i") else "react")


def _robot_life(turn: CoachTurn, draft: Draft) -> None:
    meals = _MEALS.search(turn.message)
    draft.say("robot_wrong" if "틀" in turn.message else "robot_meals" if meals else "robot_life")


def _rest(turn: CoachTurn, draft: Draft) -> None:
    draft.say("rest", waits=draft.worded("rest_waits") if turn.opened else "")


def _fingers(turn: CoachTurn, draft: Draft) -> None:
    """How the open task is counted on fingers, where that is asked and there are enough of them."""
    problem = turn.opened[0] if turn.opened and not turn.adult else None
    far = min(problem.a, problem.b) if problem is not None and problem.op == "+" else problem.b if problem else 0
    if problem is None or problem.op not in "+-" or not 1 < far <= _FINGERS or act_of(turn.message) != "how":
        say_fitting(turn, draft, turn.ask)
        return
    big = max(problem.a, problem.b)
    slots = {"big": big, "small": far, "next": big + 1, "after": big + 2, "before": big - 1, "earlier": big - 2}
    draft.say("fingers_on" if problem.op == "+" else "fingers_back", **slots)


def _telling(turn: CoachTurn, draft: Draft) -> None:
    """Takes up what is told of."""
    say_fitting(turn, draft, "telling" if draft.texts.book.noun(turn.message) else "telling_plain")


def _please(turn: CoachTurn, draft: Draft) -> None:
    hint = next_hint(draft, turn.opened[0]) if turn.opened else None
    say_fitting(turn, draft, "please", hint=hint or "어디서 막혔는지 말해 줄래?")


# --- going on ---------------------------------------------------------------------------------------------------------


def _place_meant(turn: CoachTurn, draft: Draft) -> tuple[int, bool]:
    """Which item of the last list is meant, and whether it was named by its number."""
    items, message = draft.board.get("items", []), turn.message
    if (listed := listed_place(message.strip(), turn.board)) is not None:
        return listed, True
    if _INSTEAD.search(message) and _ORDINAL.search(behind := message.split("말고", 1)[1]):
        message = behind
    found = _ORDINAL.search(message)
    if found is None and re.search(r"다음", message):
        return (draft.board.get("item", 0) + 1 if turn.board.get("ask") == "ordinal" else 0), False
    if _LAST.search(message):
        return len(items) - 1, found is not None
    return (_ORDINALS[found[1] or found[2]] - 1 if found else 0), found is not None


def _ordinal(turn: CoachTurn, draft: Draft) -> None:
    if not turn.adult and (of_sheet := sheet_place(turn.message, draft.board)) is not None:
        draft.board["problem"] = draft.board["sheet"][of_sheet]
        draft.say("exercise", expression=draft.board["problem"])
        return
    items = draft.board.get("items", [])
    place, named = _place_meant(turn, draft)
    if not items or (not named and place >= len(items)):
        _again(turn, draft)
    elif place >= len(items):
        draft.say("steps_missing", count=len(items))
    elif items[place]["what"] == "step":
        step_explained(draft, place)
    elif items[place]["what"] == "way":
        way_again(turn, draft, place)
    elif items[place]["what"] == "word":
        draft.board["concept"], draft.board["aspects"] = items[place]["id"], []
        concept_again(turn, draft)
    elif items[place]["what"] == "try":
        expression, _, given = items[place]["id"].rpartition("=")
        draft.say("why_wrong_child", **explained_answer(draft, expression, int(given)))
        draft.board["expression"], draft.board["given"] = expression, int(given)
    elif turn.facts is not None:
        draft.board["item"] = place
        kind_detail(draft, turn.facts, items[place]["id"])
    else:
        draft.say("unreadable")


_OF_A_KIND: Final = frozenset({
    "recommend", "weak", "strong", "evidence", "ordinal", "study_how", "other", "how_am_i", "give_problem",
    "teach_first",
})  # fmt: skip


def _is_about_kind(turn: CoachTurn) -> bool:
    """Whether a kind of problem was spoken of last."""
    board = turn.board
    return bool(board.get("kind")) and (board.get("ask") in _OF_A_KIND or not board.get("expression"))


def _shown_hint(turn: CoachTurn, draft: Draft) -> None:
    """A hint at what was explained last, and no more of it."""
    problem = exercise_of(draft.board.get("expression"))
    hint = None if problem is None else next_hint(draft, problem)
    if problem is None:
        _again(turn, draft)
    elif hint is None:
        draft.say("shown_hint_end")
    else:
        draft.say("open_hint", expression=problem.expression, hint=hint)


def _why(turn: CoachTurn, draft: Draft) -> None:
    if draft.board.get("concept"):
        concept_again(turn, draft)
    elif turn.adult and turn.board.get("ask") == "why_wrong" and draft.board.get("kind"):
        _of_weakest(turn, draft)
    elif _is_about_kind(turn) and turn.facts is not None:
        kind_detail(draft, turn.facts, draft.board["kind"])
    elif turn.facts is not None and not turn.facts["answered"]:
        draft.say("why_unknown")
    elif not number_explained(turn, draft) and not another_way(draft):
        draft.say("which")


def _again(turn: CoachTurn, draft: Draft) -> None:
    if turn.adult and not any(draft.board.get(one) for one in ("concept", "expression", "story")):
        _of_weakest(turn, draft)
        return
    if turn.board.get("ask") == "story" and (story := draft.board.get("story")) is not None:
        draft.say("story_value", amount=f"{story['value']}{story['counter']}")
    elif draft.board.get("concept"):
        concept_again(turn, draft)
    elif kinds_in(turn.message) and not draft.board.get("expression"):
        draft.say("which")
    elif not another_way(draft):
        kind = draft.board.get("kind")
        if kind and turn.facts is not None:
            kind_detail(draft, turn.facts, kind)
        elif turn.opened and not turn.adult:
            draft.say("which_open", expression=turn.opened[0].expression)
        else:
            draft.say("which")


def _easier(turn: CoachTurn, draft: Draft) -> None:
    if turn.adult and not draft.board.get("concept"):
        _of_weakest(turn, draft)
    elif draft.board.get("concept") or not another_way(draft, picture=draft.board.get("ways", 0) == 0):
        _again(turn, draft)


def _picture(turn: CoachTurn, draft: Draft) -> None:
    concept = "" if draft.board.get("expression") else draft.board.get("concept", "")
    told = exercise_of(draft.board.get("expression"))
    if told is not None and along_line(turn, draft, told):
        return
    shown = exercise_of(draft.texts.basics[concept].picture) if concept in draft.texts.basics else None
    if shown is not None:
        draft.say("concept_picture", expression=shown.expression)
        draft.add(*drawn(shown))
        return
    if not another_way(draft, picture=True):
        _again(turn, draft)


def _shorter(turn: CoachTurn, draft: Draft) -> None:
    """The first sentence of what was said before."""
    sentences = [one for line in turn.told.splitlines() for one in _SENTENCE.split(line) if one.strip()]
    if sentences:
        draft.add(sentences[0].strip())
    else:
        draft.say("nothing_shorter")


def _predict(turn: CoachTurn, draft: Draft) -> None:
    """What the child would write to a problem that is named, by the wrong procedure that it used most in its kind."""
    problem = next(filter(None, map(problem_of, read_expressions(turn.message))), None)
    if problem is None or turn.facts is None:
        draft.say("which")
        return
    own = next((one for one in turn.facts["kinds"] if one["kind"] == kind_of(problem)), None)
    cause = next(iter(own["causes"]), None) if own is not None else None
    given = wrong_answers(problem).get(cause["name"]) if cause else None
    slots: dict[str, object] = {"expression": problem.expression, "right": problem.answer}
    if cause and given is not None and given != problem.answer:
        draft.say("predicted", given=given, title=cause["title"], **slots)
    else:
        right = cause is not None or (own is not None and not wrong_of(own))
        draft.say("predicted_right" if right else "predicted_unknown", **slots)


def _what_said(turn: CoachTurn, draft: Draft) -> None:
    if turn.board.get("ask"):
        _again(turn, draft)
    else:
        draft.say("what_said_first")


def _refuse(_: CoachTurn, draft: Draft) -> None:
    draft.board.pop("offer", None)
    draft.say("refused")


def _others(turn: CoachTurn, draft: Draft) -> None:
    draft.say("others_child")
    if turn.adult and turn.facts is not None and turn.facts["answered"]:
        days = len(days_within(turn.facts, 10))
        draft.say("how_am_i", answered=turn.facts["answered"], right=turn.facts["right"], days=days)


def _robot(turn: CoachTurn, draft: Draft) -> None:
    """Whether the coach is a person: a plain yes or no first, where one of the two was asked."""
    person, machine = _PERSON.search(turn.message), _MACHINE.search(turn.message)
    denied = person and "아니" in turn.message
    draft.say("robot", yes="" if person and machine else "응, " if machine or denied else "아니, ")


def _tell_home(turn: CoachTurn, draft: Draft) -> None:
    """What a child can tell at home of what it did."""
    facts = turn.facts
    if facts is None or not facts["answered"]:
        draft.say("tell_home_new")
    else:
        all_right = facts["answered"] == facts["right"]
        draft.say("tell_home_all" if all_right else "tell_home", answered=facts["answered"], right=facts["right"])


def _untried(turn: CoachTurn, draft: Draft) -> None:
    """The kinds of problems of which there is no answer yet."""
    done = {one["kind"] for one in turn.facts["kinds"]} if turn.facts else set()
    left = [draft.kind(kind, "name") for kind in KINDS if kind not in done]
    if not done:
        draft.say("no_records")
    else:
        draft.say("untried" if left else "untried_none", kinds=", ".join(left))


def _cannot(turn: CoachTurn, draft: Draft) -> None:
    """Comfort; where a task is open that the child cannot do, with one step of it."""
    hint = None
    if turn.opened and not turn.adult and _CANNOT_DO.search(turn.message):
        hint = next_hint(draft, turn.opened[0])
    if hint is not None:
        draft.say("cannot_task", hint=hint)
    elif _STUPID.search(turn.message) and not turn.adult:
        draft.say("not_stupid" if _best_right(turn) else "not_stupid_new", **slots_of(draft, turn.facts))
    else:
        say_fitting(turn, draft, turn.ask)


def _best_right(turn: CoachTurn) -> int:
    """How many answers are right in the kind that goes best."""
    return max((one["right"] for one in turn.facts["kinds"]), default=0) if turn.facts else 0


def _always_wrong(turn: CoachTurn, draft: Draft) -> None:
    """Comforts a child that says it is always wrong, with what it got right."""
    if kinds_in(turn.message) and not turn.opened:
        _hard_kind(turn, draft)
    else:
        none_right = _with_records(turn) and not _best_right(turn)
        say_fitting(turn, draft, "cannot" if none_right else "always_wrong")


def _hard_kind(turn: CoachTurn, draft: Draft) -> None:
    """Comfort for a kind of problem that is felt to be hard, and a small one to begin with."""
    named = kinds_in(turn.message)
    kind = named[-1] if named[0] in ("add", "take") else named[0]
    operation = draft.texts.kinds[kind]["operation"] if kind in ("carry", "borrow") and named[0] != kind else None
    name = operation or draft.kind(kind, "name")
    draft.say("hard_kind", name=name, begin=draft.kind(kind, "begin"))
    draft.board["problem"], draft.board["kind"] = draft.texts.kinds[kind]["begin_with"], kind
    draft.board.pop("expression", None)


def _week_plan(turn: CoachTurn, draft: Draft) -> None:
    """A week of short practice around the kind that is named, else the weakest; the steps up to a kind of three
    digits."""
    named = kinds_in(turn.message)
    kind = (named[-1] if named[0] in ("add", "take") else named[0]) if named else ""
    if kind in ("carry", "borrow") and _ROADMAP.search(turn.message):
        draft.say(f"roadmap_{kind}")
    elif not kind and _state(turn.facts):
        draft.say("week_plan" + _state(turn.facts))
    else:
        weak = kind or weak_kinds(turn.facts)[0]["kind"] if turn.facts else kind
        draft.say("week_plan", name=draft.kind(weak, "name"), trick=draft.kind(weak, "trick"))
        draft.board["kind"] = weak
    draft.board["offer"] = "give_problem"


def _worry(turn: CoachTurn, draft: Draft) -> None:
    """What the records say to a guardian who asks whether it must worry."""
    say_fitting(turn, draft, "worry" if _with_records(turn) else "no_records", **_counts_of(turn.facts))
    _remember_weakest(turn, draft)


def _counts_of(facts: Facts | None) -> dict[str, object]:
    return {} if facts is None else {"whole": facts["answered"], "whole_right": facts["right"]}


TALK_REPLIES: Final[Mapping[str, Callable[[CoachTurn, Draft], None]]] = {
    "slips": _slips, "minutes": _minutes, "forgetting": _forgetting, "times_tables": _times_tables,
    "study_how": _study_how, "missed_many": _missed_many,
    "teach_first": _teach_first, "catch_up": _catch_up, "meeting": _meeting,
    "harder_adult": _harder_adult,
    "nervous": _nervous, "joy": _joy, "rest": _rest, "robot_life": _robot_life, "react": _react, "ordinal": _ordinal,
    "why": _why, "again": _again, "more": _again,
    "easier": _easier, "picture": _picture, "what_said": _what_said, "refuse": _refuse,
    "play_ideas": _of_weakest, "lesson": _of_weakest, "turned_records": _turned_records,
    "robot": _robot, "cannot": _cannot, "others": _others, "telling": _telling, "please": _please,
    "shown_hint": _shown_hint, "shorter": _shorter, "predict": _predict, "always_wrong": _always_wrong,
    "hard_kind": _hard_kind,
    "week_plan": _week_plan, "worry": _worry, "fingers": _fingers, "fingers_more": _fingers,
    "tell_home": _tell_home, "untried": _untried,
}  # fmt: skip
"""Ask → what answers it; an ask of none of the tables has a text of its own name."""

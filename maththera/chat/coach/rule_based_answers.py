"""The coach's answers without a model: what the results say, in the words of `configs/chat/coach.yaml`.

Every number in an answer stands in a result. Which of several wordings is taken depends on the message alone.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, cast

from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.chat.coach.intent_registry import Handling
from maththera.chat.coach.learner_reports import (
    STRONG_FROM,
    Counts,
    SessionActivity,
    SessionCounts,
    UnitReport,
    Weakness,
    strongest,
)
from maththera.chat.coach.message_topics import NO_TOPIC, Topic
from maththera.chat.coach.text_templates import day_of, fill_template, stable_choice
from maththera.chat.state import ToolResult
from maththera.json_types import JsonObject
from maththera.learner_model.concept_graph import unit_id

Say = Callable[..., str]
"""`say(key, **slots)`: one line."""

_UNITS: Final = 6
"""Units that get a line each."""
_CONCEPTS: Final = 2
_SPACES: Final = re.compile(r"\s+")
_TEACHING: Final[frozenset[Handling]] = frozenset({"study_plan", "explanation", "recommendation"})
"""The learner wants to be taught something, or to practise it."""
_DENIED: Final = re.compile(r"안\s|못|없|않|싫|ㅠ|까\?*$|까요")
"""Words that show that a child is not glad, whatever else it writes."""


class RuleBasedAnswers:
    """One method for each way to handle an intent; a declined one does not get here."""

    def __init__(self, known: Knowledge) -> None:
        self._config = known.coach.config
        self._first_unit = known.unit(unit_id(1))
        self._lines_by_handling: dict[Handling, Callable[[Say, str, Findings], Iterator[str]]] = {
            "records": self._records,
            "study_plan": self._study_plan,
            "encouragement": self._encouragement,
            "worked_solution": self._worked_solution,
            "explanation": self._explanation,
            "recommendation": self._recommendation,
        }

    def answer(self, handling: Handling, message: str, results: Sequence[ToolResult], topic: Topic = NO_TOPIC) -> str:
        """The answer, in lines."""
        say = self._line_writer(message)
        found = Findings(results, topic)
        if results and found.all_failed:
            return say("unreadable")
        if (
            not results
            and handling in _TEACHING
            and self._config.reading.beyond.search(_message_with_topic(message, topic))
        ):
            return say("beyond")
        return "\n".join(self._lines_by_handling[handling](say, message, found))

    def hint(self, message: str, results: Sequence[ToolResult], before: str) -> str:
        """The next step of the open task that is not in `before`, the earlier answers. A lesson has its own hints."""
        say = self._line_writer(message)
        found = Findings(results)
        if not results:
            return say("hint_quiz")
        if found.all_failed:
            return say("unreadable")
        one = found.of("get_problem_explanation")[0]
        step = next((step for step in one["steps"] if step not in before), None)
        told = [say("hint_open", prompt=one["prompt"]), step] if step is not None else [say("hint_last")]
        return "\n".join([*told, say("steps_open_task")])

    def hidden_answer_line(self, message: str) -> str:
        """The line in place of words that would give away the answer of an open task."""
        return self._line_writer(message)("steps_open_task")

    def _line_writer(self, message: str) -> Say:
        """A function that words a line by its key; the message decides between variants."""

        def say(key: str, **values: object) -> str:
            return fill_template(stable_choice(self._config.says[key], key, message), **values)

        return say

    # --- records ------------------------------------------------------------------------------------------------------

    def _records(self, say: Say, message: str, found: "Findings") -> Iterator[str]:
        if none := found.message:
            yield none
            yield say("start_here", unit=self._first_unit)
            return
        if found.units or not found.weak_points:
            yield from self._scores(say, message, found)
        if found.weak_points:
            yield from self._weak(say, found.weak_points)

    def _scores(self, say: Say, message: str, found: "Findings") -> Iterator[str]:
        reading, units = self._config.reading, found.units
        last = [say("score_last", day=day_of(one["at"]), **_counts(one)) for one in found.trend[-1:]]
        if lately := reading.lately.search(message):
            yield from last
        families = [family.named for family in reading.families if family.asked.search(message)]
        asked = [unit for unit in units if any(named.search(unit["name"]) for named in families)]
        if families and not asked:
            yield say("score_none")
        yield say("scores_open")
        if found.total and not asked:
            yield say("score_total", **_counts(found.total))
        for unit in (asked or units)[:_UNITS]:
            line = "score_line" if unit["right"] else "score_line_new"
            yield say(line, unit=unit["name"], **_counts(unit))
        if len(asked or units) > _UNITS:
            yield say("more_units", count=len(asked or units) - _UNITS)
        if not lately and not asked:
            yield from last
        if strong := strongest(asked or units):
            yield say("strong_unit", unit=strong["name"])

    def _weak(self, say: Say, units: Sequence[Weakness]) -> Iterator[str]:
        weak = [unit for unit in units if unit["weak_metrics"]]
        if not weak:
            yield say("weak_none" if any(unit["enough"] for unit in units) else "weak_few")
            return
        yield say("weak_open")
        for number, unit in enumerate(weak[:_UNITS], start=1):
            yield say("weak_unit", number=number, unit=unit["name"])
            yield from (say("weak_metric", metric=one["metric"]) for one in unit["weak_metrics"])
            yield from (say("weak_example", **example) for example in unit.get("examples", [])[:1])
            yield from (say("weak_training", training=one["title"]) for one in unit.get("trainings", [])[:1])
        yield say("weak_practice", practice=self._practice(weak[0]))
        yield say("weak_close")

    def _practice(self, unit: Weakness) -> str:
        """What helps with the weakest metric whose reason is known: a cause says more than the accuracy."""
        metrics = unit["weak_metrics"]
        telling = next((one["id"] for one in metrics if one["id"] != "accuracy"), "accuracy")
        return self._config.practice[telling]

    # --- study plan ---------------------------------------------------------------------------------------------------

    def _study_plan(self, say: Say, _: str, found: "Findings") -> Iterator[str]:
        unit = next(iter(found.of("get_unit_curriculum")), None)
        weak = next((one for one in found.weak_points if one["weak_metrics"] and _is_of_unit(one, unit)), None)
        yield say("plan_open" if not found.message else "plan_open_new")
        if weak is not None:
            yield say("plan_where", unit=weak["name"], metric=weak["weak_metrics"][0]["metric"])
            yield say("plan_how", tip=self._practice(weak))
            yield from (say("plan_training", training=one["title"]) for one in weak.get("trainings", [])[:1])
        elif unit is not None:
            yield say("plan_where_unit", unit=unit["unit"], goal=unit["goals"][0])
            yield say("plan_how", tip=unit["tips"][0])
        for problem in found.of("recommend_next_problem")[:1]:
            yield say("plan_next", prompt=problem["prompt"])
        yield say("plan_close")

    # --- encouragement ------------------------------------------------------------------------------------------------

    def _encouragement(self, say: Say, message: str, found: "Findings") -> Iterator[str]:
        glad = self._config.reading.glad.search(message) and not _DENIED.search(message)
        yield say("glad_open" if glad else "cheer_open")
        total = found.total
        if total and total["answered"]:
            yield say("cheer_answered" if total["right"] else "cheer_tried", **_counts(total))
            if strong := strongest(found.units):
                yield say("cheer_strong", unit=strong["name"], **_counts(strong))
        else:
            yield say("cheer_new")
        for last in found.activities[:1]:
            if last["answered"]:
                yield say("cheer_last", answered=last["answered"])
        yield say("glad_close" if glad else "cheer_close")

    # --- worked solution ----------------------------------------------------------------------------------------------

    def _worked_solution(self, say: Say, message: str, found: "Findings") -> Iterator[str]:
        explanations = [one for one in found.of("get_problem_explanation") if "expression" in one]
        if not explanations:
            reading, said = self._config.reading, _message_with_topic(message, found.topic)
            yield say(
                "story" if reading.story.search(said) else "beyond" if reading.beyond.search(said) else "no_problem"
            )
            return
        for one in explanations:
            if beyond := one.get("beyond"):
                yield say(f"outside_{beyond}")
                yield from _numbered(say, one["steps"])
            else:
                yield from self._explained(say, one, again=found.topic.kind not in (None, "solve"))
        if not all(one.get("beyond") for one in explanations):
            yield say("steps_close")

    def _explained(self, say: Say, one: JsonObject, *, again: bool) -> Iterator[str]:
        if one.get("last_missed"):
            yield say("last_answer", prompt=one["prompt"])
        if given := one["given"]:
            yield self._origin(say, given, one["answer"])
        else:
            yield say("steps_again" if again else "steps_open", prompt=one["prompt"])
        yield from _numbered(say, one["steps"])
        if one.get("open_task"):
            yield say("steps_open_task")

    def _origin(self, say: Say, given: JsonObject, answer: int) -> str:
        if given["correct"]:
            return say("given_right", given=given["answer"])
        if not given["procedures"]:
            return say("given_unknown", given=given["answer"], answer=answer)
        title = given["procedures"][0]["title"].partition(" (")[0]
        return say("given_explained", given=given["answer"], answer=answer, procedure=title)

    # --- explanation --------------------------------------------------------------------------------------------------

    def _explanation(self, say: Say, message: str, found: "Findings") -> Iterator[str]:
        units = found.of("get_unit_curriculum")
        if not units:
            yield say("no_unit")
        for unit in units:
            concepts = _concepts_named(unit["concepts"], message) or _concepts_named(
                unit["concepts"], found.topic.question
            )
            if concepts:
                yield from (say("concept_open", says=one["explanation"]) for one in concepts)
            if not concepts or found.topic.kind == "more":
                yield say("unit_open", unit=unit["unit"])
                yield from (say("goal_line", goal=goal) for goal in unit["goals"])
                yield from (say("concept_line", name=one["name"], says=one["explanation"])
                            for one in unit["concepts"][:_CONCEPTS] if one not in concepts)  # fmt: skip
            if found.topic.kind is not None:
                yield from self._example(say, unit["example"])
            elif unit["before"]:
                yield say("unit_before", names="', '".join(unit["before"]))
            yield say("unit_tip", tip=stable_choice(unit["tips"], message))

    def _example(self, say: Say, example: JsonObject) -> Iterator[str]:
        yield say("example_open", prompt=example["prompt"])
        yield from _numbered(say, example["steps"])

    # --- recommendation -----------------------------------------------------------------------------------------------

    def _recommendation(self, say: Say, message: str, found: "Findings") -> Iterator[str]:
        problems = found.of("recommend_next_problem")
        if not problems:
            yield say("unreadable")
            return
        easy = strongest(found.units) if self._config.reading.easy.search(message) else None
        yield say("next_open")
        for problem in problems:
            yield say("next_problem", prompt=problem["prompt"], unit=problem["unit"])
            if len(problems) == 1 or problem["reason"] != "asked":
                goes_well = easy is not None and easy["name"] == problem["unit"]
                yield self._reason(say, problem, goes_well=goes_well)
        means = [one for one in found.units if any(one["name"] == problem["unit"] for problem in problems)]
        lowest = min(means, key=lambda one: one["mean"], default=None)
        if len(problems) > 1 and lowest is not None and lowest["mean"] < STRONG_FROM:
            yield say("next_first", unit=lowest["name"])
        yield say("next_close")

    def _reason(self, say: Say, problem: JsonObject, *, goes_well: bool) -> str:
        training = (problem["training"] or {}).get("title")
        return say("next_easy" if goes_well else f"next_{problem['reason']}", training=training)


class Findings:
    """The results of the tools, each call once, without failed calls. `topic`: what the message refers to."""

    def __init__(self, results: Sequence[ToolResult], topic: Topic = NO_TOPIC) -> None:
        self.topic = topic
        self._results = {f"{one['tool']}{sorted(one['arguments'].items())}": one for one in results if not one["error"]}
        self.all_failed = not self._results

    def of(self, tool: str) -> list[JsonObject]:
        """The results of a tool, in the order of the calls."""
        return [one["result"] for one in self._results.values() if one["tool"] == tool]

    @property
    def message(self) -> str | None:
        """Why there are no records, where there are none."""
        return next((one["result"]["message"] for one in self._results.values() if "message" in one["result"]), None)

    @property
    def units(self) -> list[UnitReport]:
        """The scores by unit."""
        return [unit for one in self.of("get_user_scores") for unit in one["units"].values()]

    @property
    def total(self) -> Counts | None:
        return next((one["total"] for one in self.of("get_user_scores")), None)

    @property
    def trend(self) -> list[SessionCounts]:
        """The last sessions, the oldest first."""
        return [session for one in self.of("get_user_scores") for session in one["trend"]]

    @property
    def activities(self) -> list[SessionActivity]:
        return [session for one in self.of("get_recent_activity") for session in one["activities"]]

    @property
    def weak_points(self) -> list[Weakness]:
        """By unit, the weakest first; a closer look at a unit stands for the look at all."""
        units: dict[str, Weakness] = {}
        for one in self.of("get_weak_points"):
            units |= {unit: cast("Weakness", found) for unit, found in one.items() if isinstance(found, dict)}
        return [*units.values()]


def _message_with_topic(message: str, topic: Topic) -> str:
    """The message, with the question that it refers to."""
    return f"{message} {topic.question}" if topic.kind else message


def _counts(one: Counts | UnitReport) -> dict[str, int]:
    """What the sentences on scores are filled with."""
    return {"answered": one["answered"], "right": one["right"]}


def _numbered(say: Say, steps: Sequence[str]) -> Iterator[str]:
    yield from (say("step_line", number=number, step=step) for number, step in enumerate(steps, start=1))


def _is_of_unit(weak: Weakness, unit: JsonObject | None) -> bool:
    return unit is None or weak["name"] == unit["unit"]


def _concepts_named(concepts: Sequence[JsonObject], message: str) -> list[JsonObject]:
    """The concepts that the message names, by their name or another word for it."""
    said = _SPACES.sub("", message)
    return [one for one in concepts if any(_SPACES.sub("", name) in said for name in (one["name"], *one["also"]))]

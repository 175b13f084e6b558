"""The nodes of the tutoring graph. Each reads the state, calls the rules and returns the keys that its agent owns."""

from dataclasses import replace
from statistics import median
from typing import Any, Final, cast

from maththera.knowledge.knowledge import Knowledge
from maththera.knowledge.skills import Strand
from maththera.llm.model_client import Models
from maththera.tutoring import transitions
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis import error_diagnosis as causes
from maththera.tutoring.diagnosis.answer_observation import observe
from maththera.tutoring.diagnosis.posterior import concluded_causes
from maththera.tutoring.feedback import text_conditions
from maththera.tutoring.feedback.feedback_templates import SAFE_LINES, Context, Feedback, Heard
from maththera.tutoring.moves import answer_counts, loop_moves, session_moves
from maththera.tutoring.moves.answer_evidence import note_evidence
from maththera.tutoring.moves.transition_facts import gather_facts
from maththera.tutoring.number_sense.items import item
from maththera.tutoring.number_sense.screening_profile import NumberSenseProfile, profile
from maththera.tutoring.number_sense.session_items import begin_below_c1, items_before, proper_phase
from maththera.tutoring.placement.session_placement import conclude_what_was_not_asked, no_answers, placed_levels
from maththera.tutoring.practice.session_practice import fresh_practice, task_key, tried_first
from maththera.tutoring.problems.task_builders import TASK_BUILDERS, first_task, put_off_after_misses
from maththera.tutoring.problems.task_presentation import first_step
from maththera.tutoring.problems.worked_examples import begin_example, begins_here, example_task, step_at_hand
from maththera.tutoring.start import complete_start, learned_names
from maththera.tutoring.state import OWNERS, Diagnosis, Phase, Task, TutoringState, given

Update = dict[str, Any]

_ANALYSIS: Final = OWNERS["analysis"]
_NEW_PROBLEM: Final = frozenset({"select", "secure", "simplified", "drill", "sibling", "alone", "widget"})
_LAST_WORDS: Final = frozenset({"closing_tired", "closing_idle"})
"""Situations that end a session whatever its last answer was."""
_PRAISED: Final = frozenset({
    "correct", "correct_slow", "fine_adjustment", "return", "breather_done", "example_right", "example_next",
    "example_done",
})  # fmt: skip
"""Situations in which a right answer is praised, where it is the child's own."""


_ANSWERS: Final = frozenset({"answer_submitted", "timeout"})

_VERSIONS_KEPT: Final = 16
"""How many sets of learned procedures have their nodes at hand."""


class Nodes:
    """The nodes as pure functions from state to update. `models`: the language models that may be asked, or None."""

    def __init__(self, rules: Rules, models: Models | None = None) -> None:
        self.rules = rules
        self.models = models if models is not None and models.available else None
        self._under: dict[tuple[str, ...], Nodes] = {}

    def under(self, state: TutoringState) -> "Nodes":
        """The nodes that know the learned procedures which the session's start names; these ones where it names
        none."""
        names = learned_names(state.get("start") or {})
        if names == self.rules.learned:
            return self
        if names not in self._under:
            if len(self._under) == _VERSIONS_KEPT:
                del self._under[next(iter(self._under))]
            self._under[names] = Nodes(replace(self.rules, learned=names), self.models)
        return self._under[names]

    # --- orchestrator and analysis: the session begins ------------------------------------------------------------

    def begin(self, state: TutoringState) -> Update:
        """The state before the first task, from `start`."""
        start = complete_start(state.get("start") or {}, self.rules)
        draft, placing = cast("TutoringState", {}), start["mode"] == "placement"
        given_skills = tried_first(self.rules.ladder, start["strand"], start["c_position"]) if start["given"] else []
        known = self.rules.session_knowledge.begin(start["knowledge"])
        knowledge = Knowledge.from_snapshot(start["knowledge"], self.rules.knowledge)
        session_moves.set_position(draft, self.rules, start["c_position"], start["w_position"])
        fresh: Update = {
            **draft,
            "start": start,
            "known": {"start": known, "key": known, "evidence": []},
            "move": None,
            "task": None,
            "remaining": start["problem_count"],
            "original_problem": None,
            "scaffold_problem": None,
            "loop_state": None,
            "downscaling": {"active": False, "strategy": None, "visual_aids": [], "level": 0, "fast": 0},
            "probe_state": None,
            "attempts": None,
            "waiting": None,
            "example": None,
            "placement": no_answers() if placing else None,
            "number_sense": items_before(start, knowledge, self.rules),
            "history": [],
            "response_times": [],
            "rt_norms": start["rt_norms"],
            "again": start["again"],
            "practice": fresh_practice(given_skills),
            "strand": start["strand"],
            "unlearnt": [],
            "streak": 0,
            "falls": {},
            "loops": {},
            "loop_done_at": None,
            "evidence": {},
            "posterior": start["suspected"],
            "mistakes": {},
            "stated": [],
            "together": {},
            "taught": {},
            "fluency_noted": [],
            "offered": [],
            "trained": [],
            "sibling_of": None,
            "choices_new": start["choices_new"],
            "counters": dict.fromkeys(
                ("tasks", "answered", "right", "closed", "solved", "right_run", "slow_run", "wrong_run",
                 "trainings_for_attention", "dropped_run", "timeout_run", "white_outs"), 0),
            "ended_because": None,
            "summary": None,
        }  # fmt: skip
        return self._with_phase(cast("TutoringState", fresh))

    def _with_phase(self, draft: TutoringState) -> Update:
        """The state with its first phase: what is to come before the session proper, else that."""
        begin_below_c1(draft, self.rules)
        proper = proper_phase(draft)
        warm_up: Phase = "screening" if draft["start"]["mode"] == "number_sense" else "warm_up"
        draft["current_step"] = warm_up if draft["number_sense"]["queue"] else proper
        return {**draft}

    # --- diagnostic agent -----------------------------------------------------------------------------------------

    def diagnose(self, state: TutoringState) -> Update:
        """F-01 to F-04: the observation of the answer, its cause, and the row that follows."""
        seen = {"observation": observe(state, self.rules), "diagnosis": None}
        observed = cast("TutoringState", {**state, **seen})
        return {**seen, **self.diagnosed(observed, causes.diagnose(observed, self.rules))}

    def probe(self, state: TutoringState) -> Update:
        """F-11: the probe that is to tell the causes apart, or the likeliest cause where none can."""
        return self.diagnosed(state, causes.next_probe(state, self.rules))

    def diagnosed(self, state: TutoringState, diagnosis: Diagnosis | None) -> Update:
        """A diagnosis and the row of the transition table that holds with it. A later diagnosis brings its own row.
        What is looked at once more is not certain before that."""
        row = transitions.match(gather_facts(cast("TutoringState", {**state, "diagnosis": diagnosis}), self.rules))
        if row.looks_again and diagnosis is not None and diagnosis["confidence"] == "high":
            diagnosis = {**diagnosis, "confidence": "medium"}
        return {"diagnosis": diagnosis, "row": row.number}

    # --- analysis agent -------------------------------------------------------------------------------------------

    def adapt(self, state: TutoringState) -> Update:
        """F-06, F-07: the first effects of the turn's row, and what every answer counts for."""
        facts, row, draft = gather_facts(state, self.rules), transitions.ROWS[state["row"]], state.copy()
        draft["move"] = {
            "row": row.number,
            "route": row.route,
            "situation": row.situation,
            "path": [node for node in row.path if node != "adapt"],
            "before": [state["c_position"], state["w_position"]],
            "show": row.show,
            "widened": False,
            "downscaling": row.downscaling,
            "evidence": [],
            "changes": [],
        }
        if row.phase is not None:
            draft["current_step"] = row.phase
        answer_counts.count_answer(draft, facts, self.rules)
        note_evidence(draft, facts, self.rules)
        for effect in row.path.get("adapt", ()):
            effect(draft, facts, self.rules)
        return _changes(state, draft)

    def apply_row(self, node: str, state: TutoringState) -> Update:
        """The row's effects in one node of its path."""
        move = given(state["move"])
        facts, draft = gather_facts(state, self.rules), state.copy()
        for effect in transitions.ROWS[move["row"]].path[node]:
            effect(draft, facts, self.rules)
        return _changes(state, draft)

    def select(self, state: TutoringState) -> Update:
        """F-14, F-15: the next task; none when the session is over, or while an example comes first."""
        if is_over(state, self.rules):
            return {"task": None, "example": None}
        if state["example"] is not None:
            return {"task": None}
        draft = state.copy()
        move = state["move"]
        if move is None:
            draft["task"] = first_task(draft, self.rules)
        else:
            draft["task"] = TASK_BUILDERS[given(move["show"])](draft, self.rules)
            if state["loop_state"] is not None and self._shown_too_often(draft):
                draft = self._loop_failed(state)
            put_off_after_misses(draft, self.rules, history=state["history"])
            if draft["move"] is not None and (strategy := draft["move"]["downscaling"]) is not None:
                draft["downscaling"] = {**draft["downscaling"], "strategy": strategy}
        if (task := draft["task"]) is not None:
            if draft.get("choices_new") and task["choices"] and task["problem_id"] is not None:
                draft["task"], draft["choices_new"] = {**task, "words": self.rules.feedback.choices}, False
            _count_task(draft)
        return _changes(state, draft)

    def worked_example(self, state: TutoringState) -> Update:
        """The open step of an example. Its problem counts as one task, whatever its steps."""
        draft = state.copy()
        if state["current_step"] != "worked_example":
            begin_example(draft)
        draft["task"] = example_task(draft, self.rules)
        if begins_here(given(draft["example"]), self.rules):
            _count_task(draft)
        return _changes(state, draft)

    def _shown_too_often(self, draft: TutoringState) -> bool:
        """Whether the new task is one more showing than a session allows."""
        task = draft["task"]
        if task is None or task["problem_id"] is None:
            return False
        key = task_key(task["kind"], self.rules.bank.problem(task["problem_id"]))
        return draft["practice"]["shown"][key] > self.rules.numbers.limits.same_task

    def _loop_failed(self, state: TutoringState) -> TutoringState:
        """F in place of the row's task: the loop ends, the problem is solved together, and a secure one comes next."""
        draft = state.copy()
        draft["current_step"] = "normal"
        draft["move"] = {**given(draft["move"]), "situation": "move_on", "show": "secure", "downscaling": None}
        loop_moves.fail_loop(draft, gather_facts(state, self.rules), self.rules)
        show = given(given(draft["move"])["show"])
        draft["task"] = TASK_BUILDERS[show](draft, self.rules) if draft["example"] is None else None
        return draft

    def close(self, state: TutoringState) -> Update:
        """Ends the session: an open original is kept for another day, the trainings are put in order, and all is
        summed up."""
        draft = state.copy()
        if state["ended_because"] is None:
            session_moves.keep_open_problem(draft, gather_facts(state, self.rules), self.rules)
            draft["ended_because"] = "remaining" if state["remaining"] <= 0 else "tasks"
        if state["summary"] is None and state["placement"] is None:
            conclude_what_was_not_asked(draft, self.rules)
        draft["current_step"] = "ended"
        draft["task"] = draft["loop_state"] = draft["probe_state"] = draft["waiting"] = draft["example"] = None
        if state["summary"] is None:  # the one training after the end has been done
            draft["offered"] = self._ordered_trainings(draft)
        draft["summary"] = self._summary(draft)
        return _changes(state, draft)

    def _ordered_trainings(self, state: TutoringState) -> list[str]:
        """The trainings offered at the end: those of the session's causes, then of the records' most frequent cause."""
        causes, known = self.rules.catalogue.causes, state["start"]["frequent_cause"]
        first = [tag for tag in (*concluded_causes(state, self.rules), known) if tag in causes]
        trainings = (one for tag in first for one in session_moves.trainings_of(state, self.rules, tag))
        return list(dict.fromkeys([*trainings, *state["offered"]]))

    def _summary(self, state: TutoringState) -> Update:
        counters, start = state["counters"], state["start"]
        catalogue = self.rules.catalogue
        return {
            "answered": counters["answered"],
            "right": counters["right"],
            "closed": counters["closed"],
            "solved": counters.get("solved", 0),
            "median_rt_ms": round(median(state["response_times"])) if state["response_times"] else None,
            "causes": [
                {"cause_tag": tag, "cause_tags": state["together"].get(tag, [tag]), "name": catalogue.causes[tag].name}
                for tag in state["stated"]
            ],
            "trainings": state["offered"],
            "trainings_done": state["trained"],
            "position_before": {"c": start["c_position"], "w": start["w_position"], "strand": start["strand"]},
            "position_after": {"c": state["c_position"], "w": state["w_position"], "strand": state["strand"]},
            "again": [self.rules.bank.problem(entry["problem_id"]).expression for entry in state["again"]],
            "unlearnt": [self.rules.bank.problem(one).expression for one in state["unlearnt"]],
            "ended_because": state["ended_because"],
            "placed": self._placed(state),
            **self._screened(state),
        }

    def _screened(self, state: TutoringState) -> dict[str, NumberSenseProfile]:
        """What a screening that has come to its end found."""
        if state["ended_because"] != "screened":
            return {}
        return {"number_sense": profile((one, answer, ms) for one, answer, ms in state["number_sense"]["answers"])}

    def _placed(self, state: TutoringState) -> dict[Strand, int] | None:
        """Strand → the lowest C that is not yet known, where a placement has come to its end."""
        chances = state["placement"].get("chances") if state["placement"] else None
        knowledge = self.rules.knowledge
        return placed_levels(chances, knowledge.skills, knowledge.numbers.words.expected) if chances else None

    # --- tutor agent ----------------------------------------------------------------------------------------------

    def feedback(self, state: TutoringState) -> Update:
        """F-12, F-13: the lines of a template; empty where no template fits the situation."""
        before = state.get("feedback") or {}
        situation = _situation(state)
        words = self.rules.feedback.compose(
            situation,
            context=self.context(state),
            last_template=before.get("template_id"),
            seed=state["start"]["seed"],
            turn=state["turn"],
        )
        lines = self._answered(state, words) if words else []
        hint, template = (words.hint, words.template_id) if words else (None, None)
        return {"feedback": _feedback_update(state, lines, hint, template, situation)}

    def _answered(self, state: TutoringState, said: Feedback) -> list[str]:
        """The lines of a template; an answer behind which the session goes on is never left without one."""
        event, observation = given(state["event"]), given(state["observation"])
        if state["task"] is None or event["type"] not in _ANSWERS:
            return said.lines
        heard: Heard = "right" if observation["correct"] else "missed"
        if "probe" in (observation["kind"], state["current_step"]):
            heard = "unmarked"
        return self.rules.feedback.answered(said, heard, seed=state["start"]["seed"], turn=state["turn"])

    def safe_feedback(self, state: TutoringState) -> Update:
        """The fixed lines for when there is no template and no model."""
        feedback = given(state["feedback"])
        return {"feedback": {**feedback, "feedback_text": list(SAFE_LINES)}}

    def context(self, state: TutoringState) -> Context:
        """What a template may mention of this turn, and the answers that it must hide."""
        diagnosis, task, counters = state["diagnosis"], state["task"], state["counters"]
        step = given(state["observation"]).get("step")
        context: Context = {
            "closed": counters["closed"],
            "facts": text_conditions.turn_conditions(state, self.rules.bank),
        }
        if step is not None:
            context["step"] = step["expression"]
        if diagnosis is not None and diagnosis["cause_tag"] is not None:
            context |= {"cause_tag": diagnosis["cause_tag"], "domain": diagnosis["cause_domain"]}
        if task is not None and task["problem_id"] is not None:
            problem = self.rules.bank.problem(task["problem_id"])
            context |= {"strategy": problem.strategy_tag, "op": problem.op, "form": problem.form}
            context["first_step"] = first_step(state, problem)
            if problem.form != "result":
                context |= {"known": problem.b, "target": problem.a}
            context["hidden"] = self.open_answers(state)
        elif task is not None and (item_id := task.get("item_id")) is not None:
            context["hidden"] = [item(item_id).answer]
        return context

    def open_problems(self, state: TutoringState) -> list[str]:
        """The ids of unanswered problems: the task's, the interrupted ordinary problem's, and the original's behind a
        probe or loop."""
        task, attempts = state["task"], state["attempts"]
        if task is None:
            return []
        waiting = state["sibling_of"] if state["example"] is not None else None
        ids = (task["problem_id"], attempts["problem_id"] if attempts else None, state["original_problem"], waiting)
        return [*dict.fromkeys(one for one in ids if one is not None)]

    def open_answers(self, state: TutoringState) -> list[int]:
        """The right answers that the child has not given yet: the task's, the open step's, and the original's behind an
        open loop."""
        task, example = state["task"], state["example"]
        ids = {state["original_problem"], task["problem_id"] if task else None} - {None}
        steps = {step_at_hand(example, self.rules).found} if example is not None and task is not None else set()
        return sorted({self.rules.bank.problem(cast("str", one)).answer for one in ids} | steps)


def _situation(state: TutoringState) -> str:
    """The situation that the feedback speaks to: the row's, or how the session's last answer was."""
    situation, observation = given(state["move"])["situation"], given(state["observation"])
    if state["current_step"] != "ended" or situation in _LAST_WORDS:
        return "copied" if situation in _PRAISED and _is_copied(state) else situation
    if observation["correct"]:
        return "closing_right"
    judged = observation["correct"] is False or observation["pattern"] is not None
    return "closing_wrong" if judged else "closing"


def _is_copied(state: TutoringState) -> bool:
    """Whether the equation that the answer completes stood on the screen: in a step shown done, in what was solved
    together just before, or in the words."""
    before = (state["last_turn"] or {}).get("response")
    if before is None or before["task"] is None:
        return False
    shown = [*(before["task"]["presentation"]["steps"] or []), *(before["solution"] or {}).get("steps", [])]
    seen = {step["expression"] for step in shown} | {*before["feedback"]["feedback_text"]}
    seen.add((before["solution"] or {}).get("equation"))
    return before["task"]["prompt"].replace("□", str(given(state["observation"])["answer"])) in seen


def _feedback_update(
    state: TutoringState, lines: list[str], hint: str | None, template_id: str | None, situation: str
) -> dict[str, Any]:
    task: Task | None = state["task"]
    return {
        "situation": situation,
        "feedback_text": lines,
        "hint_text": hint,
        "visual_mode": task["visual_mode"] if task else "none",
        "tone_check_passed": True,
        "template_id": template_id,
    }


def _count_task(draft: TutoringState) -> None:
    draft["counters"] = {**draft["counters"], "tasks": draft["counters"]["tasks"] + 1}


def _changes(before: TutoringState, after: TutoringState) -> Update:
    """The analysis agent's keys that differ between a draft and the state before."""
    return {key: value for key, value in after.items() if value is not before.get(key) and key in _ANALYSIS}


def is_over(state: TutoringState, rules: Rules) -> bool:
    """Whether the session has no next task: it has ended, or its problems or tasks are used up."""
    if state["current_step"] == "ended":
        return True
    example = state["example"]
    if example is not None and state["current_step"] == "worked_example" and not begins_here(example, rules):
        return False
    tasks = state["counters"]["tasks"] - state["number_sense"]["first"]
    if tasks >= rules.numbers.session.tasks_per_problem * state["start"]["problem_count"]:
        return True
    move = state["move"]
    return example is None and move is not None and move["show"] in _NEW_PROBLEM and state["remaining"] <= 0

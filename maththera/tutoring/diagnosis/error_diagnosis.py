"""F-03, F-11: the diagnosis of an answer's cause. Reads the state and writes nothing."""

from collections.abc import Collection, Iterable, Sequence
from math import log
from typing import Final

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.hypotheses import IMPULSE, UNKNOWN, predictions
from maththera.tutoring.diagnosis.posterior import Belief, plausible_pairs, recorded_causes, settled_cause
from maththera.tutoring.diagnosis.probes import Candidate, choose_probe, likeliest, remaining_candidates
from maththera.tutoring.diagnosis.verdict import (
    NO_ANSWER,
    UNSURE,
    cause_diagnosis,
    confidence_in,
    current_belief,
    evidence_text,
    is_doubted,
    no_cause,
    procedure_text,
    right_answer_text,
    undiagnosed_text,
)
from maththera.tutoring.state import Diagnosis, TutoringState, given

NO_RESPONSE: Final = "ATTENTION_L0_DISENGAGED"
FLUENCY: Final = {
    "STR_COUNT_ON": "FLUENCY_L2_COUNT_ON",
    "STR_PART_WHOLE": "FLUENCY_L3_PART_WHOLE",
    "STR_DOUBLE": "FLUENCY_L3_DOUBLE",
    "STR_MAKE10": "FLUENCY_L3_MAKE10",
    "STR_PLACE_VALUE": "FLUENCY_L4_PLACE_VALUE",
    "STR_COMPENSATE": "FLUENCY_L6_COMPENSATE",
    "STR_RETRIEVE": "FLUENCY_L6_RETRIEVE",
}
"""Strategy → the cause of a child who uses it, but slowly."""
STRATEGY_TITLES: Final = {
    "STR_COUNT_ON": "이어 세기",
    "STR_PART_WHOLE": "모으기와 가르기",
    "STR_DOUBLE": "같은 수 더하기",
    "STR_MAKE10": "10 만들기",
    "STR_PLACE_VALUE": "자리에 맞추어 계산하기",
    "STR_COMPENSATE": "가까운 수로 바꾸어 계산하기",
    "STR_RETRIEVE": "구구 떠올리기",
}
"""Strategy → what an adult reads."""

Pairs = list[list[str]]
_UNPARTED: Final = 2
"""Errors that causes explain together before one more states them together."""


# --- diagnose ---------------------------------------------------------------------------------------------------------


def diagnose(state: TutoringState, rules: Rules) -> Diagnosis:
    """The diagnosis by the first use case that matches. A null `cause_tag` with `probe_needed` waits for a probe;
    without it nothing is wrong, or the outcome of the loop's step decides."""
    observation, phase, event = given(state["observation"]), state["current_step"], given(state["event"])
    if phase == "worked_example":
        return {**no_cause(), "reasoning": "풀이를 한 단계씩 함께 봐요. 평가하지 않아요."}
    if observation["pattern"] is None or observation["problem_id"] is None:
        return {**no_cause(), "reasoning": undiagnosed_text(state, rules)}
    if phase == "probe":
        return _after_probe(state, rules)
    if phase == "diagnostic_question":
        return _unknown(state, rules, "진단 질문의 답으로 다음 길을 정해요.")
    if event["type"] == "timeout":
        return _no_response(state, rules)
    if observation["correct"]:
        usual = phase == "normal" and not observation["impulsive"]
        found = _of_right_answer(state, rules) if usual else no_cause()
        return found if found["reasoning"] else {**found, "reasoning": right_answer_text(observation)}
    return _of_wrong_answer(state, rules)


def _of_right_answer(state: TutoringState, rules: Rules) -> Diagnosis:
    """UC1: right, slow, and not by the strategy the problem is meant to train; else the fluency of that strategy."""
    observation = given(state["observation"])
    if observation["pattern"] != "correct_slow":
        return no_cause()
    problem = rules.bank.problem(given(observation["problem_id"]))
    required, seconds = problem.strategy_tag, (observation["rt_ms"] or 0) / 1000
    limit = observation["norm"]["slow_ms"] / 1000
    for tag in observation["behavior_tags"]:
        cause = rules.catalogue.observations[tag].cause(required)
        if cause is not None:
            seen = rules.catalogue.observations[tag].description
            reasoning = (
                f"정답이지만 {seconds:.1f}초 걸렸어요(기준 {limit:.1f}초). 필요한 방법: {STRATEGY_TITLES[required]}. "
                f"관찰: {seen}."
            )
            return cause_diagnosis(rules, cause, "high", "rule", reasoning)
    cause = FLUENCY[required]
    if cause in state["fluency_noted"]:
        return no_cause()
    return cause_diagnosis(
        rules, cause, "medium", "rule", f"정답이지만 {seconds:.1f}초가 걸렸어요(기준 {limit:.1f}초)."
    )


def _of_wrong_answer(state: TutoringState, rules: Rules) -> Diagnosis:
    """UC3, then the malrules: none, one cause, or several."""
    observation = given(state["observation"])
    if observation["impulsive"] and (observation["tap"] or not observation["malrules"]):
        seconds = (observation["rt_ms"] or 0) / 1000
        confidence = confidence_in(rules, IMPULSE, current_belief(state, rules))
        return cause_diagnosis(
            rules, IMPULSE, confidence, "rule", f"{seconds:.1f}초 만에 답했어요. 생각할 틈이 없었어요."
        )
    pairs = [[name, cause.tag] for name in observation["malrules"] for cause in CATALOGUE[name].causes]
    if state["current_step"] != "normal":
        return _inside_loop(state, rules, pairs)
    if not pairs:
        return _unexplained(state, rules)
    attempts = state["attempts"]
    before = {cause for _, cause in (attempts["slip"] or [])} if attempts else set()
    twice = [pair for pair in pairs if pair[1] in before]
    belief = current_belief(state, rules)
    left = _plausible_pairs(state, rules, twice or pairs, belief)
    against = _against_the_others(state, rules, twice or pairs, left, belief)
    lately = _stated_lately(state, rules)
    left = [pair for pair in left if pair[1] in lately] or left
    found = from_pairs(state, rules, left, belief, against=against)
    together = _together_before(state, found["candidates"]) is not None
    if found["probe_needed"] and (together or not _worth_a_probe(state, rules)):
        return _likeliest(state, rules, left, one_here=together)
    return found


def _stated_lately(state: TutoringState, rules: Rules) -> Collection[str]:
    """The causes that were stated in earlier sessions of the last days, with those that nothing told apart from them:
    they need no probe again."""
    today, days, start = rules.session_knowledge.at(state).day, rules.numbers.limits.stated_days, state["start"]
    lately = [tag for tag, day in start["stated"].items() if today - day <= days]
    return {one for tag in lately for one in start["together"].get(tag, (tag,))}


def _together_before(state: TutoringState, tags: Collection[str]) -> str | None:
    """Of causes that an earlier session stated together the one that it named first; None of others."""
    groups = state["start"]["together"].items()
    return next((first for first, own in groups if len(tags) > 1 and {*own} == {*tags}), None)


def _worth_a_probe(state: TutoringState, rules: Rules) -> bool:
    """Not where the skill was asked before, never right, and is not expected to be: there is nothing yet that could be
    disturbed."""
    practice = state["practice"]
    if practice["expected"] >= rules.numbers.limits.probe_from or practice["last"] is None:
        return True
    known = rules.session_knowledge.at(state)[practice["last"]]
    return known.right > 0 or known.tries == 0


def _plausible_pairs(state: TutoringState, rules: Rules, pairs: Pairs, belief: Belief) -> Pairs:
    """The plausible pairs; only those of one cause once two answers have settled on it. Impulse is judged anew each
    time."""
    tag = settled_cause(belief, rules)
    own = [pair for pair in pairs if pair[1] == tag and rules.catalogue.causes[pair[1]].domain != "ATTENTION"]
    return own or plausible_pairs(pairs, belief.posterior, state, rules)


def _against_the_others(state: TutoringState, rules: Rules, pairs: Pairs, left: Pairs, belief: Belief) -> str:
    """What speaks against the causes that explain an answer and were not left, in words; empty where all were."""
    weight = {(name, tag): belief.posterior.get(f"{name}|{tag}", (0.0, 0))[0] for name, tag in pairs}
    kept = {tag for _, tag in left}
    others = [one for one in weight if one[1] not in kept]
    if not others:
        return ""
    least = max(weight[name, tag] for name, tag in left) - log(rules.numbers.evidence.rival)
    if all(weight[one] < least for one in others):
        return " 다른 원인은 앞의 답들과 맞지 않아요."
    return " 전에 거듭 보인 원인이에요." if kept <= {*recorded_causes(state)} else " 답들은 이 원인을 더 가리켜요."


def _unexplained(state: TutoringState, rules: Rules) -> Diagnosis:
    """The diagnosis of an answer that no malrule gives: the session's settled cause, else unknown."""
    belief = current_belief(state, rules)
    tag, problem = settled_cause(belief, rules), rules.bank.problem(given(given(state["observation"])["problem_id"]))
    if tag is not None and belief.best[tag] in predictions(problem, None, rules.held_out, rules.learned):
        reasoning = f"이 답은 설명되지 않아, 거듭 보인 원인을 따라요.{evidence_text(belief, tag)}"
        return cause_diagnosis(rules, tag, "low", "default", reasoning)
    often = " 그런 답이 거듭돼요." if belief.explained.get(UNKNOWN, 0) > 1 else ""
    return _unknown(state, rules, f"어떤 오류 절차로도 설명되지 않는 답이에요.{often}")


def from_pairs(state: TutoringState, rules: Rules, pairs: Pairs, belief: Belief, *, against: str = "") -> Diagnosis:
    """One cause is the diagnosis; several wait for a probe. `against`: what speaks against other pairs that explain the
    answer too."""
    tags = list(dict.fromkeys(cause for _, cause in pairs))
    if len(tags) > 1:
        titles = ", ".join(dict.fromkeys(CATALOGUE[name].title for name, _ in pairs))
        return {**no_cause(), "candidates": tags, "probe_needed": True, "pairs": pairs,
                "reasoning": f"답 하나로는 가를 수 없어요: {titles}. 확인 문제로 가려요."}  # fmt: skip
    if is_doubted(belief, tags[0], rules):
        reasoning = f"{procedure_text(state, rules, pairs)} 하지만 다른 답들은 그렇지 않아, 이 원인으로 보지 않아요."
        return {**_unknown(state, rules, reasoning), "pairs": pairs}
    confidence = confidence_in(rules, tags[0], belief)
    reasoning = procedure_text(state, rules, pairs)
    return {
        **cause_diagnosis(rules, tags[0], confidence, "rule", reasoning + against + evidence_text(belief, tags[0])),
        "pairs": pairs,
    }


def _inside_loop(state: TutoringState, rules: Rules, pairs: Pairs) -> Diagnosis:
    """A wrong answer inside a loop: its causes are noted, but the outcome of the step decides."""
    belief = current_belief(state, rules)
    pairs = _plausible_pairs(state, rules, pairs, belief)
    tags = list(dict.fromkeys(cause for _, cause in pairs))
    if not tags:
        return {**no_cause(), "reasoning": "어떤 오류 절차로도 설명되지 않는 답이에요."}
    if len(tags) == 1 and not is_doubted(belief, tags[0], rules):
        reasoning = procedure_text(state, rules, pairs) + evidence_text(belief, tags[0])
        confidence = confidence_in(rules, tags[0], belief)
        return {**cause_diagnosis(rules, tags[0], confidence, "rule", reasoning), "pairs": pairs}
    return {**no_cause(), "candidates": tags, "pairs": pairs, "reasoning": procedure_text(state, rules, pairs)}


def _no_response(state: TutoringState, rules: Rules) -> Diagnosis:
    attempts = state["attempts"]
    if given(state["event"]).get("said"):
        return {**no_cause(), "reasoning": UNSURE}
    if state["current_step"] == "normal" and attempts and attempts["timeouts"]:
        found = cause_diagnosis(rules, NO_RESPONSE, "low", "default", "같은 문제에 두 번 답이 없었어요.")
        return {**found, "training_ids": []}
    return {**no_cause(), "reasoning": NO_ANSWER}


def _unknown(state: TutoringState, rules: Rules, reasoning: str) -> Diagnosis:
    """The diagnosis of an unexplained answer. The learner's most frequent cause comes first among the candidates, but
    is not evidence."""
    frequent = frequent_cause(state)
    found = cause_diagnosis(rules, UNKNOWN, "low", "default", reasoning)
    return {**found, "candidates": [frequent] if frequent else [], "training_ids": []}


def frequent_cause(state: TutoringState) -> str | None:
    """The cause seen most often in this session, else in the learner's records."""
    evidence = state["evidence"]
    if evidence:
        return max(evidence, key=evidence.__getitem__)
    frequent: str | None = state["start"]["frequent_cause"]
    return frequent


# --- probe ------------------------------------------------------------------------------------------------------------


def _after_probe(state: TutoringState, rules: Rules) -> Diagnosis:
    """Case A, Case B: the diagnosis after a probe; its answer keeps the causes that predicted it."""
    observation, waiting, attempts = given(state["observation"]), given(state["probe_state"]), state["attempts"]
    candidates = _candidates(waiting["candidates"])
    if observation["answer"] is None:
        refocused = attempts is not None and attempts["attention"] > 0
        if refocused or given(state["event"]).get("said"):
            return _likeliest(state, rules, waiting["candidates"])
        return {**no_cause(), "reasoning": "확인 문제에 답이 없었어요."}
    probe = rules.bank.problem(waiting["probe_problem"])
    judged = remaining_candidates(probe, waiting["removed_variable"], candidates, observation["answer"])
    belief = current_belief(state, rules)
    likely = plausible_pairs(waiting["candidates"], belief.posterior, state, rules)
    # An answer that none of the other answers led to expect may be a guess or a slip: then the others decide.
    pairs = [pair for one in judged if (pair := [one.malrule, one.tag]) in likely] or likely
    tags = list(dict.fromkeys(tag for _, tag in pairs))
    if len(tags) > 1:
        undecided = len(waiting["asked"]) < rules.numbers.limits.probes
        if not undecided:
            return _likeliest(state, rules, pairs)
        return {**no_cause(), "candidates": tags, "probe_needed": True, "pairs": pairs, "source": "probe",
                "reasoning": "확인 문제 하나로 가려지지 않아 한 번 더 확인해요."}  # fmt: skip
    case = "A: 그러니 맞혔어요" if observation["correct"] else "B: 그래도 틀렸어요"
    reasoning = f"확인 문제 {probe.expression}에서 {_WITHOUT[waiting['removed_variable']]}. Case {case}."
    if is_doubted(belief, tags[0], rules):
        return _unknown(state, rules, f"{reasoning} 하지만 남은 원인도 다른 답들과 맞지 않아요.")
    confidence = confidence_in(rules, tags[0], belief, probed=True)
    return {
        **cause_diagnosis(rules, tags[0], confidence, "probe", reasoning + evidence_text(belief, tags[0])),
        "pairs": pairs,
    }


_WITHOUT: Final = {
    "carry": "받아올림을 뺐어요",
    "borrow": "받아내림을 뺐어요",
    "zero": "0을 뺐어요",
    "length": "자릿수의 차이를 뺐어요",
    "digits": "일의 자리만 남겼어요",
    "size": "큰 수를 뺐어요",
    "layout": "세로로 자리를 맞춰 놓았어요",
    "operation": "기호를 크게 보여 주었어요",
    "sibling": "수만 바꾸었어요",
}
"""Variable → what a probe did with it, in Korean."""


def _candidates(pairs: Iterable[Sequence[str]]) -> list[Candidate]:
    return [Candidate(tag=tag, malrule=name) for name, tag in pairs]


def next_probe(state: TutoringState, rules: Rules) -> Diagnosis:
    """F-11: the next probe for the candidates; if none separates them, the likeliest is the diagnosis."""
    diagnosis, task, waiting = given(state["diagnosis"]), given(state["task"]), state["probe_state"]
    original_id = given(waiting["original_problem"] if waiting else task["problem_id"])
    original = rules.bank.problem(original_id)
    candidates = _candidates(diagnosis["pairs"])
    asked = frozenset(waiting["asked"]) if waiting else frozenset()
    seed = int(state["start"]["seed"])
    likelihoods = current_belief(state, rules).probability
    drawn = state["start"].get("capabilities", {}).get("presentation", True)
    probe = choose_probe(
        original, candidates, asked=asked, bank=rules.bank, seed=seed, likelihoods=likelihoods, drawn=drawn
    )
    if probe is None:
        return _likeliest(state, rules, diagnosis["pairs"], one_here=not asked)
    return {
        **diagnosis,
        "probe": {
            "problem_id": probe.problem.problem_id,
            "removed_variable": probe.removed_variable,
            "predictions": [[one.tag, answer] for one, answer in zip(candidates, probe.predictions, strict=True)],
        },
    }


def _likeliest(state: TutoringState, rules: Rules, pairs: Pairs, *, one_here: bool = False) -> Diagnosis:
    """The diagnosis of candidates that stay undecided: the one seen most often, else the one with most malrules;
    confidence low. Past the threshold together, they are stated as one: at the second error where no problem of this C
    tells them apart (`one_here`), else at the third."""
    tags = list(dict.fromkeys(cause for _, cause in pairs))
    seen = max(tags, key=lambda tag: state["evidence"].get(tag, 0))
    tag = seen if seen in state["evidence"] else likeliest(_candidates(pairs)).tag
    tag = _together_before(state, tags) or tag
    belief = current_belief(state, rules)
    together = sum(belief.of(one) for one in tags)
    enough = belief.explained.get(tag, 0) > (1 if one_here else _UNPARTED)
    if together >= rules.numbers.evidence.state_at and enough and belief.holds(tag, rules.numbers.evidence):
        reasoning = f"가려지지 않는 원인들이라 하나로 봐요. 합한 가능성 {together:.0%}."
        found = cause_diagnosis(rules, tag, "high", "default", reasoning)
        found["cause_tags"] = [tag, *(one for one in tags if one != tag)]
    elif is_doubted(belief, tag, rules):
        found = _unknown(state, rules, "가려지지 않았고, 어느 원인도 다른 답들과 맞지 않아요.")
    else:
        reasoning = f"가려지지 않아 가장 그럴듯한 원인을 따라요.{evidence_text(belief, tag)}"
        found = cause_diagnosis(rules, tag, "low", "default", reasoning)
    return {**found, "candidates": tags, "pairs": pairs}


# --- the model's answer -----------------------------------------------------------------------------------------------


def from_model(state: TutoringState, rules: Rules, tags: Sequence[str], *, probe: bool, reasoning: str) -> Diagnosis:
    """F-03's fallback, the model's causes. Two causes, or a recommended probe, lead to a probe if one can be made; else
    the first cause is the diagnosis, confidence low."""
    task = given(state["task"])
    problem = rules.bank.problem(given(task["problem_id"]))
    primary = {**cause_diagnosis(rules, tags[0], "low", "llm", reasoning), "candidates": list(tags)}
    pairs = [[name, tag] for tag in tags if (name := _malrule_of(problem, tag)) is not None]
    if (probe or len(tags) > 1) and len(pairs) > 1:
        return {**no_cause(), "candidates": list(tags), "probe_needed": True, "pairs": pairs, "source": "llm",
                "reasoning": reasoning}  # fmt: skip
    return primary  # type: ignore[return-value]


def _malrule_of(problem: Problem, tag: str) -> str | None:
    """A malrule that would show this cause on this problem, so that a probe can predict from it."""
    for name, rule in CATALOGUE.items():
        if rule.suits(problem) and any(cause.tag == tag for cause in rule.causes):
            return name
    return None


def diagnosis_of_cause(rules: Rules, tag: str) -> Diagnosis:
    """The diagnosis of a cause given from outside."""
    return cause_diagnosis(rules, tag, "high", "default", "원인을 미리 알려 주었어요.")

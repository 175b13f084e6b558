"""Expressions agree with Python where both have a word, and nothing an author writes breaks the checker."""

import contextlib
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from maththera.flows.checker.flow_checker import load
from maththera.flows.language.expression_evaluation import Evaluation, EvaluationError
from maththera.flows.language.expression_syntax import Findings
from maththera.flows.language.expressions import parse
from maththera.flows.language.faults import FlowError
from maththera.flows.language.schema_types import ANYTHING

NOW = datetime(2026, 3, 2, tzinfo=UTC)


class Names:
    def root(self, _):
        return ANYTHING

    def uncertain(self, _):
        return None

    def known(self):
        return ["a", "b"]


def value(source, **data):
    findings = Findings()
    expression = parse(source, Names(), findings)
    assert expression is not None, findings.faults
    return expression.value(Evaluation(data, NOW))


numbers = st.integers(-1_000, 1_000)
operators = st.sampled_from(["+", "-", "*", "<", "<=", "==", "!=", ">", ">=", "and", "or"])


@given(
    st.recursive(numbers.map(str), lambda inner: st.tuples(inner, operators, inner).map(lambda t: f"({' '.join(t)})"))
)
def test_arithmetic_and_comparisons_are_those_of_python(source):
    findings = Findings()
    expression = parse(source, Names(), findings)
    if expression is None:  # comparing a truth value with a number, which Python would let pass
        assert all(
            "has no order" in why
            or "needs numbers" in why
            or "cannot join" in why
            or "never true" in why
            or "too long" in why
            for why in (str(message) for _, message in findings.faults)
        )
        return
    expected = eval(source)  # noqa: S307 - made of numbers and operators here
    with contextlib.suppress(EvaluationError):  # truth values are no numbers
        assert expression.value(Evaluation({}, NOW)) == expected


json = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)


@given(json, st.sampled_from(["$a.b", "$a[0]", "$a.b[2].c", "$a['b'].c", "$a[-1][0]", "$a.b.c.a"]))
def test_a_path_gives_what_is_there_or_null_or_says_why_not(data, path):
    with contextlib.suppress(EvaluationError):
        found = value(path, a=data)
        assert found is None or str(found) in str(data)


@given(json, json)
def test_a_default_stands_in_for_null_alone(one, other):
    assert value("$a ?? $b", a=one, b=other) == (other if one is None else one)


@given(st.text(alphabet="$ab.[]()0123456789+-*/%<>=!?&|'\" andornotifelse_,{}:\\가\n", max_size=60))
def test_no_text_breaks_the_parser(source):
    findings = Findings()
    expression = parse(source, Names(), findings)

    assert (expression is None) == bool(findings.faults)
    assert all(0 <= offset <= len(source) and message for offset, message in findings.faults)
    if expression is not None:
        with contextlib.suppress(EvaluationError):
            expression.value(Evaluation({"a": {"b": [1, 2]}, "b": "text"}, NOW))


@given(st.text(alphabet="flow: name steps\n -id{}[]$'\"#&*!|>%@a1가", max_size=200))
def test_no_text_breaks_the_reader(text):
    with contextlib.suppress(FlowError):
        load(text, catalogue={})


@given(
    st.recursive(
        st.none() | st.booleans() | numbers | st.sampled_from(["a", "$a", "python", "s"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "id",
                        "action",
                        "code",
                        "steps",
                        "items",
                        "mcp_call",
                        "server",
                        "tool",
                        "params",
                        "on_error",
                        "goto",
                        "route",
                        "to",
                        "when",
                        "depends_on",
                        "condition",
                        "retry",
                        "tasks",
                        "form",
                        "question",
                        "name",
                    ]
                ),
                inner,
                max_size=6,
            )
        ),
        max_leaves=20,
    )
)
def test_no_step_breaks_the_checker(step):
    import yaml

    text = yaml.safe_dump({"flow": {"name": "x", "steps": [step, {"id": "z", "action": "python", "code": "return 1"}]}})
    with contextlib.suppress(FlowError):
        load(text, catalogue={})

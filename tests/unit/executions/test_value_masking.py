"""Values as people see them: secrets masked, long ones cut."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.executions.value_masking import MASK, MaskingRules, ValueMasker, load_masking_rules
from maththera.settings import Settings, home

SHOWN = ValueMasker(load_masking_rules(home()), {"s3cret-key", "abc"})

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@pytest.mark.parametrize(
    "name",
    ["token", "api_token", "accessToken", "X-API-Key", "apiKey", "Authorization", "userPassword", "client_secret",
     "비밀번호", "set-cookie", "private_key", "API_KEY"],
)  # fmt: skip
def test_values_under_such_names_are_masked(name: str) -> None:
    assert SHOWN.value([{"a": {name: "x"}}]) == [{"a": {name: MASK}}]
    assert SHOWN.value({name: 1234}) == {name: MASK}


@pytest.mark.parametrize("name", ["tokenize", "secretary", "key", "word", "keyboard", "author", "passage", "암호문"])
def test_values_under_other_names_are_not(name: str) -> None:
    assert SHOWN.value({name: "x"}) == {name: "x"}


def test_a_count_of_tokens_is_no_secret() -> None:
    assert SHOWN.value({"input_tokens": 120, "tokens": ["t"]}) == {"input_tokens": 120, "tokens": MASK}


def test_configured_secrets_are_masked_wherever_they_stand() -> None:
    assert SHOWN.value({"url": "redis://:s3cret-key@h"}) == {"url": f"redis://:{MASK}@h"}
    assert SHOWN.value("abc") == "abc", "too short to be told from a word"
    event = SHOWN.event({"type": "step_failed", "message": "401 for s3cret-key", "step": "a"})
    assert event == {"type": "step_failed", "message": f"401 for {MASK}", "step": "a"}


def test_the_secrets_among_a_runs_inputs_are_masked_wherever_they_stand() -> None:
    shown = SHOWN.with_secret_inputs(
        {"login": {"api_token": "hush-hush"}, "passwords": ["deep-deep"], "word": "plain-word"}
    )
    final = {"type": "final", "status": "failed", "result": {"token": "x", "hush-hush": ["deep-deep", "plain-word"]}}
    told = {"error": {"step": "a", "message": "401: hush-hush"}, "closing": "hush-hush와 plain-word"}
    assert shown.event(final | told) == {
        "type": "final",
        "status": "failed",
        "result": {"token": "x", MASK: [MASK, "plain-word"]},
        "error": {"step": "a", "message": f"401: {MASK}"},
        "closing": f"{MASK}와 plain-word",
    }


def test_secrets_are_those_of_the_settings() -> None:
    settings = Settings(admin_token="admin-1", llm_api_key="llm-1", redis_url="redis://:redis-1@h/0")
    assert settings.secrets() == {"admin-1", "llm-1", "redis-1"}


@given(JSON)
def test_what_is_shown_is_never_longer_than_it_may_be(value: Any) -> None:
    rules = MaskingRules(longest_value=64, most_steps=1, secret_names=["token"])
    shown = ValueMasker(rules).value(value)
    cut = isinstance(shown, dict) and set(shown) == {"$cut", "bytes"}
    assert len(shown["$cut"].encode() if cut else orjson.dumps(shown)) <= 64 or shown == value


def test_a_secret_behind_the_cut_does_not_show_in_it() -> None:
    assert "s3cret" not in str(SHOWN.value({"long": "x" * 4080 + "s3cret-key" + "y" * 4000}))

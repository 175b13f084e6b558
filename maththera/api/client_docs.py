"""What the documentation says of the operations for chat clients of other makers."""

from typing import Any, Final

from maththera.api import client_answers as answers
from maththera.api.ag_ui_bodies import RunAgentInput
from maththera.api.flow_docs import operation, takes
from maththera.api.openai_bodies import ChatCompletionBody
from maththera.api.openapi import answered, body, reference

_QUESTION: Final = "내 약점 보여줘"
_THREAD: Final = "0d9a4f4e-2a6c-4c0f-8e3b-7a5d1c2e9f60"
_NAMES: Final = f'"threadId":"{_THREAD}","runId":"run-1"'


def _stream(description: str, *events: str) -> dict[int | str, Any]:
    example = "".join(f"data: {event}\n\n" for event in events)
    content = {"text/event-stream": {"schema": {"type": "string"}, "example": example}}
    return {200: {"description": description, "content": content}}


def _errors(*cases: tuple[int, str, str, str]) -> dict[int | str, Any]:
    found: dict[int | str, Any] = {}
    for status, kind, code, message in cases:
        error = {"message": message, "type": kind, "param": None, "code": code}
        found |= answered(status, answers.ClientErrors, {"error": error}, message)
    return found


AG_UI: Final = operation(
    _stream(
        "The events of the run; X-Run-Id and X-Thread-Id are its names in the rest of this interface.",
        f'{{"type":"RUN_STARTED",{_NAMES},"protocolVersion":"1.0.0"}}',
        '{"type":"CUSTOM","name":"intent_detected","value":{"intent_type":"A","intent_name":"데이터 조회형"}}',
        '{"type":"STEP_STARTED","stepName":"질문을 분석하고 필요한 데이터를 판단 중..."}',
        '{"type":"TOOL_CALL_START","toolCallId":"8c1f-call-1","toolCallName":"get_weak_points"}',
        '{"type":"TOOL_CALL_ARGS","toolCallId":"8c1f-call-1","delta":"{}"}',
        '{"type":"TOOL_CALL_END","toolCallId":"8c1f-call-1"}',
        '{"type":"TOOL_CALL_RESULT","messageId":"8c1f-call-1-result","toolCallId":"8c1f-call-1","role":"tool",'
        '"content":"{}"}',
        '{"type":"STEP_FINISHED","stepName":"질문을 분석하고 필요한 데이터를 판단 중..."}',
        '{"type":"TEXT_MESSAGE_START","messageId":"8c1f-answer","role":"assistant"}',
        '{"type":"TEXT_MESSAGE_CONTENT","messageId":"8c1f-answer","delta":"받아올림이 "}',
        '{"type":"TEXT_MESSAGE_END","messageId":"8c1f-answer"}',
        f'{{"type":"RUN_FINISHED",{_NAMES}}}',
    ),
    "not_found",
    "thread_busy",
    takes=takes(
        RunAgentInput,
        A_question={
            "threadId": _THREAD,
            "runId": "run-1",
            "messages": [{"id": "m1", "role": "user", "content": _QUESTION}],
            "tools": [],
            "context": [],
            "state": {},
            "forwardedProps": {"student_id": "s1"},
        },
    ),
)

_MODEL: Final = {"id": "maththera-coach", "object": "model", "created": 1795305600, "owned_by": "maththera"}
_HEAD: Final = {"id": "chatcmpl-8c1f5d0f", "created": 1795306417, "model": "maththera-coach"}
_USAGE: Final = {"prompt_tokens": 9, "completion_tokens": 41, "total_tokens": 50}
_NO_KEY: Final = (401, "invalid_request_error", "invalid_api_key", "The token is not known here.")
_BODY: Final = (
    (408, "invalid_request_error", "body_too_slow", "It was not there after 10 s."),
    (413, "invalid_request_error", "body_too_large", "At most 1048576 bytes."),
    (415, "invalid_request_error", "unsupported_media_type", "The content type is missing."),
)
_NO_MODEL: Final = (404, "invalid_request_error", "model_not_found", "The model `gpt-4` does not exist.")

COMPLETION: Final[dict[str, Any]] = {
    "responses": answered(
        200,
        answers.ChatCompletion,
        {
            "object": "chat.completion",
            **_HEAD,
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": "받아올림이 …", "refusal": None},
                    "logprobs": None,
                    "finish_reason": "stop",
                }
            ],
            "usage": _USAGE,
        },
        "The answer, or with `stream` its chunks and `[DONE]`",
    )
    | _errors(
        (400, "invalid_request_error", "invalid_input", "body.messages: must end with what the user says"),
        _NO_KEY,
        (403, "invalid_request_error", "forbidden", "assistant is not for the role student"),
        _NO_MODEL,
        (409, "invalid_request_error", "thread_busy", "`run_id` is the turn under way."),
        *_BODY,
        (500, "server_error", "internal", "The request id finds it in the log."),
        (503, "server_error", "store_unavailable", "Nothing was changed. Try again."),
    ),
    "openapi_extra": body(
        reference(ChatCompletionBody),
        {
            "The coach": {
                "model": "maththera-coach",
                "messages": [{"role": "user", "content": _QUESTION}],
                "user": "s1",
                "stream": True,
            },
            "The assistant": {
                "model": "maththera-assistant",
                "messages": [{"role": "user", "content": "자릿값이 뭐야?"}],
                "metadata": {"difficulty": "hard"},
            },
        },
    ),
}
COMPLETION["responses"][200]["content"] |= _stream(
    "",
    '{"object":"chat.completion.chunk","id":"chatcmpl-8c1f5d0f","created":1795306417,"model":"maththera-coach",'
    '"choices":[{"index":0,"delta":{"content":"받아올림이 "},"logprobs":null,"finish_reason":null}]}',
    "[DONE]",
)[200]["content"]
MODELS: Final[dict[str, Any]] = {
    "responses": answered(200, answers.ChatModels, {"object": "list", "data": [_MODEL]}, "Those of this token's role")
    | _errors(_NO_KEY)
}
MODEL: Final[dict[str, Any]] = {
    "responses": answered(200, answers.ChatModel, _MODEL, "The model") | _errors(_NO_KEY, _NO_MODEL)
}

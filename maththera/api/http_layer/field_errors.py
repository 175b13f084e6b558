"""What pydantic finds in a field, in Korean for the people who filled it in. What they wrote is not repeated."""

from collections.abc import Mapping
from typing import Any, Final

from maththera.flows.language.messages import Message

OTHERWISE: Final = "다시 확인해 주세요"
_WHOLE_NUMBER: Final = "정수로 적어 주세요"
_NUMBER: Final = "수로 적어 주세요"
_YES_OR_NO: Final = "예나 아니요로 골라 주세요"
_DAY: Final = "날짜를 2026-03-02처럼 적어 주세요"
_MOMENT: Final = "날짜와 시각을 2026-03-02T09:00:00+09:00처럼 적어 주세요"
_FIELDS: Final = "이름과 값으로 적어 주세요"
_LISTED: Final = "정해진 것 가운데 하나를 골라 주세요"
FIELD_ERRORS: Final[Mapping[str, str]] = {
    "missing": "빠졌어요",
    "extra_forbidden": "여기에는 없는 항목이에요",
    "string_type": "글로 적어 주세요",
    "int_type": _WHOLE_NUMBER,
    "int_parsing": _WHOLE_NUMBER,
    "int_from_float": _WHOLE_NUMBER,
    "int_parsing_size": "너무 큰 수예요",
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "bool_type": _YES_OR_NO,
    "bool_parsing": _YES_OR_NO,
    "list_type": "목록으로 적어 주세요",
    "dict_type": _FIELDS,
    "model_type": _FIELDS,
    "model_attributes_type": _FIELDS,
    "date_type": _DAY,
    "date_parsing": _DAY,
    "date_from_datetime_parsing": _DAY,
    "date_from_datetime_inexact": _DAY,
    "datetime_type": _MOMENT,
    "datetime_parsing": _MOMENT,
    "datetime_from_date_parsing": _MOMENT,
    "timezone_aware": _MOMENT,
    "literal_error": _LISTED,
    "enum": _LISTED,
    "string_too_short": "{min_length}자 이상 적어 주세요",
    "string_too_long": "{max_length}자까지 적을 수 있어요",
    "string_pattern_mismatch": "꼴이 맞지 않아요. 다시 확인해 주세요",
    "greater_than_equal": "{ge} 이상이어야 해요",
    "greater_than": "{gt}보다 커야 해요",
    "less_than_equal": "{le} 이하여야 해요",
    "less_than": "{lt}보다 작아야 해요",
    "too_short": "적어도 {min_length}개가 있어야 해요",
    "too_long": "{max_length}개까지 쓸 수 있어요",
}
"""The kind of an error → its text, with slots for what pydantic tells with it."""


NICKNAME: Final = r"^[A-Za-z0-9가-힣 ]+$"
CLASS_NAME: Final = r"^[ -~가-힣ㄱ-ㅣ·‧~–—‘’“”「」『』…]+$"
"""What the font of printed cards has."""
_WRITTEN: Final[Mapping[str, Message]] = {
    NICKNAME: Message("may have Korean and Latin letters, digits and blanks", "한글, 영어, 숫자와 빈칸만 쓸 수 있어요"),
    CLASS_NAME: Message(
        "may have Korean and Latin letters, digits and marks, which can be printed",
        "인쇄할 수 있는 한글, 영어, 숫자와 문장 부호만 쓸 수 있어요",
    ),
}
"""The pattern of a field that people fill in → what it allows."""


def field_error(kind: str, message: str, context: Mapping[str, Any]) -> Message:
    """One error of pydantic, whose own `message` is English."""
    allowed = _WRITTEN.get(context.get("pattern", ""))
    return allowed or Message(message, field_error_korean(kind, context))


def field_error_korean(kind: str, context: Mapping[str, Any]) -> str:
    """The Korean of one error of pydantic."""
    return FIELD_ERRORS.get(kind, OTHERWISE).format(**context)

"""Everything that is said of a flow's text, in English and in Korean: `UNKNOWN_SERVER(name="x", near=…)`.

A slot of a Korean text may name a particle (`{name:이가}`, `{name:라는}`); a `'` before it puts the word in quotes:
`{name:'이가}`.
"""

from dataclasses import dataclass
from typing import Final, Self, cast

from maththera.korean.particles import Particle, with_particle


@dataclass(frozen=True, slots=True, order=True)
class Message:
    """What is said once, in both languages. As a text it is the English one, which terminals and logs show."""

    english: str
    korean: str

    @classmethod
    def same(cls, text: object) -> Self:
        """A name, a number or a piece of the author's text, which is the same in both."""
        return cls(str(text), str(text))

    def __str__(self) -> str:
        return self.english


class _Slot:
    def __init__(self, value: object) -> None:
        self._text = value.korean if isinstance(value, Message) else str(value)

    def __format__(self, spec: str) -> str:
        word, particle = f"'{self._text}'" if spec.startswith("'") else self._text, spec.removeprefix("'")
        return with_particle(word, cast("Particle", particle)) if particle else word


@dataclass(frozen=True, slots=True)
class Text:
    """A message with slots."""

    english: str
    korean: str

    def __call__(self, **slots: object) -> Message:
        """A slot may be a message itself."""
        korean = self.korean.format(**{name: _Slot(value) for name, value in slots.items()})
        return Message(self.english.format(**slots), korean)


def joined(messages: list[Message]) -> Message:
    """The alternatives of a list."""
    return Message(" or ".join(each.english for each in messages), " 또는 ".join(each.korean for each in messages))


# --- what may be meant ------------------------------------------------------------------------------------------------

NOTHING_NEAR: Final = Message("", "")
DID_YOU_MEAN: Final = Text("; did you mean '{name}'?", ". 혹시 '{name}'인가요?")
THERE_IS: Final = Text("; there is {names}", ". 있는 이름: {names}")
AND_MORE: Final = Text("{names} and {more} more", "{names} 밖에 {more}가지")
NEAR_AND: Final = Text("{near}{more}", "{near}{more}")
ELSEWHERE: Final = Text("; '{server}' has it", ". '{server}'에는 있어요")

# --- kinds of values and of what is called ----------------------------------------------------------------------------

A_TEXT: Final = Message("a text", "글")
WHOLE_NUMBER: Final = Message("a whole number", "정수")
A_NUMBER: Final = Message("a number", "수")
TRUE_OR_FALSE: Final = Message("true or false", "true나 false")
A_LIST: Final = Message("a list", "목록")
AN_OBJECT: Final = Message("an object", "객체")
NULL: Final = Message("null", "null")
ANYTHING_AT_ALL: Final = Message("anything", "아무 값")
FIELDS: Final = Message("fields", "이름과 값")
NOTHING: Final = Message("nothing", "빈 값")
THE_VALUE: Final = Message("the value", "이 값")
FLOW: Final = Message("flow", "흐름")
GRAPH: Final = Message("graph", "그래프")
TOOL: Final = Message("tool", "도구")

# --- YAML -------------------------------------------------------------------------------------------------------------

NOT_UTF8: Final = Text("not UTF-8: {reason} at byte {byte}", "UTF-8 글이 아니에요. {byte}번째 바이트를 읽을 수 없어요")
TOO_LONG: Final = Text("longer than {most} characters", "{most}자를 넘어요")
TOO_DEEP: Final = Text("nested deeper than {most}", "{most}겹을 넘게 들어가 있어요")
EMPTY_FILE: Final = Text("the file is empty", "파일이 비어 있어요")
ALIAS: Final = Text(
    "aliases (*{name}) are not allowed; quote a text that begins with *",
    "별칭(*{name})은 쓸 수 없어요. *로 시작하는 글이면 따옴표로 묶어 주세요",
)
ANCHOR: Final = Text(
    "anchors (&{name}) are not allowed; quote a text that begins with &",
    "앵커(&{name})는 쓸 수 없어요. &로 시작하는 글이면 따옴표로 묶어 주세요",
)
TAG: Final = Text(
    "tags ({name}) are not allowed; quote the text", "태그({name})는 쓸 수 없어요. 글이면 따옴표로 묶어 주세요"
)
NOT_YAML: Final = Text("not YAML: {problem}{hint}", "YAML로 읽을 수 없어요{problem}{hint}")
TABS: Final = Text("; indent with spaces, not with tabs", ". 탭 말고 빈칸으로 들여 써 주세요")
INDENT: Final = Text(
    "; the line is indented by {own} spaces, {expected} are expected",
    ". 이 줄은 {own}칸 들여 썼는데 {expected}칸이어야 해요",
)
QUOTE_IT: Final = Text("; put the value in quotes", ". 값을 따옴표로 묶어 주세요")
LOOKALIKE: Final = Text(
    "; U+{code} is not {meant}, type it again", ". U+{code:은는} {meant:이가} 아니에요. 다시 쳐 주세요"
)
A_COLON: Final = Message("a colon", "쌍점")
A_SPACE: Final = Message("a space", "빈칸")
GIVEN_TWICE: Final = Text(
    "'{name}' is given twice, first in line {line}", "{name:'이가} 두 번 있어요. {line}번째 줄에 먼저 나와요"
)
UNQUOTED_BRACES: Final = Text(
    "unquoted {{{{ {root} }}}} is not a text for YAML; references are written ${root}",
    "따옴표 없는 {{{{ {root} }}}}는 YAML에서 글이 아니에요. 참조는 ${root}처럼 써요",
)
PLAIN_KEY: Final = Text("a key must be a plain text", "이름은 글이어야 해요")

# --- fields -----------------------------------------------------------------------------------------------------------

NEEDS_FLOW: Final = Text(
    "the file needs 'flow:' with name and steps under it", "파일에 'flow:'가 있고 그 밑에 name과 steps가 있어야 해요"
)
BOTH_CALLS: Final = Text(
    "a step has either mcp_call or action, not both", "한 단계에는 mcp_call과 action 가운데 하나만 쓸 수 있어요"
)
UNKNOWN_ACTION: Final = Text("unknown action '{name}'{near}", "{name:'라는} action은 없어요{near}")
UNKNOWN_FIELD: Final = Text("unknown field '{name}'{near}", "{name:'라는} 칸은 없어요{near}")
DOES_NOTHING: Final = Text(
    "the step does nothing: it needs mcp_call or action", "하는 일이 없는 단계예요. mcp_call이나 action을 써 주세요"
)
MISSING: Final = Text("'{name}' is missing", "{name:'이가} 빠졌어요")
INPUT_MISSING: Final = Text("is missing", "값을 적어 주세요")
UNKNOWN_INPUT: Final = Text("unknown input", "없는 입력이에요")
NEEDS: Final = Text("needs {wanted}, not {given}", "{wanted:이가} 와야 하는데 {given:이가} 왔어요")
NOT_ALLOWED: Final = Text("{value} is not allowed{near}", "{value:은는} 쓸 수 없어요{near}")
NO_VERSION: Final = Text(
    "{value} is no version; write it like 1.2", "{value:은는} 판 번호가 아니에요. 1.2처럼 써 주세요"
)
NO_IDENTIFIER: Final = Text(
    "{value} must be letters, digits and _, and not begin with a digit",
    "{value:은는} 글자, 숫자, _로 쓰고 숫자로 시작하지 않아야 해요",
)
AT_LEAST: Final = Text("must be at least {bound}", "{bound} 이상이어야 해요")
MORE_THAN: Final = Text("must be more than {bound}", "{bound}보다 커야 해요")
AT_MOST: Final = Text("must be at most {bound}", "{bound} 이하여야 해요")
AT_LEAST_ELEMENTS: Final = Text("needs at least {bound} element", "적어도 {bound}개가 있어야 해요")
NOT_EMPTY: Final = Text("must not be empty", "비워 둘 수 없어요")
TOO_MANY_CHARACTERS: Final = Text("has more than {bound} characters", "{bound}자를 넘어요")
DOES_NOT_FIT: Final = Text("{reason}", "맞지 않는 값이에요")
NEEDS_FALLBACK: Final = Text("fallback needs a fallback_value", "fallback에는 fallback_value가 있어야 해요")
NO_FALLBACK: Final = Text("{action} takes no fallback_value", "{action}에는 fallback_value를 쓰지 않아요")
NEEDS_GOTO: Final = Text(
    "goto names the step to go to: on_error: {{goto: step_id}}", "goto에는 갈 단계를 써요: on_error: {{goto: 단계_id}}"
)

# --- calls ------------------------------------------------------------------------------------------------------------

UNKNOWN_SERVER: Final = Text("unknown server '{name}'{near}", "{name:'라는} 서버는 없어요{near}")
NO_TOOLS: Final = Text(
    "server '{name}' has no tools now; is it running?", "서버 '{name}'에 지금 도구가 없어요. 켜져 있는지 봐 주세요"
)
UNKNOWN_TOOL: Final = Text("unknown tool '{name}' on '{server}'{near}", "'{server}'에 {name:'라는} 도구는 없어요{near}")
CACHED_WRITE: Final = Text(
    "'{tool}' changes something; from the cache it would not",
    "{tool:'은는} 무엇을 바꾸는 도구예요. 저장해 둔 결과를 쓰면 아무것도 바뀌지 않아요",
)
UNKNOWN_GRAPH: Final = Text("unknown graph or flow '{name}'{near}", "{name:'라는} 그래프나 흐름은 없어요{near}")
UNKNOWN_PROMPT: Final = Text("unknown prompt '{name}'{near}", "{name:'라는} 프롬프트는 없어요{near}")
UNKNOWN_PARAMETER: Final = Text("unknown parameter '{name}'{near}", "{name:'라는} 인자는 없어요{near}")
NEEDS_PARAMETER: Final = Text("the {kind} needs the parameter '{name}'", "이 {kind}에는 인자 {name:'이가} 있어야 해요")
NEEDS_ONE_OF: Final = Text(
    "the {kind} needs the parameter '{one}' or '{other}'",
    "이 {kind}에는 인자 {one:'과와} '{other}' 가운데 하나가 있어야 해요",
)
ONE_NOT_BOTH: Final = Text(
    "the {kind} takes either '{one}' or '{other}', not both",
    "이 {kind}에는 {one:'과와} '{other}' 가운데 하나만 쓸 수 있어요",
)
RETRIED_WRITE: Final = Text(
    "only a call that never reached '{tool}' is repeated; idempotent: true allows more",
    "'{tool}'에 닿지 않은 부름만 다시 해요. idempotent: true를 쓰면 더 다시 해요",
)

# --- JSON Schemas and values ------------------------------------------------------------------------------------------

NEEDS_TYPE: Final = Text(
    "needs fields with a 'type', not '{value}'", "'type'이 든 이름과 값이 와야 하는데 {value:'이가} 왔어요"
)
NO_KEYWORD: Final = Text(
    "'{name}' is no keyword of JSON Schema{near}", "{name:'은는} JSON Schema에서 쓰는 말이 아니에요{near}"
)
UNDER_PROPERTIES: Final = Text("; fields stand under 'properties'", ". 칸은 'properties' 밑에 써요")
NO_PATTERN: Final = Text(
    "'{pattern}' is no pattern that can be used; look-around and back-references are not known here",
    "{pattern:'은는} 쓸 수 없는 정규식이에요. 앞뒤 살피기와 되부르기는 할 수 없어요",
)
NOT_AMONG: Final = Text(
    "'{value}' is not one of the allowed values{near}", "{value:'은는} 쓸 수 있는 값이 아니에요{near}"
)
NEEDS_NAMES: Final = Text("needs a list of names, not '{value}'", "이름의 목록이 와야 하는데 {value:'이가} 왔어요")
REQUIRED_UNKNOWN: Final = Text(
    "'{name}' is required, but not among the properties{near}",
    "{name:'은는} 꼭 필요하다고 했는데 properties에 없어요{near}",
)
MUST_BE: Final = Text("must be {value}", "{value:이가} 와야 해요")
ONE_OF: Final = Text("must be one of {values}", "이 가운데 하나가 와야 해요: {values}")
NO_MATCH: Final = Text("'{value}' does not match {pattern}", "{value:'은는} {pattern} 꼴에 맞지 않아요")
AT_LEAST_CHARACTERS: Final = Text("needs at least {bound} characters", "적어도 {bound}자여야 해요")
ENOUGH_ELEMENTS: Final = Text("needs at least {bound} elements", "적어도 {bound}개가 있어야 해요")
TOO_MANY_ELEMENTS: Final = Text("has more than {bound} elements", "{bound}개를 넘어요")
BELOW_LEAST: Final = Text(
    "{value} is below the least allowed, {bound}", "{value:은는} 너무 작아요. {bound} 이상이어야 해요"
)
ABOVE: Final = Text("must be above {bound}", "{bound}보다 커야 해요")
ABOVE_MOST: Final = Text("{value} is above the most allowed, {bound}", "{value:은는} 너무 커요. {bound} 이하여야 해요")
BELOW: Final = Text("must be below {bound}", "{bound}보다 작아야 해요")

# --- names and references ---------------------------------------------------------------------------------------------

NO_SUCH_NAME: Final = Text("nothing is called '{name}'{near}", "{name:'라는} 이름은 없어요{near}")
CALLED_OTHERWISE: Final = Text(
    "step '{name}' calls its output '{result}'; write ${result}",
    "단계 '{name}'의 결과는 이름이 {result:'예요}. ${result:을를} 써 주세요",
)
ONLY_IN_FOREACH: Final = Text("${name} is there only inside of a foreach", "${name:은는} foreach 안에서만 쓸 수 있어요")
STAYS_INSIDE: Final = Text(
    "${name} stays inside of its step; outside there is ${around}",
    "${name:은는} 그 단계 안에서만 쓸 수 있어요. 밖에서는 ${around:을를} 써요",
)
MADE_MEANWHILE: Final = Text(
    "${name} is made at the same time by another task", "${name:은는} 다른 작업이 같은 때에 만들어서 아직 없어요"
)
OWN_RESULT: Final = Text(
    "${name} is this step's own result, which is not there yet", "${name:은는} 이 단계의 결과라서 아직 없어요"
)
ID_TAKEN: Final = Text(
    "id '{name}' is already taken by the step in line {line}", "id {name:'은는} {line}번째 줄의 단계가 이미 쓰고 있어요"
)
RESERVED_NAME: Final = Text(
    "'{name}' has a meaning of its own; call the output something else",
    "{name:'은는} 따로 뜻이 있는 이름이에요. 결과에 다른 이름을 붙여 주세요",
)
KEYWORD: Final = Text(
    "'{name}' is a word of the language; call it something else",
    "{name:'은는} 파이썬에서 쓰는 말이에요. 다른 이름을 붙여 주세요",
)
OUTPUT_TAKEN: Final = Text(
    "output '{name}' is already that of step '{step}'", "결과의 이름 {name:'은는} 단계 {step:'이가} 이미 쓰고 있어요"
)
MAY_BE_SKIPPED: Final = Text("step '{step}' may be skipped", "단계 {step:'을를} 건너뛸 수 있어요")
MAY_BE_UNCHOSEN: Final = Text("step '{step}' runs only when it is chosen", "단계 {step:'은는} 골랐을 때만 실행돼요")
MAY_FAIL: Final = Text("step '{step}' may fail", "단계 {step:'이가} 실패할 수 있어요")
MAY_BE_NULL: Final = Text(
    "${name} may be null: {why}; give a default such as ${name} ?? 0",
    "${name:이가} null일 수 있어요: {why}. ${name} ?? 0처럼 기본값을 써 주세요",
)
SHORTER_LIST: Final = Text(
    "{what} is null when the list is shorter; give a default such as {what} ?? …",
    "목록이 더 짧으면 {what:은는} null이에요. {what} ?? …처럼 기본값을 써 주세요",
)
NO_FIELDS: Final = Text("has no fields: it is {kind}", "{kind}에는 칸이 없어요")
NO_FIELD: Final = Text("has no field '{name}'{near}", "{name:'라는} 칸이 없어요{near}")
NO_LIST: Final = Text("is not a list: it is {kind}", "목록이 와야 하는데 {kind:이가} 왔어요")
OF: Final = Text("{what} {reason}", "{what}: {reason}")
ABOUT: Final = Text("{what}: {reason}", "{what}: {reason}")
NOT_REPLACED: Final = Text(
    "braces are not replaced here; references are written $name",
    "여기서는 중괄호를 값으로 바꾸지 않아요. 참조는 $이름처럼 써요",
)
TEXT_NOT_VALUE: Final = Text("a text, not a value; write ${raw}", "값이 아니라 글이에요. ${raw:을를} 써 주세요")
EVERY_ELEMENT: Final = Text(
    "'[]' and '[*]' are not known here; write [0] for one element, foreach for each",
    "'[]'와 '[*]'는 쓸 수 없어요. 하나는 [0], 하나하나는 foreach를 써 주세요",
)
TEMPLATE_IS_TEXT: Final = Text(
    "a text with references inside is a text; it {reason}", "글 안에 참조를 쓰면 글이 돼요. {reason}"
)

# --- expressions ------------------------------------------------------------------------------------------------------

NO_COMPREHENSIONS: Final = Text(
    "comprehensions are not part of expressions; use a python step",
    "식에서는 컴프리헨션을 쓸 수 없어요. python 단계를 써 주세요",
)
NO_FUNCTIONS: Final = Text(
    "functions cannot be written here; use a python step", "여기서는 함수를 만들 수 없어요. python 단계를 써 주세요"
)
NO_ASSIGNMENT: Final = Text(
    "nothing can be assigned in an expression; use a python step",
    "식에서는 값을 못 넣어요. python 단계를 써 주세요",
)
NO_F_TEXTS: Final = Text(
    "texts are put together with +; f-texts are not part of expressions",
    "식에서는 f-글을 못 써요. 글은 +로 이어요",
)
NO_STAR: Final = Text("'*' cannot stand before a value here", "여기서는 값 앞에 '*'를 쓸 수 없어요")
UNREADABLE_NAME: Final = Text("'{name}' cannot be read", "{name:'은는} 읽을 수 없어요")
NO_IMPORT: Final = Text("nothing can be imported here; use a tool", "여기서는 import를 할 수 없어요. 도구를 써 주세요")
NO_ASYNC: Final = Text("async and yield are not available here", "여기서는 async와 yield를 쓸 수 없어요")
WRITE_INSTEAD: Final = Text("write '{meant}' instead of '{written}'", "'{written}' 말고 {meant:'을를} 써 주세요")
NO_POWERS: Final = Text("powers are not part of expressions", "식에서는 거듭제곱을 쓸 수 없어요")
WITHOUT_BRACES: Final = Text("references are written $name, without braces", "참조는 중괄호 없이 $이름처럼 써요")
LONG_EXPRESSION: Final = Text(
    "is longer than {most} characters; use a python step", "{most}자를 넘어요. python 단계를 써 주세요"
)
STRANGE_CHARACTER: Final = Text("holds a character that expressions cannot have", "식에 쓸 수 없는 글자가 있어요")
STRANGE_IN_CODE: Final = Text("holds a character that code cannot have", "코드에 쓸 수 없는 글자가 있어요")
EMPTY: Final = Text("is empty", "비어 있어요")
MISSING_BEFORE: Final = Text("something is missing in front of the $", "$ 앞에 빠진 것이 있어요")
NESTED_TOO_DEEPLY: Final = Text("is nested too deeply", "너무 여러 겹이에요")
COMPARE_WITH: Final = Text("compare with '==', not with '='", "'=' 말고 '=='로 견줘요")
DEFAULT_IS_WRITTEN: Final = Text(
    "is no expression; a default is written $x.y ?? 0", "식이 아니에요. 기본값은 $x.y ?? 0처럼 써요"
)
KEYWORD_FIELD: Final = Text(
    "'{name}' is a word of the language; write ['{name}'] instead of .{name}",
    "{name:'은는} 파이썬에서 쓰는 말이에요. .{name} 말고 ['{name}']로 써 주세요",
)
UNFINISHED: Final = Text("ends where a value should follow", "값이 올 자리에서 끝났어요")
NO_EXPRESSION: Final = Text("is no expression: {problem}", "식으로 읽을 수 없어요{problem}")
TOO_LARGE_EXPRESSION: Final = Text(
    "is too long or nested too deeply; use a python step", "너무 길거나 여러 겹이에요. python 단계를 써 주세요"
)
NOT_PART: Final = Text("is not part of expressions", "식에서는 쓸 수 없어요")
LARGE_NUMBER: Final = Text("is too large a number", "너무 큰 수예요")
NEEDS_SIGN: Final = Text("'{name}' needs a $ in front: ${meant}", "'{name}' 앞에 $가 있어야 해요: ${meant}")
UNKNOWN_REFERENCE: Final = Text(
    "unknown name '{name}'; references begin with $, texts stand in quotes",
    "{name:'라는} 이름은 없어요. 참조는 $로 시작하고, 글은 따옴표로 묶어요",
)
DATES: Final = Text("$date_utils has now() and days_ago(n){near}", "$date_utils에는 now()와 days_ago(n)이 있어요{near}")
DAYS_AGO: Final = Text(
    "days_ago needs a number of days, not {kind}", "days_ago에는 며칠인지 수가 와야 하는데 {kind:이가} 왔어요"
)
LENGTH: Final = Text("the length of a list is written len({what})", "목록의 길이는 len({what})로 써요")
PART_OF_LIST: Final = Text("a part of a list is written [start:end]", "목록의 일부는 [시작:끝]으로 써요")
NO_NAMED_ARGUMENTS: Final = Text("arguments have no names here", "여기서는 인자에 이름을 붙이지 않아요")
UNKNOWN_FUNCTION: Final = Text("unknown function '{name}'{near}", "{name:'라는} 함수는 없어요{near}")
NO_METHODS: Final = Text(
    "methods such as .{name}() are not part of expressions; use a python step",
    "식에서는 .{name}() 같은 메서드를 쓸 수 없어요. python 단계를 써 주세요",
)
ONLY_NAMED: Final = Text("only named functions can be called", "이름이 있는 함수만 부를 수 있어요")
ARGUMENTS: Final = Text("{name}() takes {wanted}, not {given}", "{name}()의 인자는 {wanted}인데 {given}개가 있어요")
ONE_ARGUMENT: Final = Message("one argument", "하나")
SOME_ARGUMENTS: Final = Text("{least} to {most} arguments", "{least}개에서 {most}개")
NEEDS_LIST: Final = Text("{name}() needs a list, not {kind}", "{name}()에는 목록이 와야 하는데 {kind:이가} 왔어요")
NEEDS_NUMBERS: Final = Text(
    "'{sign}' needs numbers, and this is {kind}", "'{sign}'에는 수가 와야 하는데 {kind:이가} 왔어요"
)
NO_INVERT: Final = Text("'~' is not part of expressions", "식에서는 '~'를 쓸 수 없어요")
NO_OPERATOR: Final = Text("this operator is not part of expressions", "식에서는 이 기호를 쓸 수 없어요")
NO_IS: Final = Text("compare with == and !=, not with 'is'", "'is' 말고 ==나 !=로 견줘요")
QUOTED_KEYS: Final = Text("the keys of an object are quoted texts", "객체의 이름은 따옴표로 묶은 글이어야 해요")
CANNOT_JOIN: Final = Text("'+' cannot join {one} and {other}", "'+'로 {one:과와} {other:을를} 이을 수 없어요")
IN_NEEDS_LIST: Final = Text(
    "'in' needs a list on its right, not {kind}", "'in'의 오른쪽에는 목록이 와야 하는데 {kind:이가} 왔어요"
)
NEVER_TRUE: Final = Text(
    "comparing {one} with {other} is never true", "{one:과와} {other:은는} 견주어도 언제나 거짓이에요"
)
NO_ORDER: Final = Text(
    "comparing {one} with {other} has no order", "{one:과와} {other:은는} 크고 작음을 견줄 수 없어요"
)

# --- Python steps -----------------------------------------------------------------------------------------------------

LONG_CODE: Final = Text("longer than {most} characters; make a tool of it", "{most}자를 넘어요. 도구로 만들어 주세요")
IN_LINE: Final = Text("line {line}: {message}", "코드의 {line}번째 줄: {message}")
MUST_RETURN: Final = Text("the code must end with 'return'", "코드는 'return'으로 끝나야 해요")
NO_PYTHON: Final = Text("{problem}", "파이썬으로 읽을 수 없어요{problem}")
NOT_AVAILABLE: Final = Text("{name}() is not available here", "여기서는 {name}()를 쓸 수 없어요")
UNKNOWN_NAME: Final = Text("unknown name '{name}'{near}", "{name:'라는} 이름은 없어요{near}")

# --- the order of steps -----------------------------------------------------------------------------------------------

TASKS_CANNOT_LEAD: Final = Text(
    "the tasks of a parallel step cannot lead to each other", "parallel 안의 작업끼리는 서로 갈 수 없어요"
)
LEADS_TO_ITSELF: Final = Text(
    "a step cannot lead to itself; a flow has no loops", "단계가 자기에게로 갈 수 없어요. 흐름에는 되풀이가 없어요"
)
NO_STEP_HERE: Final = Text("there is no step '{name}' here{near}", "여기에 {name:'라는} 단계는 없어요{near}")
TASKS_CANNOT_WAIT: Final = Text(
    "the tasks of a parallel step cannot wait for each other", "parallel 안의 작업끼리는 서로 기다릴 수 없어요"
)
WAITS_FOR_ITSELF: Final = Text("a step cannot wait for itself", "단계가 자기를 기다릴 수 없어요")
OUTPUT_NOT_STEP: Final = Text(
    "'{name}' is an output; depends_on names steps: '{step}'",
    "{name:'은는} 결과의 이름이에요. depends_on에는 단계를 써요: '{step}'",
)
NEVER_TAKEN: Final = Text(
    "is never taken: route[{place}] has no 'when', so it is taken before",
    "이 길로는 갈 수 없어요. route[{place}]에 'when'이 없어서 먼저 그리로 가요",
)
NEVER_BY_CONDITION: Final = Text(
    "this step is never reached: its condition is false", "이 단계에는 갈 수 없어요. 조건이 거짓이에요"
)
NEVER_BY_ROUTE: Final = Text(
    "this step is never reached: no route leads to it", "이 단계에는 갈 수 없어요. 여기로 오는 길이 없어요"
)
CYCLE: Final = Text("the steps wait for each other: {steps}", "단계들이 서로를 기다려요: {steps}")
APPROVE_AT_TOP: Final = Text(
    "approve stands at the top of a flow, not inside foreach or parallel",
    "approve는 흐름의 맨 위에 써요. foreach나 parallel 안에는 쓸 수 없어요",
)
NEEDS_WAYS: Final = Text(
    "a route needs ways: route: [{{when: …, to: step}}, {{to: step}}]",
    "route에는 길이 있어야 해요: route: [{{when: …, to: 단계}}, {{to: 단계}}]",
)

# --- the head of a flow -----------------------------------------------------------------------------------------------

FIVE_FIELDS: Final = Text(
    "needs five fields (minute hour day month weekday), not {given}; every Monday at 7 is '0 7 * * 1'",
    "다섯 칸(분 시 일 월 요일)이 있어야 하는데 {given}칸이에요. 월요일마다 7시는 '0 7 * * 1'이에요",
)
SCHEDULE_FIELDS: Final = {
    "minute": Message("minute", "분"),
    "hour": Message("hour", "시"),
    "day": Message("day", "일"),
    "month": Message("month", "월"),
    "weekday": Message("weekday", "요일"),
}
NO_SCHEDULE_PART: Final = Text(
    "{field} '{part}' is no number, range (1-5), step (*/10) or *",
    "{field} '{part}': 숫자, 범위(1-5), 간격(*/10), * 가운데 하나로 써 주세요",
)
OUTSIDE_RANGE: Final = Text(
    "{field} '{part}' is outside of {low} to {high}", "{field} '{part}': {low}에서 {high}까지 쓸 수 있어요"
)
ENDS_EARLY: Final = Text("{field} '{part}' ends before it begins", "{field} '{part}': 끝이 시작보다 앞이에요")
STEP_OUTSIDE: Final = Text(
    "{field} '{part}' has a step outside of 1 to {high}", "{field} '{part}': 간격은 1에서 {high}까지 쓸 수 있어요"
)
CANNOT_BE_KEPT: Final = Text("cannot be kept: {reason}", "지킬 수 없는 예약이에요. 없는 날이나 쓸 수 없는 꼴이에요")
SCHEDULED_INPUT: Final = Text(
    "a flow with a schedule starts by itself, so '{name}' needs a default",
    "예약된 흐름은 스스로 시작해서, '{name}'에 default가 있어야 해요",
)
VARIANT_TWICE: Final = Text("version '{version}' is listed twice", "판 {version:이가} 두 번 있어요")
INPUT_TWICE: Final = Text("input '{name}' is declared twice", "입력 {name:'이가} 두 번 있어요")
REQUIRED_DEFAULT: Final = Text(
    "a required input has no default; leave out one of the two",
    "꼭 필요한 입력에는 default가 없어요. 둘 가운데 하나를 빼 주세요",
)
DEFAULT_IS_VALUE: Final = Text(
    "a default is a value; references are read in steps and outputs only",
    "default에는 값을 써요. 참조는 steps와 outputs에서만 읽어요",
)
UNUSED_INPUT: Final = Text("input '{name}' is never used", "입력 {name:'을를} 쓰는 곳이 없어요")

# --- files of flows and of tests --------------------------------------------------------------------------------------

VERSION_TAKEN: Final = Text(
    "version {version} of '{name}' is already in {path}; raise the version",
    "'{name}'의 판 {version:은는} {path}에 이미 있어요. 판의 번호를 올려 주세요",
)
CALLS_ITSELF: Final = Text(
    "'{name}' calls itself, directly or over others", "{name:'이가} 바로 또는 다른 흐름을 거쳐 자기를 불러요"
)
NO_SUCH_VERSION: Final = Text("'{name}' has no version {version}{near}", "'{name}'에 판 {version:은는} 없어요{near}")
NO_SUCH_FLOW: Final = Text("there is no flow '{name}'{near}", "{name:'라는} 흐름은 없어요{near}")
FILE_NAME: Final = Text(
    "the file is called '{stem}'; call it '{name}' or '{name}_{version}'",
    "파일의 이름이 {stem:'예요}. 이렇게 바꿔 주세요: '{name}' 또는 '{name}_{version}'",
)
NEITHER_TOOL_NOR_STEP: Final = Text(
    "neither a tool nor a step of the flow is called '{name}'", "{name:'라는} 도구도, 흐름의 단계도 없어요"
)
NO_OUTPUT: Final = Text("the flow has no output '{name}'{near}", "흐름에 {name:'라는} 결과는 없어요{near}")

# --- what a run is given ----------------------------------------------------------------------------------------------

SEVERAL_ASK: Final = Text(
    "several steps ask: answer as {{step: answer}}", "여러 단계가 물어요. {{단계: 답}} 꼴로 답해 주세요"
)
NO_SUCH_STUDENT: Final = Text(
    "there is no student '{student}'", "{student:'라는} 학생은 없어요. 학생 ID를 확인해 주세요"
)

# --- the words of others ----------------------------------------------------------------------------------------------

_PROBLEMS: Final = (
    ("mapping values are not allowed", "한 줄에 쌍점(:)이 더 있어요"),
    ("could not find expected ':'", "쌍점(:)이 있어야 해요"),
    ("did not find expected key", "이름이 올 자리예요. 들여쓰기를 봐 주세요"),
    ("did not find expected '-'", "목록의 -가 올 자리예요. 들여쓰기를 봐 주세요"),
    ("did not find expected ',' or", "쉼표나 닫는 괄호가 있어야 해요"),
    ("did not find expected node", "값이 올 자리예요"),
    ("block sequence entries are not allowed", "여기에는 목록의 -를 쓸 수 없어요"),
    ("found character that cannot start any token", "여기서 시작할 수 없는 글자예요"),
    ("found unexpected end of stream", "따옴표나 괄호가 닫히지 않았어요"),
    ("unterminated", "따옴표가 닫히지 않았어요"),
    ("was never closed", "괄호가 닫히지 않았어요"),
    ("unmatched", "짝이 없는 괄호예요"),
    ("does not match opening", "괄호의 짝이 맞지 않아요"),
    ("indent", "들여쓰기를 봐 주세요"),
    ("expected ':'", "쌍점(:)이 있어야 해요"),
    ("forgot a comma", "쉼표가 빠진 것 같아요"),
    ("leading zeros", "0으로 시작하는 수는 쓸 수 없어요"),
    ("invalid decimal literal", "이름은 숫자로 시작할 수 없어요"),
)


def problem(words: str) -> Message:
    """What the parser of YAML or of Python says; where its words are not known here, Korean says no more than that."""
    known = next((korean for english, korean in _PROBLEMS if english in words), None)
    return Message(words, f". {known}" if known else "")

"""Attempts to get out of expressions and python steps, or to exhaust the machine: each is refused or ended."""

import ast
import asyncio
import sysconfig
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from maththera.flows.language import messages
from maththera.flows.language.expression_evaluation import Evaluation, EvaluationError
from maththera.flows.language.expression_syntax import Findings
from maththera.flows.language.expressions import parse
from maththera.flows.language.python_steps import compile_code
from maththera.flows.language.schema_types import ANYTHING, NoSuchField
from maththera.flows.language.value_templates import FaultCollector
from maththera.flows.language.yaml_source import read
from maththera.flows.runs.python_sandbox import PythonError, Sandbox

CPU_SECONDS = 1.0
TRIES = 3  # a busy machine computes slowly for a moment


class Names:
    """Everything may be anything."""

    def root(self, name):
        if name not in self.known():
            raise NoSuchField(messages.NO_SUCH_NAME(name=name, near=messages.NOTHING_NEAR))
        return ANYTHING

    def uncertain(self, _):
        return None

    def known(self):
        return ["inputs", "x"]


DATA = {
    "inputs": {"text": "a" * 50_000, "list": list(range(50_000)), "n": 7, "deep": None},
    "x": {"__class__": "데이터", "items": [1]},
}

EXPRESSIONS = {
    "class": "$x.__class__",
    "class of a text": "''.__class__.__mro__[1].__subclasses__()",
    "class by index": "$x['__class__'].mro()",
    "import": "__import__('os').system('id')",
    "builtins": "__builtins__['eval']('1')",
    "builtins by reference": "$__builtins__.eval",
    "globals": "globals()",
    "eval": "eval('1')",
    "exec": "exec('import os')",
    "open": "open('/etc/passwd').read()",
    "getattr": "getattr($x, 'items')",
    "method of an object": "$x.items()",
    "method that changes": "$x.items.append(5)",
    "format": "'{0.__class__}'.format($x)",
    "f-text": "f'{$x.__class__}'",
    "percent": "'%s%s' % ($x, $x)",
    "padding": "'%1000000000d' % 1",
    "lambda": "(lambda: 1)()",
    "walrus": "(y := 5)",
    "comprehension": "[a for a in ().__class__.__bases__]",
    "generator": "sum(a for a in $inputs.list)",
    "star": "max(*$inputs.list)",
    "power": "9 ** 9 ** 9",
    "power by default sign": "9 ?? 9 ** 9",
    "long number": "9" * 1_900 + " * 9",
    "product": " * ".join(["99999999999999999999999999999999"] * 50),
    "shift": "1 << 1000000000",
    "text times number": "'a' * 1000000000",
    "list times number": "[0] * 1000000000",
    "text from data times number": "$inputs.text * 100000",
    "text added to itself": " + ".join(["$inputs.text"] * 60),
    "list added to itself": " + ".join(["$inputs.list"] * 60),
    "sorting again and again": " + ".join(["len(sorted($inputs.list))"] * 40),
    "sums of sums": " + ".join(["sum($inputs.list)"] * 60),
    "comparing again and again": " and ".join(["$inputs.list == $inputs.list"] * 60),
    "membership again and again": " or ".join(["-1 in $inputs.list"] * 60),
    "deep brackets": "(" * 900 + "1" + ")" * 900,
    "deep lists": "[" * 90 + "]" * 90,
    "deep minus": "-" * 1_900 + "1",
    "deep not": "not " * 450 + "1",
    "long or": " or ".join(["0"] * 450),
    "many numbers": ",".join(["1"] * 900),
    "too long": "1" + " + 1" * 10_000,
    "null byte": "1\0",
    "the mark itself": "ᚠinputs.n",
    "assignment": "$x = 5",
    "two statements": "1; import os",
    "line break": "1\nimport os",
    "decorator": "@$x",
    "await": "await $x",
    "yield": "(yield 1)",
    "bytes": "b'a'",
    "complex": "1j",
    "infinity": "round(1e308 * 10)",
    "division by zero": "1 / ($inputs.n - 7)",
    "years": "$date_utils.days_ago(99999999999)",
    "not a number of days": "$date_utils.days_ago(1e999 - 1e999)",
    "rounding far": "round(1.5, 999999999)",
    "type": "type($x)",
    "vars": "vars()",
    "breakpoint": "breakpoint()",
    "number that JSON does not carry": "$inputs.n * 9999999999999999999",
    "number written out that JSON does not carry": "99999999999999999999 > 1",
    "infinity written out": "1e999 > 1",
    "half a character": "'\\ud800' + $inputs.text",
    "least number turned around": "-(-9223372036854775807 - 1)",
    "sum of large numbers": "sum([9223372036854775807, 1])",
}
"""Name → expression."""

CODE = {
    "endless loop": "while True:\n    pass",
    "endless loop that catches": "while True:\n    try:\n        while True: pass\n    except Exception:\n        pass",
    "memory by list": "a = [0] * 10**9\nreturn len(a)",
    "memory by text": "return len('a' * 10**11)",
    "memory by growing": "a = []\nwhile True:\n    a.append('x' * 1000)\nreturn 1",
    "memory by doubling": "a = [1]\nwhile True:\n    a = a + a\nreturn 1",
    "memory by a dict": "a = {}\ni = 0\nwhile True:\n    a[i] = str(i) * 100\n    i += 1\nreturn 1",
    "huge power": "return len(str(10 ** 10 ** 8))",
    "power of powers": "return 9 ** 9 ** 9 > 1",
    "shift": "return 1 << 10**11",
    "recursion": "def f(n):\n    return f(n + 1)\nreturn f(0)",
    "mutual recursion": "def f(n):\n    return g(n)\ndef g(n):\n    return f(n)\nreturn f(0)",
    "long range": "return sum([i for i in range(10**10)])",
    "sorting much": "return len(sorted([i % 7 for i in range(10**8)]))",
    "long format": 'return len(f"{1:>{10**10}}")',
    "number to text": "return len(str(7 ** 10**7))",
    "open": "return open('/etc/passwd').read()",
    "import": "import os\nreturn os.environ",
    "import inside": "def f():\n    from subprocess import run\n    return run('id')\nreturn f()",
    "builtin import": "return __import__('os').getcwd()",
    "subclasses": "return ().__class__.__bases__[0].__subclasses__()",
    "globals of a function": "def f(): pass\nreturn f.__globals__",
    "code of a function": "def f(): pass\nreturn f.__code__.co_consts",
    "getattr": "return getattr((), '__class__')",
    "eval": "return eval('1 + 1')",
    "exec": "exec('import os')\nreturn 1",
    "format to attributes": "return '{0.__class__}'.format(1)",
    "format map": "return '{a.__class__.__mro__}'.format_map({'a': 1})",
    "traceback": "try:\n    1 / 0\nexcept Exception as e:\n    return e.__traceback__.tb_frame",
    "generator frame": "g = (i for i in [1])\nreturn g.gi_frame.f_back",
    "sleep": "import time\ntime.sleep(60)\nreturn 1",
    "async": "async def f():\n    pass\nreturn f()",
    "input": "return input()",
    "no json": "return {1, 2}",
    "own keys": "return {1: 2}",
    "deep result": "a = []\nfor i in range(100):\n    a = [a]\nreturn a",
    "printing much": "while True:\n    print('x' * 10000)",
    "exit": "raise SystemExit",
    "type": "return type('X', (), {})",
    "unpacking": "a, *b = range(10**10)\nreturn a",
    "zip of endless": "return list(map(str, range(10**9)))",
    "null byte": "return 1\0",
    "the mark": "return ᚠ0",
    "deep brackets": "return " + "(" * 1_000 + "1" + ")" * 1_000,
    "long code": "a = 1\n" * 10_000 + "return a",
    "number of a hundred thousand digits": "return 10 ** 100_000",
    "number that JSON does not carry": "return [2 ** 64]",
    "infinity": "return {'a': float('inf')}",
    "no number": "return float('nan')",
    "long complaint": "raise ValueError('x' * 10**7)",
    "memory by default of a function": "def f(a=[0] * 10**8):\n    return a\nreturn len(f())",
    "loop at last": "try:\n    while True: pass\nfinally:\n    while True: pass",
    "hash of what is deep": "a = ()\nfor i in range(10**5):\n    a = (a,)\nreturn {a: 1}",
    "regex": "import re\nreturn re.match('(a+)+b', 'a' * 40)",
}
"""Name → code."""


PARTS = {
    "And": "1 and 2",
    "Or": "1 or 2",
    "Not": "not 1",
    "USub": "-$inputs.n",
    "UAdd": "+1",
    "Add": "1 + 2",
    "Sub": "1 - 2",
    "Mult": "1 * 2",
    "Div": "1 / 2",
    "FloorDiv": "1 // 2",
    "Mod": "1 % 2",
    "Eq": "1 == 2",
    "NotEq": "1 != 2",
    "Lt": "1 < 2",
    "LtE": "1 <= 2",
    "Gt": "1 > 2",
    "GtE": "1 >= 2",
    "In": "1 in [2]",
    "NotIn": "1 not in [2]",
    "BoolOp": "1 and 2",
    "BinOp": "1 + 2",
    "UnaryOp": "not 1",
    "Compare": "1 < 2",
    "Constant": "1",
    "Name": "true",
    "Attribute": "$inputs.n",
    "Subscript": "[1][0]",
    "Slice": "[1][0:1]",
    "Call": "len([1])",
    "IfExp": "1 if 2 else 3",
    "List": "[1]",
    "Tuple": "(1, 2)",
    "Dict": "{'a': 1}",
}
"""Each part of Python's syntax that expressions have → an expression with it."""

OTHER_PARTS = {
    "Invert": "~1",
    "MatMult": "1 @ 2",
    "Pow": "1 ** 2",
    "LShift": "1 << 2",
    "RShift": "1 >> 2",
    "BitOr": "1 | 2",
    "BitXor": "1 ^ 2",
    "BitAnd": "1 & 2",
    "Is": "true is false",
    "IsNot": "true is not false",
    "NamedExpr": "(y := 5)",
    "Lambda": "lambda: 1",
    "Set": "{1}",
    "ListComp": "[1 for a in [2]]",
    "SetComp": "{1 for a in [2]}",
    "DictComp": "{'b': 1 for a in [2]}",
    "GeneratorExp": "len(1 for a in [2])",
    "Await": "await 1",
    "Yield": "(yield 1)",
    "YieldFrom": "(yield from [1])",
    "FormattedValue": "f'{1}'",
    "JoinedStr": "f'a'",
    "Interpolation": "t'{1}'",
    "TemplateStr": "t'a'",
    "Starred": "[*[1]]",
}
"""Each part that they have not → an attempt with nothing else that is wrong."""

KINDS = (ast.expr, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


@pytest.mark.parametrize(
    "part", [part for kind in KINDS for part in kind.__subclasses__()], ids=lambda part: part.__name__
)
def test_of_pythons_syntax_expressions_have_the_harmless_parts_alone(part):
    source, findings = (PARTS | OTHER_PARTS)[part.__name__], Findings()

    expression = parse(source, Names(), findings)

    assert any(isinstance(node, part) for node in ast.walk(ast.parse(source.replace("$", ""))))
    assert (expression is not None) == (part.__name__ in PARTS), findings.faults


@pytest.mark.parametrize("source", EXPRESSIONS.values(), ids=EXPRESSIONS.keys())
def test_no_expression_gets_out_or_runs_long(source):
    took = [refused(source)]
    while min(took) >= CPU_SECONDS and len(took) < TRIES:
        took.append(refused(source))

    assert min(took) < CPU_SECONDS


def refused(source):
    """The seconds of computing until it was refused or ended."""
    started, findings = time.process_time(), Findings()

    expression = parse(source, Names(), findings)

    if expression is None:
        assert findings.faults
    else:
        with pytest.raises(EvaluationError):
            expression.value(Evaluation(DATA, datetime.now(UTC)))
    return time.process_time() - started


@pytest.fixture(scope="module")
async def sandbox():
    async with Sandbox() as sandbox:
        yield sandbox


@pytest.mark.parametrize("code", CODE.values(), ids=CODE.keys())
async def test_no_code_gets_out_or_runs_long(code, sandbox):
    """The sandbox ends what does not end by itself; code that nobody ends hangs here."""
    notes = FaultCollector(read("code: x", "x.yaml"))

    compiled = compile_code(code, ("code",), Names(), notes)

    if compiled is None:
        assert notes.faults
    else:
        async with asyncio.timeout(60):
            with pytest.raises(PythonError) as raised:
                await sandbox.run(compiled, compiled.values(Evaluation(DATA, datetime.now(UTC))))
        assert len(str(raised.value)) < 2_000


async def test_code_that_is_right_still_runs_afterwards(sandbox):
    notes = FaultCollector(read("code: x", "x.yaml"))
    compiled = compile_code(
        "weak = [i for i in $inputs.list if i < 3]\nreturn {'weak': weak}", ("code",), Names(), notes
    )

    assert compiled is not None
    result = await sandbox.run(compiled, compiled.values(Evaluation(DATA, datetime.now(UTC))))

    assert result == {"weak": [0, 1, 2]}


async def test_code_works_on_a_copy(sandbox):
    data = {"x": {"items": [1]}}
    compiled = compile_code(
        "$x.items.append(5)\nreturn $x.items", ("code",), Names(), FaultCollector(read("code: x", "x.yaml"))
    )

    assert compiled is not None
    await sandbox.run(compiled, compiled.values(Evaluation(data, datetime.now(UTC))))

    assert data == {"x": {"items": [1]}}


async def test_the_start_of_a_worker_is_not_the_time_of_the_code(tmp_path, monkeypatch):
    """On a busy machine its program comes from the disk for longer than code may run."""
    program, real = tmp_path / "monty", Path(sysconfig.get_path("scripts")) / "monty"
    program.write_text(f'#!/bin/sh\nsleep 1.2\nexec "{real}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("MONTY_BIN", str(program))
    compiled = compile_code("return 1", ("code",), Names(), FaultCollector(read("code: x", "x.yaml")))

    assert compiled is not None
    async with Sandbox() as sandbox:
        assert await sandbox.run(compiled, {}) == 1

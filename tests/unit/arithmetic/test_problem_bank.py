import csv
from pathlib import Path

import pytest

from maththera.arithmetic.problem import ProblemError, make_problem
from maththera.arithmetic.problem_bank import COLUMNS, HEADER, Bank, BankError, row_of
from maththera.settings import home

SHIPPED = home() / "configs" / "arithmetic" / "problem_bank.csv"

ONE_OF_EACH_C = [
    ("4", "+", "1"),
    ("5", "-", "2"),
    ("5", "+", "4"),
    ("8", "-", "3"),
    ("10", "+", "9"),
    ("7", "+", "3"),
    ("8", "+", "6"),
    ("28", "+", "15"),
    ("15", "-", "8"),
    ("52", "-", "38"),
    ("367", "+", "285"),
    ("503", "-", "278"),
    ("7", "x", "8"),
    ("56", "/", "8"),
    ("24", "x", "3"),
]


@pytest.fixture(scope="module")
def bank() -> Bank:
    return Bank.load(SHIPPED)


def _small_bank() -> list[list[str]]:
    """A header and one row of each C: line 2 is C1, line 16 is C15."""
    problems = [
        make_problem(int(a), op, int(b), problem_id=f"T-{number}")
        for number, (a, op, b) in enumerate(ONE_OF_EACH_C, start=1)
    ]
    return [list(COLUMNS), *map(row_of, problems)]


def _write(rows: list[list[str]], path: Path) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def _with_cell(line: int, column: str, text: str) -> list[list[str]]:
    rows = _small_bank()
    rows[line - 1][COLUMNS.index(column)] = text
    return rows


def test_the_shipped_bank_holds_what_it_promises(bank: Bank) -> None:
    with SHIPPED.open(encoding="utf-8", newline="") as file:
        assert len(bank) == sum(1 for _ in csv.DictReader(file))
    assert len({(problem.key, problem.layout) for problem in bank}) < len(bank), "both orders of a sum are asked"
    assert len({(problem.expression, problem.layout) for problem in bank}) == len(bank)
    assert sum(len(bank.level(c)) for c in range(1, 16)) == len(bank)


@pytest.mark.parametrize(
    ("c", "band"),
    [
        (1, (0, 2.5)),
        (2, (0, 2.5)),
        (3, (0, 1)),
        (4, (1, 3.5)),
        (5, (2, 6.5)),
        (6, (2.5, 7.5)),
        (7, (3.5, 5)),
        (8, (1.5, 8)),
        (9, (7.5, 9.5)),
        (10, (3, 9.5)),
        (11, (1.5, 8)),
        (12, (3, 9.5)),
        (13, (0, 2)),
        (14, (1, 6.5)),
        (15, (2, 9)),
    ],
)
def test_the_w_band_of_each_unit(bank: Bank, c: int, band: tuple[float, float]) -> None:
    assert bank.band(c) == band


def test_a_problem_is_found_by_id_and_by_expression(bank: Bank) -> None:
    problem = bank.find(8, "+", 6, "vertical")
    assert problem is not None
    assert (problem.answer, problem.w_total, problem.c_level) == (14, 4.5, 7)
    assert bank[problem.problem_id] is bank.problem(problem.problem_id) is problem
    assert bank["P-00001"].problem_id == "P-00001"
    assert bank.find(1000, "+", 5, "horizontal") is None
    with pytest.raises(KeyError):
        bank["P-99999"]


def test_a_derived_id_is_resolved_without_the_bank(bank: Bank) -> None:
    assert bank.problem("X:100-98:h:gap").prompt == "98+□=100"
    with pytest.raises(ProblemError):
        bank.problem("P-99999")


def test_differences_of_the_second_unit_are_taken_apart(bank: Bank) -> None:
    forms = {(problem.op, problem.form) for problem in bank.level(2)}
    assert forms == {("+", "result"), ("-", "addend")}
    assert {problem.form for problem in bank if problem.c_level != 2} == {"result"}


def test_expressions_count_both_layouts_and_orders_once(bank: Bank) -> None:
    assert [bank.expressions(c) for c in (6, 7, 9, 13, 14)] == [5 + 9, 20, 36, 55, 81]


def test_the_largest_product_is_asked_in_one_layout(bank: Bank) -> None:
    assert bank.find(99, "x", 99, "horizontal") is not None
    assert bank.find(99, "x", 99, "vertical") is None


def test_any_bank_with_the_same_header_will_do(tmp_path: Path) -> None:
    bank = Bank.load(_write(_small_bank(), tmp_path / "bank.csv"))
    assert [problem.problem_id for problem in bank] == [f"T-{number}" for number in range(1, 16)]
    assert bank.band(8) == (7.0, 7.0)


def test_what_a_spreadsheet_writes_is_accepted(tmp_path: Path) -> None:
    path = _write(_with_cell(8, "w_total", "5"), tmp_path / "bank.csv")
    path.write_text("\ufeff" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert len(Bank.load(path)) == 15


@pytest.mark.parametrize(
    ("line", "column", "text", "fault"),
    [
        (2, "problem_id", "", "2:problem_id: '' must be 1 to 64 letters, digits and _ . -"),
        (2, "problem_id", "X:4+1:h", "2:problem_id: 'X:4+1:h' must be 1 to 64 letters, digits and _ . -"),
        (3, "problem_id", "T-1", "3:problem_id: T-1 stands in line 2 already"),
        (4, "a", "five", "4:a: 'five' is not a natural number of at most six digits"),
        (4, "b", "-4", "4:b: '-4' is not a natural number of at most six digits"),
        (4, "b", "", "4:b: '' is not a natural number of at most six digits"),
        (4, "op", "plus", "4:op: 'plus' must be one of + - x /"),
        (4, "layout", "diagonal", "4:layout: 'diagonal' must be one of horizontal, vertical"),
        (10, "b", "18", "10:b: 15-18 has a negative answer"),
        (15, "b", "9", "15:b: 56/9 has no whole answer"),
        (12, "a", "1367", "12:a: 1367+285 is outside the curriculum ladder"),
        (8, "answer", "15", "8:answer: '15' instead of '14'"),
        (8, "answer", "fourteen", "8:answer: 'fourteen' instead of '14'"),
        (8, "w3", "0.5", "8:w3: '0.5' instead of '1.5'"),
        (8, "w_total", "nan", "8:w_total: 'nan' instead of '5.0'"),
        (8, "c_level", "8", "8:c_level: '8' instead of '7'"),
        (8, "cog_c", "", "8:cog_c: '' instead of '4'"),
        (8, "l_level", "4", "8:l_level: '4' instead of '3'"),
        (8, "strategy_tag", "STR_DOUBLE", "8:strategy_tag: 'STR_DOUBLE' instead of 'STR_MAKE10'"),
    ],
)
def test_a_bad_cell_is_named(line: int, column: str, text: str, fault: str, tmp_path: Path) -> None:
    path = _write(_with_cell(line, column, text), tmp_path / "bank.csv")
    with pytest.raises(BankError) as refused:
        Bank.load(path)
    assert str(refused.value).splitlines() == [f"{path}:{fault}"]


def test_all_bad_rows_are_reported_in_one_go(tmp_path: Path) -> None:
    rows = _small_bank()
    rows[2][1] = rows[2][3] = "?"
    rows[4].pop()
    rows.append(["T-16", *rows[1][1:]])
    path = _write(rows, tmp_path / "bank.csv")
    with pytest.raises(BankError) as refused:
        Bank.load(path)
    assert str(refused.value).splitlines() == [
        f"{path}:3:a: '?' is not a natural number of at most six digits",
        f"{path}:3:b: '?' is not a natural number of at most six digits",
        f"{path}:5:row: 16 cells instead of 17",
        f"{path}:17:a: 4+1 horizontal stands in line 2 already",
    ]


def test_a_long_list_of_faults_is_cut(tmp_path: Path) -> None:
    rows = _small_bank() + [["?"]] * 23
    with pytest.raises(BankError) as refused:
        Bank.load(_write(rows, tmp_path / "bank.csv"))
    lines = str(refused.value).splitlines()
    assert len(lines) == 21
    assert lines[-1] == "… and 3 more"


def test_a_bank_without_some_unit_is_refused(tmp_path: Path) -> None:
    rows = [row for row in _small_bank() if row[COLUMNS.index("c_level")] not in {"4", "12"}]
    with pytest.raises(BankError, match=r"14:c_level: no problem of C4.*\n.*no problem of C12"):
        Bank.load(_write(rows, tmp_path / "bank.csv"))


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", HEADER.replace("w1,", ""), HEADER.upper()])
def test_another_header_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bank.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BankError, match="1:header: must be problem_id,a,op,b"):
        Bank.load(path)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", f'{HEADER}\n"P-1'.encode()])
def test_a_file_that_is_no_text_or_no_csv_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bank.csv"
    path.write_bytes(content)
    with pytest.raises(BankError, match=r"bank\.csv: "):
        Bank.load(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BankError, match=r"nowhere\.csv"):
        Bank.load(tmp_path / "nowhere.csv")

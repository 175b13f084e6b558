from maththera.servers.toolkit.passage_search import search, split

TEXT = """# 계획

## 2학년 평가

곱셈구구는 10월에 관찰로 평가한다.

덧셈은 6월에 서술형으로
평가한다.

## 3학년 평가

곱셈은 9월에 서술형으로 평가한다.

## 방학

여름 방학은 7월에 시작한다. 끝나기 5분 전에 종을 친다.
"""
PASSAGES = list(split("d1", "계획", 2025, TEXT))


def test_paragraphs_keep_their_heading() -> None:
    assert [(one.heading, one.place) for one in PASSAGES] == [
        ("2학년 평가", 1),
        ("2학년 평가", 2),
        ("3학년 평가", 3),
        ("방학", 4),
    ]
    assert PASSAGES[1].text == "덧셈은 6월에 서술형으로 평가한다."


def test_the_best_passage_comes_first() -> None:
    assert search("여름 방학은 언제 시작해요?", PASSAGES, 3)[0].passage.heading == "방학"
    assert search("2학년 덧셈 단원의 평가 계획은?", PASSAGES, 3)[0].passage.place == 2


def test_a_grade_is_not_answered_by_another() -> None:
    assert [hit.passage.heading for hit in search("3학년 곱셈 평가", PASSAGES, 3)] == ["3학년 평가"]
    assert search("5학년 분수 평가", PASSAGES, 3) == []


def test_a_compound_answers_for_the_word_that_it_begins_with() -> None:
    assert [hit.passage.place for hit in search("2학년 곱셈 단원 평가", PASSAGES, 3)] == [1]
    assert search("곱 평가", PASSAGES, 3) != search("곱셈 평가", PASSAGES, 3)


def test_nothing_to_find() -> None:
    assert search("급식 메뉴", PASSAGES, 3) == []
    assert search("?!", PASSAGES, 3) == []
    assert search("방학", [], 3) == []

"""Reading aloud and hearing, with stand-ins for what this browser's device lacks: a Korean voice and a recogniser."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.support.service import until
from tests.web.conftest import Tablets
from tests.web.robot import BEGIN, Robot, begun, student_of, turns, wants
from tests.web.scenes import SCENES, show
from tests.web.test_strategy import practising

pytestmark = pytest.mark.slow

_VOICE: Final = """
    window.spoken = [];
    const voice = { lang: "ko-KR", localService: true, name: "stand-in" };
    Object.defineProperty(window, "speechSynthesis", { value: {
        getVoices: () => [voice], addEventListener() {}, cancel() { window.reads = null; },
        speak(words) { window.spoken.push(window.reads = words.text); },
    } });
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""
_RECOGNISER: Final = """
    window.heard = [];
    window.SpeechRecognition = class {
        static available = async ({ langs, processLocally }) => {
            window.asked = true;
            return langs[0] === "ko-KR" && processLocally ? "available" : "unavailable";
        };
        start() {
            window.heard.push([this.lang, this.processLocally]);
            setTimeout(() => {
                const words = window.says;
                if (words) this.onresult({ results: [words.map((transcript) => ({ transcript }))] });
                this.onend();
            }, 20);
        }
        stop() {}
    };
"""
_ON_SERVER: Final = _RECOGNISER.replace('"available" :', '"unavailable" :')


def agreed(tablets: Tablets, page: Page) -> None:
    entry: dict[str, Any] = {"purpose": "voice", "granted": True, "given_by": "보호자"}
    address = f"/api/v1/students/{student_of(page)}/consents"
    tablets.service.client.post(address, json=entry).raise_for_status()


def test_a_problem_is_read_with_its_numbers_in_words(child: Callable[..., Page]) -> None:
    page = child()
    wants(page, read_aloud=True)
    page.add_init_script(_VOICE)
    show(page, SCENES["pad"], lines=False)
    page.get_by_role("button", name="읽어 주기").click()
    assert page.evaluate("window.spoken") == ["스물여덟 더하기 열다섯은?"]


def aloud(page: Page) -> str:
    """-> what is heard after a tap on the loudspeaker."""
    page.get_by_role("button", name="읽어 주기").last.click()
    return str(page.evaluate("window.reads"))


@pytest.fixture
def listener(child: Callable[..., Page]) -> Page:
    """At home, with reading aloud."""
    page = child()
    wants(page, read_aloud=True)
    page.add_init_script(_VOICE)
    page.reload()
    page.get_by_role("button", name="시작하자").wait_for()
    return page


_COMPARE: Final = {"name": "compare", "ask": "more", "params": {"left": 3, "right": 5}}


@pytest.mark.parametrize(
    ("shown", "heard"),
    [
        (SCENES["choices"], "스물여덟 더하기 열다섯은?"),
        (SCENES["example"], "십과 사를 모으면?"),
        (SCENES["steps"], "스물여덟 더하기 열다섯은? 이십팔에 이를 더하면?"),
        (SCENES["choices"] | {"prompt": "어느 쪽이 많아?", "choices": [1, 2], "widget": _COMPARE, "problem": None},
         "어느 쪽이 많아? 왼쪽. 오른쪽."),
    ],
    ids=["choices that are numbers", "a step of an example", "a step of a problem", "choices that are words"],
)  # fmt: skip
def test_what_is_read_is_what_is_asked(listener: Page, shown: dict[str, Any], heard: str) -> None:
    show(listener, shown)
    assert aloud(listener) == f"괜찮아. 천천히 해. 구십팔에 몇이면 백? {heard}"


def test_a_voice_ends_with_the_next_tap_and_with_the_screen(listener: Page, tablets: Tablets) -> None:
    body = {"student_id": student_of(listener), "mode": "practice", "c_position": 7, "seed": 7}
    tablets.service.client.post("/api/v1/sessions", json=body).raise_for_status()
    robot = Robot(listener)
    robot.start()
    assert aloud(listener).endswith("은?")
    robot.press("모르겠어")
    assert listener.evaluate("window.reads") is None
    listener.locator(".words").wait_for()
    assert aloud(listener) != "None"
    robot.next()
    assert listener.evaluate("window.reads") is None
    robot.look()
    assert aloud(listener).endswith("은?")
    listener.go_back()
    listener.get_by_role("button", name=BEGIN).wait_for()
    assert listener.evaluate("window.reads") is None


def test_words_of_danger_are_read_with_numbers_to_call(listener: Page) -> None:
    listener.get_by_role("button", name="이야기").click()
    listener.get_by_label("여기에 써 봐").fill("나는 죽고 싶어")
    listener.keyboard.press("Enter")
    listener.locator(".said[aria-busy=false] .bubble:last-child:not(.mine)").wait_for()
    assert "일공구" in aloud(listener)


def test_every_loudspeaker_is_large(listener: Page) -> None:
    def is_large() -> None:
        box = listener.get_by_role("button", name="읽어 주기").last.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 48

    show(listener, SCENES["pad"])
    is_large()
    listener.goto("/lesson")
    listener.locator(".bubble").wait_for()
    is_large()
    listener.goto("/train/T01")
    listener.locator(".words").wait_for()
    is_large()
    listener.get_by_role("button", name="시작하자", exact=True).click()
    listener.locator(".training .prompt").wait_for()
    is_large()
    assert aloud(listener) != "None"


def test_without_a_korean_voice_there_is_no_loudspeaker(child: Callable[..., Page]) -> None:
    page = child()
    wants(page, read_aloud=True)
    show(page, SCENES["pad"])
    expect(page.get_by_role("button", name="읽어 주기")).to_have_count(0)


def test_a_voice_of_a_server_reads_nothing(child: Callable[..., Page]) -> None:
    page = child()
    wants(page, read_aloud=True)
    page.add_init_script(_VOICE.replace("localService: true", "localService: false"))
    show(page, SCENES["pad"])
    expect(page.get_by_role("button", name="읽어 주기")).to_have_count(0)


def test_what_is_said_is_shown_then_confirmed_then_sent_as_voice(child: Callable[..., Page], tablets: Tablets) -> None:
    robot = practising(child, tablets)
    page = robot.page
    agreed(tablets, page)
    wants(page, voice=True)
    page.add_init_script(_RECOGNISER)
    page.reload()
    robot.start()
    page.evaluate("window.says = ['음', '사십삼 이요']")
    before = len(turns(tablets.service, page))
    page.get_by_role("button", name="말로 답하기").click()
    expect(page.locator(".slot").last).to_have_text("43")
    assert page.evaluate("window.heard") == [["ko-KR", True]]
    assert len(turns(tablets.service, page)) == before
    page.get_by_role("button", name="다 했어").click()
    page.locator(".words").wait_for()
    event = turns(tablets.service, page)[-1]["event"]
    assert (event["answer"], event["input"]) == (43, "voice")


def test_a_number_that_is_written_after_all_was_typed(child: Callable[..., Page], tablets: Tablets) -> None:
    robot = practising(child, tablets)
    page = robot.page
    agreed(tablets, page)
    wants(page, voice=True)
    page.add_init_script(_RECOGNISER)
    page.reload()
    robot.start()
    page.evaluate("window.says = ['구십구']")
    page.get_by_role("button", name="말로 답하기").click()
    expect(page.locator(".slot").last).to_have_text("99")
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    page.locator(".words").wait_for()
    event = turns(tablets.service, page)[-1]["event"]
    assert (event["answer"], event["input"]) == (12, "typed")


def test_what_is_not_understood_is_asked_again(child: Callable[..., Page], tablets: Tablets) -> None:
    page = child()
    agreed(tablets, page)
    wants(page, voice=True)
    page.add_init_script(_RECOGNISER + "window.says = ['어 그게'];")
    show(page, SCENES["pad"])
    page.get_by_role("button", name="말로 답하기").click()
    page.get_by_text("다시 말해 줘").wait_for()
    expect(page.locator(".slot").last).to_have_text("빈칸")


def test_a_recogniser_that_needs_a_server_is_no_microphone(child: Callable[..., Page], tablets: Tablets) -> None:
    page = child()
    agreed(tablets, page)
    wants(page, voice=True)
    page.add_init_script(_ON_SERVER)
    show(page, SCENES["pad"])
    until(lambda: page.evaluate("window.asked"))
    page.evaluate("new Promise(requestAnimationFrame).then(() => true)")
    expect(page.get_by_role("button", name="말로 답하기")).to_have_count(0)


def test_without_consent_the_child_is_sent_to_its_teacher(child: Callable[..., Page]) -> None:
    page = child()
    page.add_init_script(_RECOGNISER)
    page.reload()
    page.get_by_role("button", name="바꾸기").click()
    page.get_by_role("button", name="말할래").click()
    page.get_by_text("선생님에게 물어봐.").wait_for()
    expect(page.get_by_role("button", name="안 할래")).to_have_attribute("aria-pressed", "true")


def test_a_child_that_cannot_read_finds_the_loudspeaker_at_home(child: Callable[..., Page]) -> None:
    """Also one for whom it was turned off; from then on it stands beside whatever is to be read."""
    page = child()
    wants(page, read_aloud=False)
    page.add_init_script(_VOICE)
    page.reload()
    page.get_by_role("button", name="시작하자").wait_for()
    with page.expect_response("**/me/prefs"):
        assert aloud(page).startswith("시작하자 내 길.")
    page.get_by_role("button", name="놀이").click()
    page.locator(".games .tile").first.wait_for()
    assert aloud(page).startswith("놀이.")
    show(page, SCENES["pad"], lines=False)
    assert aloud(page) == "스물여덟 더하기 열다섯은?"
    page.goto("/")
    page.get_by_role("button", name="다른 친구").click()
    page.get_by_text("누구야?").wait_for()
    assert aloud(page) == "누구야? 하늘."


_TONES: Final = """
    window.tones = 0;
    const start = AudioScheduledSourceNode.prototype.start;
    AudioScheduledSourceNode.prototype.start = function (...when) { window.tones++; start.apply(this, when); };
"""


@pytest.mark.parametrize("sound", [False, True])
def test_a_right_answer_sounds_where_the_child_wants_it(
    child: Callable[..., Page], tablets: Tablets, sound: bool
) -> None:
    page = child()
    page.add_init_script(_TONES)
    page.reload()
    if sound:
        for name in ("바꾸기", "들을래", "다 했어"):
            page.get_by_role("button", name=name, exact=True).click()
    begun(tablets.service, page, first_problem="28+15", c_position=8)
    robot = Robot(page)
    robot.start()
    robot.answer(robot.right())
    robot.look()
    right = page.evaluate("window.tones")
    assert (right > 0) is sound
    while robot.look() != "problem":
        robot.next()
    robot.answer(robot.wrong())
    robot.look()
    assert page.evaluate("window.tones") == right

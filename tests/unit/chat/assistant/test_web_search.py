"""The kept search library over real HTTP: one of its engines at a server of our own."""

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs

import pytest
from ddgs.engines.duckduckgo import Duckduckgo

from maththera.chat.assistant.assistant_tools import AssistantTexts
from maththera.chat.assistant.web_search import WebSearchArguments, WebSearchTool, search_web
from maththera.chat.messages.chat_tools import Asker, ToolFailed
from maththera.settings import home
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from maththera.store.personal_data.student_names import StudentNames

ASKER = Asker(Principal("t", "teacher"), None)
TEXTS = AssistantTexts.load(home() / "configs").web
PAGE = """<html><body>
<div class="result body"><h2>받아내림 <b>지도</b></h2><a href="https://example.org/a">두 가지 방법을 견주었다.</a></div>
<div class="result body"><h2>주소가 아닌 것</h2><a href="javascript:alert(1)">이것은 보이지 않는다.</a></div>
</body></html>"""


class Engine:
    """What a search engine was asked, and what it answers."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.status, self.page = 200, PAGE
        engine = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                engine.asked += parse_qs(body)["q"]
                content = engine.page.encode()
                self.send_response(engine.status)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/html/"


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    found = Engine()
    thread = Thread(target=found.server.serve_forever)
    thread.start()
    monkeypatch.setattr(Duckduckgo, "search_url", found.url)
    monkeypatch.setattr("ddgs.ddgs.ENGINES", {"text": {"duckduckgo": Duckduckgo}})
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [])  # as on a machine with a network
    yield found
    found.server.shutdown()
    thread.join()
    found.server.server_close()


@pytest.fixture
def web(empty: Database) -> WebSearchTool:
    return WebSearchTool(TEXTS, StudentNames(empty), search_web)


async def test_what_the_engine_finds_is_shown_with_its_address(engine: Engine, web: WebSearchTool) -> None:
    found = await web.tool().call(ASKER, WebSearchArguments(question="웹에서 받아내림 지도법 찾아줘"))
    assert engine.asked == ["받아내림 지도법"]
    assert [page["url"] for page in found["pages"]] == ["https://example.org/a"]
    assert "받아내림 지도\n  https://example.org/a" in found["answers"]["beginner"]


async def test_nothing_found_is_no_failure(engine: Engine, web: WebSearchTool) -> None:
    engine.page = "<html><body></body></html>"
    found = await web.tool().call(ASKER, WebSearchArguments(question="웹에서 받아내림 지도법 찾아줘"))
    assert found["answers"] == {}
    assert "받아내림 지도법" in found["reason"]


async def test_an_address_where_nobody_listens_is_told_as_failing(
    engine: Engine, web: WebSearchTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/"
    monkeypatch.setattr(Duckduckgo, "search_url", address)
    with pytest.raises(ToolFailed, match="웹에서 찾을 수 없습니다"):
        await web.tool().call(ASKER, WebSearchArguments(question="웹에서 받아내림 지도법 찾아줘"))
    assert engine.asked == []

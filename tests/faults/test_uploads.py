"""Documents that are made to cost: they are refused, their readers end, and the service goes on beside them."""

import logging
import threading
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final

import httpx
import psutil
import pytest
import yaml

from maththera.chat.papers.paper_parsing import LARGEST, PaperRefused
from maththera.chat.papers.parser_process import PaperReader
from maththera.runtime.service_limits import Limits
from maththera.settings import home
from tests.support.patience import QUIET
from tests.support.service import Service, service, until
from tests.support.visitors import Child

logger = logging.getLogger(__name__)

pytestmark = pytest.mark.slow

_MOST_TEXT: Final = 4_000_000
LONG_WORDS: Final = b"w" * _MOST_TEXT
HEADINGS: Final = b"# a\n" * (_MOST_TEXT // 4)
ENTRIES: Final = b"@a{b,t={" * (_MOST_TEXT // 8)


def bomb(size: int = 400 * 2**20) -> bytes:
    """A PDF of one page, whose text is packed a thousand to one."""
    stream = zlib.compress(b"BT (a) Tj ET\n" * (size // 13), 9)
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 9 9]>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (len(stream), stream),
    ]
    body, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(body))
        body += b"%d 0 obj%b endobj\n" % (number, part)
    table = b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    return body + table + b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(body)


@pytest.fixture
def running(tmp_path: Path, redis_url: str) -> Iterator[Service]:
    with service(tmp_path, redis_url) as found:
        yield found


def readers(running: Service) -> list[psutil.Process]:
    """Those at work; one that has just ended is none."""
    found = []
    for each in psutil.Process(running.process.pid).children():
        with suppress(psutil.NoSuchProcess):  # a zombie too
            if "maththera.chat.papers.parser_process" in each.cmdline():
                found.append(each)
    return found


def test_hostile_uploads_at_once_keep_no_child_from_answering(running: Service) -> None:
    hostile = {
        "words.md": b"word " * (LARGEST // 5),
        "long.md": LONG_WORDS,
        "headings.md": HEADINGS,
        "entries.bib": ENTRIES,
        "bomb.pdf": bomb(),
        "fake.pdf": b"\0" * LARGEST,
        "nul.md": b"\xff" * LARGEST,
        "wrong.exe": b"x" * LARGEST,
    }
    child = Child()
    assert all(child.visit(running.client) for _ in range(100))
    alone = child.p95()
    child.seconds.clear()
    with ThreadPoolExecutor(len(hostile)) as threads:
        sent = [threads.submit(upload, running, name, content) for name, content in hostile.items()]
        while not all(each.done() for each in sent) or len(child.seconds) < 20:
            assert child.visit(running.client)
            assert len(readers(running)) <= Limits.load(home()).uploads.at_once
            time.sleep(0.05)
    beside = child.p95()
    logger.info("95 of 100 turns: %.1f ms alone, %.1f ms beside uploads", 1000 * alone, 1000 * beside)
    assert all(each.result() in (201, 422, None) for each in sent)
    assert not readers(running)
    child.check(running.client)
    assert beside <= 2 * alone or not QUIET


def upload(running: Service, name: str, content: bytes) -> int | None:
    """The answer's status; None where the connection ended before all was sent. Who is told that others are read first
    comes again, as a client does."""
    while True:
        try:
            answer = running.client.post("/api/v1/papers", params={"name": name}, content=content)
        except httpx.TransportError:
            return None
        if answer.status_code != 429:
            return answer.status_code
        time.sleep(float(answer.headers["retry-after"]))


def test_the_service_stops_while_a_document_is_read(running: Service) -> None:
    long = ("받아올림을 잊은 아이가 있다. " * (_MOST_TEXT // 20)).encode()
    answers: list[int | None] = []
    sending = threading.Thread(target=lambda: answers.append(upload(running, "long.md", long)))
    sending.start()
    (reader,) = until(lambda: readers(running))
    asked = time.monotonic()
    assert running.stop() == 0
    assert time.monotonic() - asked < 5 or not QUIET
    sending.join()
    assert answers == [503]
    assert not reader.is_running()


@pytest.mark.parametrize(
    ("name", "content", "outcome"),
    [
        ("long.md", LONG_WORDS, 4444),
        ("lines.md", b"w\n" * (_MOST_TEXT // 2), 4444),
        ("headings.md", HEADINGS, "no text"),
    ],
)
async def test_the_longest_documents_are_read_within_the_limits(name: str, content: bytes, outcome: int | str) -> None:
    reader = PaperReader(Limits.load(home()).uploads)
    if isinstance(outcome, str):
        with pytest.raises(PaperRefused, match=outcome):
            await reader.read(name, content)
    else:
        ((_, passages),) = await reader.read(name, content)
        assert abs(len(passages) - outcome) < 5


@pytest.mark.parametrize(("limit", "value"), [("seconds", 0.2), ("cpu_seconds", 1), ("memory_mb", 300)])
async def test_a_reader_that_exceeds_a_limit_ends(limit: str, value: float) -> None:
    limits = Limits.load(home()).uploads.model_copy(update={limit: value})
    long = ("받아올림을 잊은 아이가 있다. " * (_MOST_TEXT // 20)).encode()
    with pytest.raises(PaperRefused, match="takes too"):
        await PaperReader(limits).read("long.md", long)
    assert not [
        each for each in psutil.Process().children() if "maththera.chat.papers.parser_process" in each.cmdline()
    ]


def test_a_limit_that_is_none_is_named_with_its_line(tmp_path: Path) -> None:
    data = yaml.safe_load((home() / "configs" / "runtime" / "limits.yaml").read_text())
    data["uploads"]["at_once"] = 0
    (tmp_path / "configs" / "runtime").mkdir(parents=True)
    (tmp_path / "configs" / "runtime" / "limits.yaml").write_text(yaml.safe_dump(data, sort_keys=False))
    with pytest.raises(Exception, match=r"limits\.yaml:\d+: uploads\.at_once: "):
        Limits.load(tmp_path)

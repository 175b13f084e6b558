"""The page's files as the service hands them out, with or without a build."""

import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from maththera.api import page
from maththera.settings import home
from maththera.store.students import ANIMALS

SCRIPT = b"console.log(1);"


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / ".stamp").write_text("secret")
    for shell in page.ADDRESSES:
        (tmp_path / shell).write_text(f"<!doctype html>{shell}")
    (tmp_path / "assets" / "index-x.js").write_bytes(SCRIPT)
    (tmp_path / "assets" / "index-x.js.gz").write_bytes(gzip.compress(SCRIPT))
    return tmp_path


@pytest.fixture
async def client(dist: Path) -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()
    page.install(app, dist)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        yield client


@pytest.mark.parametrize(
    ("shell", "address"), [(shell, address) for shell, addresses in page.ADDRESSES.items() for address in addresses]
)
async def test_each_address_of_the_page_gets_its_shell_under_its_policy(
    client: httpx.AsyncClient, shell: str, address: str
) -> None:
    answer = await client.get(address)
    assert (answer.status_code, answer.text) == (200, f"<!doctype html>{shell}")
    policy = answer.headers["content-security-policy"]
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-cache"


async def test_what_has_its_content_in_its_name_is_kept_for_ever_and_sent_compressed(client: httpx.AsyncClient) -> None:
    answer = await client.get("/assets/index-x.js", headers={"Accept-Encoding": "gzip"})
    assert (answer.content, answer.headers["content-encoding"]) == (SCRIPT, "gzip")
    assert "immutable" in answer.headers["cache-control"]
    plain = await client.get("/assets/index-x.js", headers={"Accept-Encoding": "identity"})
    assert (plain.content, "content-encoding" in plain.headers) == (SCRIPT, False)
    again = await client.get("/assets/index-x.js", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("address", ["/.stamp", "/assets/", "/assets/../.stamp", "/assets/index-x.js.gz", "/none"])
async def test_nothing_else_is_handed_out(client: httpx.AsyncClient, address: str) -> None:
    assert (await client.get(address)).status_code == 404


async def test_without_a_build_the_root_says_so(tmp_path: Path) -> None:
    app = FastAPI()
    page.install(app, tmp_path)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        answer = await client.get("/")
    assert answer.status_code == 200
    assert "화면이 없습니다" in answer.text


def test_every_animal_is_drawn_and_a_smile_for_who_has_none() -> None:
    drawn = re.findall('<symbol id="([a-z]+)"', (home() / "web/src/child/animals.svg").read_text())
    assert set(drawn) == {*ANIMALS, "smile"}

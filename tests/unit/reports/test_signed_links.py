import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from maththera.reports.signed_links import LinkRefused, ReportLinks, report_file

ID, LINK = "0123456789abcdef01234567", "89abcdef01234567"
LINKS = ReportLinks(b"k" * 32)


def parts(url: str) -> tuple[str, str, str]:
    """Of a link, as a request has them."""
    split = urlsplit(url)
    query = parse_qs(split.query)
    return split.path.split("/")[-1].removesuffix(".pdf"), query["link"][0], query["signature"][0]


def test_what_was_signed_is_taken() -> None:
    assert parts(LINKS.sign(ID, LINK))[:2] == (ID, LINK)
    LINKS.check(*parts(LINKS.sign(ID, LINK)))


_SIGNATURE = parts(LINKS.sign(ID, LINK))[2]


@pytest.mark.parametrize(
    "changed",
    [
        ("f" * 24, LINK, _SIGNATURE),
        (ID, "f" * 16, _SIGNATURE),
        (ID, LINK, _SIGNATURE[:-1] + ("0" if _SIGNATURE[-1] != "0" else "1")),
        (ID, LINK, _SIGNATURE[:-1]),
        (ID, LINK, ""),
        (ID, "", _SIGNATURE),
        (ID, LINK, "가"),
        (ID, "가", _SIGNATURE),
        (f"../{ID}", LINK, _SIGNATURE),
        ("", LINK, _SIGNATURE),
    ],
)
def test_a_changed_link_is_refused(changed: tuple[str, str, str]) -> None:
    with pytest.raises(LinkRefused):
        LINKS.check(*changed)


def test_another_key_opens_nothing() -> None:
    with pytest.raises(LinkRefused, match="signature"):
        ReportLinks(b"x" * 32).check(*parts(LINKS.sign(ID, LINK)))


def test_all_processes_of_a_data_directory_share_one_key(tmp_path: Path) -> None:
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(ReportLinks.of(tmp_path).key)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found[0]) == 32
    files = list((tmp_path / "reports").iterdir())
    assert [file.name for file in files] == ["link.key"], "nothing is left lying about"
    assert files[0].stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("bad", ["", "../x", "0123", "G" * 24, f"{ID}/..", "link.key"])
def test_only_report_ids_name_files(tmp_path: Path, bad: str) -> None:
    with pytest.raises(ValueError, match="no report id"):
        report_file(tmp_path, bad)

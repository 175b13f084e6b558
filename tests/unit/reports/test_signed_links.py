import threading
from pathlib import Path

import pytest

from maththera.reports.signed_links import LinkRefused, ReportLinks, report_file

ID = "0123456789abcdef01234567"
LINKS = ReportLinks(b"k" * 32)
NOW = 1_800_000_000


def test_a_link_opens_its_report_until_it_expires() -> None:
    url = LINKS.sign(ID, now=NOW, lifetime=60)
    assert LINKS.check(url, now=NOW + 59) == ID
    assert LINKS.check(f"https://school.example{url}", now=NOW) == ID
    with pytest.raises(LinkRefused, match="expired") as refused:
        LINKS.check(url, now=NOW + 60)
    assert refused.value.expired


@pytest.mark.parametrize(
    "change",
    [
        lambda url: url.replace(ID, "f" * 24),
        lambda url: url.replace(f"expires={NOW + 60}", f"expires={NOW + 61}"),
        lambda url: url[:-1] + ("0" if url[-1] != "0" else "1"),
        lambda url: url.partition("&")[0],
        lambda url: url.partition("?")[0],
        lambda url: url.replace("expires=", "expires=-"),
        lambda url: url.replace("expires=", "expires=٣"),
        lambda url: url.replace("signature=", "signature=가"),
        lambda url: url.replace(ID, f"../{ID}"),
        lambda url: url.replace(".pdf", ".exe"),
        lambda url: url[:0],
    ],
)
def test_a_changed_link_opens_nothing(change: object) -> None:
    url = LINKS.sign(ID, now=NOW, lifetime=60)
    with pytest.raises(LinkRefused) as refused:
        LINKS.check(change(url), now=NOW)  # type: ignore[operator]
    assert not refused.value.expired


def test_another_key_opens_nothing() -> None:
    with pytest.raises(LinkRefused, match="signature"):
        ReportLinks(b"x" * 32).check(LINKS.sign(ID))


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

"""Links that open a report without a login until they expire: a path with an expiry and a signature.

The key lies beside the reports in the data directory: reading it takes the same rights as reading the reports.
"""

import hashlib
import hmac
import os
import re
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

LIFETIME_S: Final = 7 * 24 * 3600
"""A link in a letter to guardians should still open at the end of the week."""

PATH: Final = "/api/v1/reports/{report_id}.pdf"
_REPORT_ID: Final = re.compile(r"[0-9a-f]{24}")
_KEY_BYTES: Final = 32


class LinkRefused(Exception):
    """The link was changed, is foreign, or has expired (`expired`)."""

    def __init__(self, reason: str, *, expired: bool = False) -> None:
        super().__init__(reason)
        self.expired = expired


@dataclass(frozen=True, slots=True)
class ReportLinks:
    """Signs and checks with one key."""

    key: bytes

    @classmethod
    def of(cls, data_dir: Path) -> "ReportLinks":
        """The links of this data directory. The first process makes the key."""
        folder = data_dir / "reports"
        folder.mkdir(parents=True, exist_ok=True)
        path, fresh = folder / "link.key", folder / f".link.key.{secrets.token_hex(8)}"
        if not path.exists():
            with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_bytes(_KEY_BYTES))
            with suppress(FileExistsError):
                path.hardlink_to(fresh)  # atomic, and only if no other process was first
            fresh.unlink()
        return cls(path.read_bytes())

    def sign(self, report_id: str, *, now: float | None = None, lifetime: int = LIFETIME_S) -> str:
        """The path and query that open the report until `lifetime` seconds from now."""
        expires = int((time.time() if now is None else now) + lifetime)
        path = PATH.format(report_id=report_id)
        return f"{path}?expires={expires}&signature={self._signature(report_id, expires)}"

    def check(self, url: str, *, now: float | None = None) -> str:
        """The report id of a signed path (with or without scheme and host); LinkRefused for any other."""
        parts = urlsplit(url)
        match = re.fullmatch(PATH.format(report_id=f"({_REPORT_ID.pattern})"), parts.path)
        query = parse_qs(parts.query)
        expires, signature = query.get("expires", [""])[0], query.get("signature", [""])[0]
        if match is None:
            raise LinkRefused("no report has this address")
        return self.check_parts(match[1], expires, signature, now=now)

    def check_parts(self, report_id: str, expires: str, signature: str, *, now: float | None = None) -> str:
        """The same with the parts of a request; `expires` are seconds since 1970."""
        if not (_REPORT_ID.fullmatch(report_id) and re.fullmatch(r"[0-9]{1,12}", expires)):
            raise LinkRefused("the link is incomplete")
        if not hmac.compare_digest(self._signature(report_id, int(expires)).encode(), signature.encode()):
            raise LinkRefused("the signature does not fit")
        if int(expires) <= (time.time() if now is None else now):
            raise LinkRefused("the link has expired", expired=True)
        return report_id

    def _signature(self, report_id: str, expires: int) -> str:
        return hmac.new(self.key, f"report {report_id} {expires}".encode(), hashlib.sha256).hexdigest()


def report_file(data_dir: Path, report_id: str) -> Path:
    """The path of a report's PDF. ValueError for an invalid report id."""
    if not _REPORT_ID.fullmatch(report_id):
        raise ValueError(f"{report_id!r} is no report id")
    return data_dir / "reports" / f"{report_id}.pdf"

"""Links that open a report without a login: a path with the link's id and a signature. The records say how long each
link lives (`store/reports.py`); one that they do not know opens nothing.

The key lies beside the reports in the data directory: reading it takes the same rights as reading the reports.
"""

import hashlib
import hmac
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

LIFETIME: Final = timedelta(days=7)
"""A link in a letter to guardians should still open at the end of the week."""

PATH: Final = "/api/v1/reports/{report_id}.pdf"
_REPORT_ID: Final = re.compile(r"[0-9a-f]{24}")
_KEY_BYTES: Final = 32


class LinkRefused(Exception):
    """The link was changed, or is foreign."""


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

    def sign(self, report_id: str, link_id: str) -> str:
        """The path and query of the link."""
        return f"{PATH.format(report_id=report_id)}?link={link_id}&signature={self._signature(report_id, link_id)}"

    def check(self, report_id: str, link_id: str, signature: str) -> None:
        """LinkRefused unless these are the parts of a link that was signed."""
        if not _REPORT_ID.fullmatch(report_id):
            raise LinkRefused("no report has this id")
        if not hmac.compare_digest(self._signature(report_id, link_id).encode(), signature.encode()):
            raise LinkRefused("the signature does not fit")

    def _signature(self, report_id: str, link_id: str) -> str:
        return hmac.new(self.key, f"report {report_id} {link_id}".encode(), hashlib.sha256).hexdigest()


def report_file(data_dir: Path, report_id: str) -> Path:
    """The path of a report's PDF. ValueError for an invalid report id."""
    if not _REPORT_ID.fullmatch(report_id):
        raise ValueError(f"{report_id!r} is no report id")
    return data_dir / "reports" / f"{report_id}.pdf"

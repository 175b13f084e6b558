"""LangGraph's own server, as `make studio` starts it, and a client of its API."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx

from tests.support.network import free_port
from tests.support.programs import studio_python
from tests.support.servers import POLL_SECONDS, START_SECONDS, Server

ROOT: Final = Path(__file__).parents[2]
Json = dict[str, Any]


class StudioServer(Server):
    """`make studio` on a port and a data directory of its own. `url` is that of its API; `flows` the folder of saved
    flows, with those of `saved` (name → text)."""

    def __init__(self, saved: Mapping[str, str]) -> None:
        self._python = studio_python()
        super().__init__("studio")
        self.flows = self.folder / "data" / "flows"
        self.flows.mkdir(parents=True)
        for name, text in saved.items():
            (self.flows / f"{name}.yaml").write_text(text, encoding="utf-8")
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"

    def wait_for_change(self, of: str) -> str:
        """The lines of the log that name files seen to change, once one names `of`."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            lines = [line for line in self.log.read_text(errors="replace").splitlines() if "detected" in line]
            if any(of in line for line in lines):
                return "\n".join(lines)
            assert time.monotonic() < deadline, self.log.read_text(errors="replace")
            time.sleep(POLL_SECONDS)

    def _signal(self, number: signal.Signals) -> None:
        """To the process that watches the code, and to the server that it has started."""
        if self._process is not None and self.running:
            os.killpg(self._process.pid, number)

    def _spawn(self, log: int) -> subprocess.Popen[bytes]:
        settings = {
            "MATHTHERA_DATA_DIR": str(self.folder / "data"),
            "LANGGRAPH_DISABLE_FILE_PERSISTENCE": "true",  # nothing of this run stays in the checkout
            "LOG_COLOR": "false",
            "LOG_LEVEL": "DEBUG",  # names the files that changed
        }
        return subprocess.Popen(
            [self._python, "scripts/studio.py", "--port", str(self._port)],
            cwd=ROOT, env={**os.environ, **settings}, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip

    def _answers(self) -> bool:
        with (
            suppress(OSError, httpx.TransportError),
            socket.create_connection(("127.0.0.1", self._port), START_SECONDS),
        ):
            return httpx.get(f"{self.url}/ok").is_success  # not before: each call loads all certificates
        return False


class Studio:
    """One thread of one graph, as the Studio page uses it."""

    def __init__(self, url: str, graph: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=START_SECONDS)
        self._graph = graph
        self._thread = self._http.post("/threads", json={}).json()["thread_id"]

    def close(self) -> None:
        self._http.close()

    def assistants(self) -> set[str]:
        """The graphs that there are."""
        return {each["graph_id"] for each in self._post("/assistants/search", {"limit": 100})}

    def picture(self) -> Json:
        """`nodes` and `edges`."""
        return self._get(f"/assistants/{self._assistant}/graph")

    def schemas(self) -> Json:
        return self._get(f"/assistants/{self._assistant}/schemas")

    def run(self, given: Any = None, **options: Any) -> list[tuple[str, Any]]:
        """What a run streams, as (node, update); a failure as ("error", {error, message})."""
        body = {"assistant_id": self._graph, "input": given, "stream_mode": ["updates"], **options}
        found: list[tuple[str, Any]] = []
        with self._http.stream("POST", f"/threads/{self._thread}/runs/stream", json=body) as answer:
            event = ""
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                event = value if name == "event" else event
                if name != "data" or event not in ("updates", "error"):
                    continue
                data = json.loads(value)
                found += [("error", data)] if event == "error" else list(data.items())
        return found

    def resume(self, answer: Any, **options: Any) -> list[tuple[str, Any]]:
        return self.run(command={"resume": answer}, **options)

    def state(self) -> Json:
        """`values`, `next` nodes, `checkpoint`, `tasks`."""
        return self._get(f"/threads/{self._thread}/state")

    def edit(self, values: Json, as_node: str, checkpoint: Json | None = None) -> None:
        """Writes to the state as a node would; from an older checkpoint, this is a fork."""
        where = {"checkpoint": checkpoint} if checkpoint else {}
        self._post(f"/threads/{self._thread}/state", {"values": values, "as_node": as_node, **where})

    def history(self) -> list[Json]:
        """The states of this thread, the newest first."""
        found: list[Json] = self._post(f"/threads/{self._thread}/history", {"limit": 100})
        return found

    @property
    def _assistant(self) -> str:
        found: str = self._post("/assistants/search", {"graph_id": self._graph})[0]["assistant_id"]
        return found

    def _get(self, path: str) -> Json:
        found: Json = self._http.get(path).raise_for_status().json()
        return found

    def _post(self, path: str, body: Json) -> Any:
        return self._http.post(path, json=body).raise_for_status().json()

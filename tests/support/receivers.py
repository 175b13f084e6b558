"""Those who are told of alerts, as real servers on this machine: a webhook, and a mail server."""

import asyncio
import base64
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson


@dataclass
class Webhook:
    """`answers`: the statuses of the next requests, 200 after the last; a redirect goes to `/elsewhere`. While `held`
    is not set, a request waits for its answer."""

    url: str
    answers: list[int] = field(default_factory=list)
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)
    held: threading.Event = field(default_factory=threading.Event)

    @property
    def told(self) -> list[Any]:
        """The bodies."""
        return [orjson.loads(body) for _, _, body in self.requests]

    @property
    def keys(self) -> list[str]:
        return [headers["idempotency-key"] for _, headers, _ in self.requests]


@contextmanager
def webhook() -> Iterator[Webhook]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            found.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            status = found.answers.pop(0) if found.answers else 200
            found.arrived.set()
            found.held.wait(60)
            with suppress(OSError):  # who asked may be dead
                self.send_response(status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Not into the output of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = Webhook(f"http://127.0.0.1:{server.server_port}/alerts")
    found.held.set()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield found
    finally:
        found.held.set()
        server.shutdown()
        thread.join()
        server.server_close()


@dataclass
class MailServer:
    """`refusals`: codes that the next mails are refused with. `logins`: user and password of each login."""

    port: int = 0
    refusals: list[int] = field(default_factory=list)
    mails: list[EmailMessage] = field(default_factory=list)
    recipients: list[list[str]] = field(default_factory=list)
    logins: list[tuple[str, str]] = field(default_factory=list)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """SMTP as RFC 5321 has it, with AUTH PLAIN."""

        async def say(line: str) -> None:
            writer.write(f"{line}\r\n".encode())
            await writer.drain()

        to: list[str] = []
        await say("220 test")
        while line := (await reader.readline()).decode().strip():
            command = line.split()[0].upper()
            if command == "EHLO":
                await say("250-test\r\n250 AUTH PLAIN")
            elif command == "AUTH":
                _, user, password = base64.b64decode(line.split()[2]).decode().split("\0")
                self.logins.append((user, password))
                await say("235 welcome")
            elif command == "RCPT":
                to.append(line.partition("<")[2].partition(">")[0])
                await say("250 ok")
            elif command == "DATA":
                await say("354 go on")
                data = (await reader.readuntil(b"\r\n.\r\n"))[: -len(b".\r\n")]
                if self.refusals:
                    await say(f"{self.refusals.pop(0)} not now")
                    continue
                self.mails.append(message_from_bytes(data.replace(b"\r\n..", b"\r\n."), policy=policy.default))
                self.recipients.append(to)
                await say("250 taken")
            elif command == "QUIT":
                await say("221 bye")
                break
            else:
                await say("250 ok")
        writer.close()


@asynccontextmanager
async def mail_server() -> AsyncIterator[MailServer]:
    found = MailServer()
    server = await asyncio.start_server(found.talk, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    async with server:
        yield found

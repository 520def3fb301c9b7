"""A headless Chromium driven over its debugging pipe: no port, no extra dependency."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
# The browser reads its orders on descriptor 3 and answers on 4.
LAUNCH = """
import fcntl, os, sys
read, write = (fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3])
os.dup2(read, 3)
os.dup2(write, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
PATIENCE_SECONDS = 60.0


def find_chromium() -> str:
    """Return the browser's path; skip where there is none, fail where one is required."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found:
        return found
    reason = "no chromium on this machine"
    if os.environ.get("MEMSLEEP_REQUIRE_BROWSER") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


class Chromium:
    """One browser with one page."""

    def __init__(self, profile: Path) -> None:
        orders_read, self._orders = os.pipe()
        self._answers, answers_write = os.pipe()
        command = [sys.executable, "-c", LAUNCH, str(orders_read), str(answers_write)]
        self._process = subprocess.Popen(
            [*command, find_chromium(), *FLAGS, f"--user-data-dir={profile}"],
            pass_fds=(orders_read, answers_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(orders_read)
        os.close(answers_write)
        self._buffer = b""
        self._last = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility", "DOM"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        try:
            self._session = None
            self.call("Browser.close")
            self._process.wait(10)
        finally:
            self._process.kill()
            self._process.wait()
            os.close(self._orders)
            os.close(self._answers)

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._answers], [], [], deadline - time.monotonic())
            chunk = os.read(self._answers, 1 << 20) if ready else b""
            assert chunk, "the browser fell silent"
            self._buffer += chunk
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)  # type: ignore[no-any-return]

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send one order and return its result; events on the way are kept."""
        self._last += 1
        order: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            order["sessionId"] = self._session
        os.write(self._orders, json.dumps(order).encode() + b"\0")
        while True:
            message = self._receive()
            if message.get("id") == self._last:
                assert "error" not in message, f"{method}: {message['error']}"
                return message["result"]  # type: ignore[no-any-return]
            if "method" in message:
                self.events.append(message)

    def open(self, path: Path, *, width: int, dark: bool, height: int = 800) -> None:
        """Show a file at a width, in one colour scheme, and wait until it has loaded."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        self.events.clear()
        self.call("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            message = self._receive()
            self.events.append(message)

    def value(self, expression: str) -> Any:
        """Return what an expression gives in the page."""
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def press(self, key: str, code: int) -> None:
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                **text,
            )

    def complaints(self) -> list[str]:
        """Return what the page wrote to the console or the log."""
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [json.dumps(event["params"]) for event in self.events if event["method"] in kinds]

    def requests(self) -> list[str]:
        """Return every address that the page asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def screenshot(self, clip: tuple[int, int, int, int] | None = None) -> bytes:
        """Return a PNG of the whole page, or of left, top, width, height."""
        if clip is None:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = (0, 0, size["width"], size["height"])
        area = dict(zip(("x", "y", "width", "height"), clip, strict=True), scale=1)
        shot = self.call("Page.captureScreenshot", clip=area, captureBeyondViewport=True)
        return base64.b64decode(shot["data"])


def _unfiltered(kind: int, row: bytearray, above: bytes, step: int) -> None:
    for place in range(len(row)):
        left = row[place - step] if place >= step else 0
        up = above[place]
        corner = above[place - step] if place >= step else 0
        guess = left + up - corner
        nearest = min((left, up, corner), key=lambda value: abs(guess - value))
        row[place] = (row[place] + (0, left, up, (left + up) // 2, nearest)[kind]) & 255


def pixels(png: bytes) -> list[list[tuple[int, int, int]]]:
    """Return the rows of an 8-bit RGB or RGBA picture."""
    at, packed = 8, b""
    width = height = step = 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        part = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", part[:10])
            assert depth == 8
            step = {2: 3, 6: 4}[colour]
        packed += part if kind == b"IDAT" else b""
        at += 12 + length
    raw, above, rows = zlib.decompress(packed), bytes(width * step), []
    for number in range(height):
        start = number * (width * step + 1)
        row = bytearray(raw[start + 1 : start + 1 + width * step])
        _unfiltered(raw[start], row, above, step)
        above = bytes(row)
        rows.append([(row[x], row[x + 1], row[x + 2]) for x in range(0, len(row), step)])
    return rows

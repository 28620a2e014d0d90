"""The server around the router: `streamlit run serve.py` is what `ofclab dashboard` does."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A page opened by its own address (/fouls) would first look for the server below itself (/fouls/_stcore) and log two
# 404s. Told where the server is, the browser asks there at once.
HINT = b'<script>window.__streamlit={BACKEND_BASE_URL:location.origin+"/"}</script></head>'


class TellServerAddress:
    """Writes the server's address into every HTML page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, and HTML with the hint at the end of its head."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        # Without this header the HTML comes uncompressed, so that the hint can be put in.
        wants_html = any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])
        if wants_html:
            headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            scope = {**scope, "headers": headers}
        start: Message | None = None
        body = b""

        async def rewrite(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                html = any(n == b"content-type" and v.startswith(b"text/html") for n, v in message["headers"])
                if wants_html and html and message["status"] == 200:
                    start = message
                    return
            elif start is not None and message["type"] == "http.response.body":
                body += message.get("body", b"")
                if message.get("more_body"):
                    return
                body = body.replace(b"</head>", HINT, 1)
                kept = [(n, v) for n, v in start["headers"] if n not in (b"content-length", b"etag")]
                await send({**start, "headers": [*kept, (b"content-length", str(len(body)).encode())]})
                message = {"type": "http.response.body", "body": body}
            await send(message)

        await self.app(scope, receive, rewrite)


app = st.App(Path(__file__).with_name("app.py"), middleware=[Middleware(TellServerAddress)])

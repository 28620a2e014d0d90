"""A visitor over the websocket, without a browser: asks for a page and takes what the server sends."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg


@dataclass
class Seen:
    """What one visitor got: everything as text, and the seconds until heading, verdict and end."""

    text: str = ""
    seconds: dict[str, float] = field(default_factory=dict)


def _texts(message: Any) -> list[str]:
    """Every string of a message, however deep."""
    found = []
    for kind, value in message.ListFields():
        values = value if kind.is_repeated else [value]
        if kind.message_type is not None:
            if kind.message_type.GetOptions().map_entry:
                found += [str(item) for pair in value.items() for item in pair]
            else:
                for each in values:
                    found += _texts(each)
        elif kind.type == kind.TYPE_STRING:
            found += list(values)
        elif kind.type == kind.TYPE_BYTES:
            found += [each.decode("utf-8", "replace") for each in values]
    return found


async def visit(server: str, page: str, query: str, *further: str, timeout: float = 120) -> list[Seen]:
    """Open a page, then the same page with further queries, in one session; what was seen each time."""
    address = server.replace("http://", "ws://") + "/_stcore/stream"
    seen = []
    async with websockets.connect(address, subprotocols=["streamlit"], max_size=None, origin=server) as socket:
        for asked in (query, *further):
            back = BackMsg()
            back.rerun_script.query_string = asked
            back.rerun_script.page_name = page
            begun, got = time.perf_counter(), Seen()
            await socket.send(back.SerializeToString())
            parts: list[str] = []
            while True:
                raw = await asyncio.wait_for(socket.recv(), timeout)
                message = ForwardMsg.FromString(raw)
                now = time.perf_counter() - begun
                if message.WhichOneof("type") == "script_finished":
                    break
                texts = _texts(message)
                parts += texts
                if message.WhichOneof("type") == "delta" and message.delta.WhichOneof("type") == "new_element":
                    element = message.delta.new_element
                    if element.WhichOneof("type") == "heading":
                        got.seconds.setdefault("heading", now)
                if any('class="verdict"' in text for text in texts):
                    got.seconds.setdefault("verdict", now)
            got.seconds["end"] = time.perf_counter() - begun
            got.text = "\n".join(parts)
            seen.append(got)
    return seen


def visit_together(server: str, asked: list[tuple[str, str]]) -> list[Seen]:
    """So many visitors at the same moment, each with a page and a query; what each has seen."""

    async def everybody() -> list[list[Seen]]:
        return await asyncio.gather(*(visit(server, page, query) for page, query in asked))

    return [seen[0] for seen in asyncio.run(everybody())]

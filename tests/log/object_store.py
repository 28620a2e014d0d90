"""A read-only stand-in for an S3 server: lists keys and serves ranges of files below a folder."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlparse
from xml.sax.saxutils import escape


@contextmanager
def serving(root: Path) -> Iterator[str]:
    """Serve the folders of ``root`` as buckets; yields the endpoint's URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_HEAD(self) -> None:
            self._answer(send_body=False)

        def do_GET(self) -> None:
            self._answer(send_body=True)

        def _answer(self, send_body: bool) -> None:
            url = urlparse(self.path)
            query = parse_qs(url.query, keep_blank_values=True)
            path = root / unquote(url.path).strip("/")
            if "list-type" in query:
                body, status = self._listing(path, query).encode(), 200
            elif path.is_file():
                body, status = path.read_bytes(), 200
            else:
                body, status = b"<Error><Code>NoSuchKey</Code></Error>", 404
            headers = {"ETag": f'"{len(body)}"', "Last-Modified": formatdate(0, usegmt=True), "Accept-Ranges": "bytes"}
            span = self.headers.get("Range")
            if span and status == 200:
                first, _, last = span.removeprefix("bytes=").partition("-")
                start = int(first) if first else max(0, len(body) - int(last))
                end = min(int(last), len(body) - 1) if first and last else len(body) - 1
                headers["Content-Range"] = f"bytes {start}-{end}/{len(body)}"
                body, status = body[start : end + 1], 206
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if send_body:
                self.wfile.write(body)

        def _listing(self, bucket: Path, query: dict[str, list[str]]) -> str:
            prefix = query.get("prefix", [""])[0]
            found = sorted(file for file in bucket.rglob("*") if file.is_file())
            keys = {file.relative_to(bucket).as_posix(): file.stat().st_size for file in found}
            entries = "".join(
                f"<Contents><Key>{escape(key)}</Key><Size>{size}</Size><ETag>1</ETag>"
                "<LastModified>2024-01-01T00:00:00Z</LastModified></Contents>"
                for key, size in keys.items()
                if key.startswith(prefix)
            )
            return (
                f'<?xml version="1.0"?><ListBucketResult><Name>{bucket.name}</Name><Prefix>{escape(prefix)}</Prefix>'
                f"<IsTruncated>false</IsTruncated>{entries}</ListBucketResult>"
            )

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()

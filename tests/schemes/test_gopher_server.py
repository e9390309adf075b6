"""Section 3.4 in action: a small Gopher server receives exactly the bytes of Gopher.request()."""

import socket
import socketserver
import threading

import pytest

from fasturl.schemes import Gopher, decompose


@pytest.fixture(scope="module")
def server():
    received = []

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            data = b""
            while piece := self.request.recv(4096):
                data += piece
            received.append(data)
            self.request.sendall(b"+-1\r\nread\r\n.\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as gopherd:
        thread = threading.Thread(target=gopherd.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield gopherd.server_address[1], received
        gopherd.shutdown()
        thread.join(10)


def ask(url, server):
    port, received = server
    received.clear()
    parts = decompose(url.replace("PORT", str(port)))
    with socket.create_connection((parts.host, parts.port), timeout=10) as client:
        client.sendall(parts.request())
        client.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := client.recv(4096):
            answer += piece
    assert answer.endswith(b".\r\n")
    return received[0]


@pytest.mark.parametrize(("path", "data"), [
    ("", b"\r\n"),                                            ("/", b"\r\n"),
    ("/11/docs", b"1/docs\r\n"),                              ("/0/a%20b%E9", b"/a b\xe9\r\n"),
    ("/7/find%09red%20fox", b"/find\tred fox\r\n"),           ("/1/d%09%09+", b"/d\t\t+\r\n"),
    ("/1/d%09%09?", b"/d\t\t?\r\n"),                          ("/1/d%09%09!", b"/d\t\t!\r\n"),
    ("/1/d%09%09$", b"/d\t\t$\r\n"),
    ("/1/d%09q%09!+ABSTRACT%20+SMELL", b"/d\tq\t!+ABSTRACT +SMELL\r\n"),
    ("/0/d%09%09+application/postscript%20Es_ES", b"/d\t\t+application/postscript Es_ES\r\n"),
    ("/0/d%09%09+%091%0D%0A+-1%0D%0Ared%0D%0Afox%0D%0A.%0D%0A", b"/d\t\t+\t1\r\n+-1\r\nred\r\nfox\r\n.\r\n"),
])  # fmt: skip
def test_the_server_receives_the_bytes_of_the_request(path, data, server):
    assert ask(f"gopher://127.0.0.1:PORT{path}", server) == data


def test_a_form_that_was_filled_arrives(server):
    url = Gopher("127.0.0.1", server[0], "0", "ask", plus=Gopher.filled("red fox", "é")).geturl()
    assert ask(url, server) == b"ask\t\t+\t1\r\n+-1\r\nred fox\r\n\xc3\xa9\r\n.\r\n"

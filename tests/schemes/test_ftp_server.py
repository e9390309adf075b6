"""Section 3.2 in action: the standard library's ftplib, driven by Ftp.commands(), against a real FTP server."""

import ftplib
import threading
import warnings

import pytest

from fasturl import UnsafeURL
from fasturl.schemes import Ftp, decompose

with warnings.catch_warnings():
    # On older Pythons the server uses deprecated modules of the standard library.
    warnings.simplefilter("ignore")
    pytest.importorskip("pyftpdlib", reason="the FTP server of the tests, pyftpdlib, is not installed")
    from pyftpdlib.authorizers import DummyAuthorizer
    from pyftpdlib.handlers import FTPHandler
    from pyftpdlib.servers import FTPServer

BINARY = bytes(range(256)) * 3
LOGIN = "ftp://my%20name:p%40ss%3A%2Fw@127.0.0.1:PORT"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    root = tmp_path_factory.mktemp("ftp")
    (root / "etc").mkdir()
    (root / "etc" / "motd").write_bytes(b"from the root\n")
    (root / "home" / "etc").mkdir(parents=True)
    (root / "home" / "etc" / "motd").write_bytes(b"from home\n")
    (root / "home" / "text.txt").write_bytes(b"one\r\ntwo\r\n")
    (root / "home" / "data.bin").write_bytes(BINARY)
    (root / "home" / "a b;type=i").write_bytes(b"odd name")
    (root / "home" / "pub").mkdir()
    for name in ("x", "y z"):
        (root / "home" / "pub" / name).write_bytes(name.encode())
    authorizer = DummyAuthorizer()
    authorizer.add_user("my name", "p@ss:/w", str(root), perm="elr")
    authorizer.add_anonymous(str(root), perm="elr")
    received = []

    class Handler(FTPHandler):
        def pre_process_command(self, line, cmd, arg):
            received.append((cmd, arg))
            if cmd == "CWD" and not arg:
                # On most servers, an empty CWD returns to the login directory.
                arg = "/"
            super().pre_process_command(line, cmd, arg)

        def on_login(self, username):
            self.fs.cwd = "/home"

    Handler.authorizer = authorizer
    Handler.banner = "ready"
    Handler.passive_ports = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ftpd = FTPServer(("127.0.0.1", 0), Handler)
    stop = threading.Event()

    def serve():
        while not stop.is_set():
            ftpd.serve_forever(timeout=0.05, blocking=False, handle_exit=False)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield ftpd.address[1], received
    stop.set()
    thread.join(10)
    ftpd.close_all()


def fetch(url, server, anonymous=None):
    """Fetch by the commands of a URL: a listing for NLST, bytes for RETR."""
    port, received = server
    received.clear()
    parts = decompose(url.replace("PORT", str(port)))
    client = ftplib.FTP(timeout=10)
    client.connect(parts.host, parts.port)
    try:
        for command, argument in parts.commands(anonymous=anonymous):
            # ftplib adds only CR LF; with an empty name, the bare command is sent.
            line = f"{command} {argument}".rstrip(" ") if not argument else f"{command} {argument}"
            if command == "RETR":
                raw = []
                client.voidcmd("TYPE I") if parts.typecode is None else None
                with client.transfercmd(line) as data:
                    while piece := data.recv(4096):
                        raw.append(piece)
                client.voidresp()
                return b"".join(raw)
            if command == "NLST":
                lines = []
                client.retrlines(line, lines.append)
                return lines
            answer = client.sendcmd(line)
            assert answer[0] in "23", answer
    finally:
        client.close()
    return None


def test_an_escaped_slash_goes_to_the_root(server):
    assert fetch(f"{LOGIN}/%2Fetc/motd", server) == b"from the root\n"
    assert ("CWD", "/etc") in server[1]


def test_a_plain_path_goes_from_where_the_login_begins(server):
    assert fetch(f"{LOGIN}/etc/motd", server) == b"from home\n"
    assert [command for command in server[1] if command[0] == "CWD"] == [("CWD", "etc")]


def test_an_empty_cwd_is_sent_as_such(server):
    assert fetch(f"{LOGIN}//etc/motd", server) == b"from the root\n"
    assert [command for command in server[1] if command[0] == "CWD"] == [("CWD", ""), ("CWD", "etc")]


def test_text_and_binary_files_arrive(server):
    assert fetch(f"{LOGIN}/text.txt;type=a", server) == b"one\r\ntwo\r\n"
    assert ("TYPE", "A") in server[1]
    assert fetch(f"{LOGIN}/data.bin;type=i", server) == BINARY
    assert ("TYPE", "I") in server[1]


def test_a_name_with_a_space_and_a_semicolon_arrives(server):
    assert fetch(f"{LOGIN}/a%20b%3Btype=i;type=i", server) == b"odd name"


def test_a_listing_arrives(server):
    assert sorted(name.rpartition("/")[2] for name in fetch(f"{LOGIN}/pub;type=d", server)) == ["x", "y z"]
    assert ("NLST", "pub") in server[1] and not [c for c in server[1] if c == ("TYPE", "D")]
    assert sorted(fetch(f"{LOGIN}/pub/;type=d", server)) == ["x", "y z"]


def test_an_anonymous_login_succeeds(server):
    assert fetch("ftp://127.0.0.1:PORT/text.txt;type=i", server, anonymous="me@home.dom") == b"one\r\ntwo\r\n"
    assert server[1][:2] == [("USER", "anonymous"), ("PASS", "me@home.dom")]


def test_a_built_url_fetches_the_file(server):
    url = Ftp("my name", "p@ss:/w", "127.0.0.1", server[0], ("/etc",), "motd", "i").geturl()
    assert fetch(url, server) == b"from the root\n"


def test_no_command_is_smuggled(server):
    with pytest.raises(UnsafeURL):
        fetch(f"{LOGIN}/text.txt%0D%0ADELE%20text.txt", server)
    assert not [command for command in server[1] if command[0] == "DELE"]

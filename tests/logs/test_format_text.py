"""Whatever the text of a format is, is it read in one pass, to a format or to an error that names a place in it?"""

import pickle
import random
from pathlib import Path

import pytest

from fasturl import logs
from fasturl.logs.formats.times import FORMAT_MAX

STARTS = ["", "", 'LogFormat "', 'CustomLog "x" "', "log_format a '", "log_format a escape=json '", "{"]
PIECES = [
    *('"', "'", "\\", '\\"', "\\'", "{", "}", "[", "]", " ", ",", "|", "\t", "\n", ";", ":", "/", "-", "a", "\xe9"),
    *("\ud800", "\udce9", "\0", "%", "$", "%%", "~h{", "%{", "${", "$request", "$uri", "$args", "${status}", "$host"),
    *("%h", "%r", "%U", "%q", "%s", "%>s", "%b", "%d", "%t", "%x", "%^", "%~", "%u", "%R", "%m", "%H", "%v", "%V"),
    *("%{%Y-%m-%d}t", "%{msec}t", "%{usec_frac}t", "%{%Q}t", "%{}t", "%{Referer}i", "%!200,304i", "%^FU", "%{a", "}t"),
    *("$time_local", "$msec", "$is_args", "$scheme", "://", "$server_protocol", "LogFormat", "log_format", "escape="),
]


def texts(tries: int) -> list[str]:
    rng = random.Random(5)
    found = ["", "%", "$", '"', "'", "\\", "{", "LogFormat ", "log_format ", "CustomLog x"]
    for _ in range(max(tries, 2000)):
        text = rng.choice(STARTS) + "".join(rng.choices(PIECES, k=rng.randrange(14)))
        found.append(text + rng.choice(["", "", '"', "'", "';", '" combined']))
    return found


def test_any_text_is_a_format_or_an_error_with_its_place(tries: int) -> None:
    made = 0
    for text in texts(tries):
        try:
            logs.line_format(text).make()
            made += 1
        except logs.LogError as error:
            assert error.offset is not None and 0 <= error.offset <= len(text), (text, error)
            assert f"offset {error.offset}: " in str(error), text
    assert made > 50


def test_any_form_of_a_time_is_a_program_or_an_error_with_its_place(tries: int) -> None:
    rng = random.Random(6)
    pieces = ["%", "%%", " ", "/", "\ud800", "\xe9", "\0", "%E", *(f"%{c}" for c in "debmYyHIpMSszBhklZaAf*TRFDrQ9")]
    for _ in range(max(tries, 2000)):
        form = "".join(rng.choices(pieces, k=rng.randrange(6)))
        try:
            logs.line_format('%x "%r"', date_format=form)
        except logs.LogError as error:
            assert error.offset is not None and 0 <= error.offset <= max(len(form), len('%x "%r"')), (form, error)


@pytest.mark.parametrize("text", ["%U " + "a" * FORMAT_MAX, "%U%" * FORMAT_MAX, "$" * FORMAT_MAX + "$uri"])
def test_a_text_above_the_limit_is_not_read(text: str) -> None:
    with pytest.raises(logs.LogError, match="65,536 characters at most") as told:
        logs.line_format(text)
    assert told.value.offset == FORMAT_MAX and len(str(told.value)) < 200
    with pytest.raises(logs.LogError, match="65,536 characters at most"):
        logs.line_format('%x "%r"', date_format=text)


@pytest.mark.parametrize(("text", "offset"), [
    ("%h " * 200 + "%U", 3 * 128),         ("%h" + "a" * 5000 + "%U", 0),
    ("%U " + "b" * 2000 + "%h" + "c" * 3000 + "%s", 2003),                        ("a" * 5000 + "%U", 5000),
    ("%U %{" + "%Y-" * 2000 + "}t", 3),
])  # fmt: skip
def test_a_format_that_no_plan_holds_names_the_field(text: str, offset: int) -> None:
    with pytest.raises(logs.LogError, match=f"offset {offset}: .*too long") as told:
        logs.line_format(text)
    assert told.value.offset == offset


def test_an_error_keeps_its_place_in_another_process() -> None:
    with pytest.raises(logs.LogError) as told:
        logs.line_format("%h%s %U")
    found = pickle.loads(pickle.dumps(told.value))
    assert (type(found), str(found), found.offset) == (logs.LogError, str(told.value), 2)


def test_a_configuration_on_one_line_and_in_included_files(tmp_path: Path) -> None:
    main, more = tmp_path / "nginx.conf", tmp_path / "conf.d" / "log.conf"
    line = b"192.0.2.1 /a 200"
    text = "log_format {name} '$remote_addr $uri $status';"
    both = f"{text.format(name='main')} {text.format(name='b')}"
    main.write_text(f"http {{ # log_format old '$uri';\n}}\nhttp {{ {both} }}")
    for name in ("main", "b"):
        assert logs.read([line], f"@{main}:{name}", ["url"]).read_all().to_pylist() == [{"url": "/a"}]
    more.parent.mkdir()
    more.write_text("include nginx.conf; include conf.d/*.conf;\n" + text.format(name="inner"))
    main.write_text("http { include missing; include conf.d/*.conf; }")
    assert logs.read([line], f"@{main}", ["url"]).read_all().to_pylist() == [{"url": "/a"}]
    for depth in range(20):  # no file above the limit is looked at
        (tmp_path / f"{depth}").write_text(f"include {depth + 1};")
    (tmp_path / "20").write_text(text.format(name="deep"))
    with pytest.raises(logs.LogError, match="has no log format"):
        logs.read([line], f"@{tmp_path / '0'}")
    more.write_text("log_format inner '$remote_addr password=hunter2 $nonsense';")
    with pytest.raises(logs.LogError) as caught:
        logs.read([line], f"@{main}")
    assert "hunter2" not in str(caught.value) and "nonsense" not in str(caught.value)

"""The scope of an address agrees with ipaddress, in every spelling: the ends of every network, and random addresses."""

import ipaddress
import random
from collections.abc import Iterator

import pytest
import slow_functions as slow

import fasturl

pytestmark = pytest.mark.usefixtures("kernel")
# The networks of IANA's registries, and others that an implementation may treat apart.
NETWORKS = """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.9/32
    192.0.0.10/32 192.0.0.170/31 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16
    192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32 ::/128
    ::1/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2000::/3 2001::/23 2001::/32
    2001:1::1/128 2001:1::2/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28
    2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 4000::/3 5f00::/16 8000::/3 fc00::/7 fe80::/10 fec0::/10
    ff00::/8
""".split()


def ends() -> Iterator[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """Yield the first and last address of each network, and the addresses beside them."""
    for text in NETWORKS:
        network = ipaddress.ip_network(text)
        for end in (network.network_address, network.broadcast_address):
            for step in (-1, 0, 1):
                if 0 <= int(end) + step < 1 << network.max_prefixlen:
                    yield end + step


def spellings(address: ipaddress.IPv4Address, random: random.Random) -> Iterator[str]:
    """Yield one random spelling for each count of numbers. Some characters are escaped."""
    for count in range(1, 5):
        data = list(address.packed)
        numbers = [*data[: count - 1], int.from_bytes(data[count - 1 :])]
        text = ".".join(random.choice(["{}", "0x{:x}", "0X{:08X}", "0{:o}", "0x0{:x}"]).format(one) for one in numbers)
        yield text + random.choice(["", "", "."])
        yield "".join(f"%{ord(c):02x}" if random.random() < 0.2 else c for c in text)


def test_the_ends_of_networks_agree_with_ipaddress() -> None:
    for address in ends():
        host = f"[{address}]" if address.version == 6 else str(address)
        assert fasturl.address_scope(f"http://{host}:80/") == slow.scope_of(address), host
        assert fasturl.host_kind(f"http://{host}:80/") == f"ipv{address.version}", host


def test_random_spellings_agree_with_ipaddress(tries: int) -> None:
    chosen = random.Random(tries)
    networks = [network for network in map(ipaddress.ip_network, NETWORKS) if network.version == 4]
    for _ in range(tries // 20):
        network = chosen.choice([*networks, ipaddress.ip_network("0.0.0.0/0")])
        address = network[chosen.randrange(network.num_addresses)]
        for text in spellings(address, chosen):
            canonical = text == str(address)
            url = f"http://u:p@{text}/"
            assert fasturl.address_scope(url) == slow.scope_of(address), url
            assert fasturl.host_kind(url) == ("ipv4" if canonical else "numeric"), url


def test_random_ipv6_addresses_agree_with_ipaddress(tries: int) -> None:
    chosen = random.Random(tries)
    networks = [network for network in map(ipaddress.ip_network, NETWORKS) if network.version == 6]
    inner = [ipaddress.ip_network(text) for text in NETWORKS if ":" not in text]
    for _ in range(tries // 10):
        network = chosen.choice([*networks, ipaddress.ip_network("::/0")])
        number = int(network.network_address) + chosen.randrange(network.num_addresses)
        if chosen.random() < 0.5 and network.prefixlen <= 96:  # an IPv4 address of a network at the end
            of = chosen.choice(inner)
            number = number >> 32 << 32 | int(of[chosen.randrange(of.num_addresses)])
        if chosen.random() < 0.3:  # a run of zero groups
            number &= ~(((1 << 64) - 1) << chosen.randrange(0, 64, 16))
        address = ipaddress.IPv6Address(number)
        tail = f"{ipaddress.IPv4Address(number & 0xFFFFFFFF)}"
        with_ipv4 = ":".join(address.exploded.split(":")[:6]) + ":" + tail
        for text in (str(address), address.exploded, str(address).upper(), with_ipv4, f"{address}%25eth0"):
            url = f"http://[{text}]/"
            assert fasturl.address_scope(url) == slow.scope_of(address), url
            assert fasturl.host_kind(url) == "ipv6", url


def test_no_address_that_ipaddress_calls_local_is_fetchable(tries: int) -> None:
    chosen = random.Random(tries)
    for address in [*ends(), *(ipaddress.IPv4Address(chosen.getrandbits(32)) for _ in range(tries // 20))]:
        url = f"http://{f'[{address}]' if address.version == 6 else address}/"
        if address.is_multicast or not (address.is_global or slow.is_among(address, slow.GLOBAL)):
            assert not fasturl.is_fetchable(url), url


@pytest.mark.parametrize("wrong", [
    lambda: fasturl.is_fetchable("http://h/", addresses="globl"),
    lambda: fasturl.is_fetchable("http://h/", addresses=["global", "any"]),
    lambda: fasturl.is_fetchable("http://h/", ports=[65536]),
    lambda: fasturl.fetch_refusal("http://h/", ports=[-1]),
])  # fmt: skip
def test_wrong_settings_raise_whatever_the_url(wrong: object) -> None:
    with pytest.raises(ValueError, match=r"is not a (scope|port)"):
        wrong()  # type: ignore[operator]


def test_other_types_raise() -> None:
    for wrong in (
        lambda: fasturl.is_fetchable(None),                     lambda: fasturl.is_fetchable("http://h/", ports=80),
        lambda: fasturl.is_fetchable("http://h/", ports=["80"]),
        lambda: fasturl.is_fetchable("http://h/", addresses=1), lambda: fasturl.is_fetchable("http://h/", schemes=1),
        lambda: fasturl.is_fetchable("http://h/", schemes=[b"http"]),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            wrong()

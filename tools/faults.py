"""Faults to plant into a copy of the kernel. Each proof must catch its faults, or it proves nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """Replace `old` by `new` in a `file` of src/kernel: `proof` then fails with texts of `least` to `length` bytes."""

    proof: str
    file: str
    old: str
    new: str
    length: int
    least: int = 0

    def __str__(self) -> str:
        return f"{self.file}: {self.old!r} -> {self.new!r}"


FAULTS = (
    Fault("unquote", "ascii.h", "n < 3 ||", "n < 2 ||", 3),
    Fault("unquote_safe", "escapes/unquote_safe.h", "byte < 0x20 || byte == 0x7f", "byte < 0x20", 3, 3),
    Fault("unquote_safe", "escapes/unquote_safe.h", "out += 2;", "out += 3;", 6, 6),
    Fault("unquote_wide", "escapes/unquote_safe.h", "n - i > 2", "n - i > 1", 2),
    Fault("quote", "escapes/quote.h", "total += table->unit[p[i]][3]", "total += table->unit[p[i]][2]", 2),
    Fault("quote_within", "escapes/quote_body.h", "length > capacity - used", "length > capacity", 3, 3),
    Fault("quote_table", "escapes/quote.h", "table->ranges < FU_QUOTE_RANGES", "table->ranges <= FU_QUOTE_RANGES", 0),
    Fault("masks", "split/masks_scalar.h", "p[i] == '#' ? one", "p[i] == '?' ? one", 2),
    Fault("split", "split/split_body.h", "n < 8 ||", "n < 7 ||", 7, 7),
    Fault("split", "split/split_body.h", "n - start >= 2 &&", "n - start >= 1 &&", 1, 1),
    Fault("scheme", "split/schemes.h", "while (k < length &&", "while (k <= length &&", 3, 3),
    Fault("login", "split/spans.h", "out->password_start = colon + 1", "out->password_start = colon + 2", 0),
    Fault("find", "split/spans.h", "while (start < end && p[start]", "while (start <= end && p[start]", 2, 2),
    Fault("find", "split/spans.h", "i = end; i > start; i--)", "i = end; i >= start; i--)", 2, 2),
    Fault("add_place", "split/readings.h", "count -= kept - at - 1;", "count -= kept - at;", 0),
    Fault("readings", "split/readings.h", "stop < end && p[stop] != '/' && p[stop] != '#'", "p[stop] != '/'", 2, 2),
    Fault("split_blocks", "split/split_body.h", "n - base : FU_BLOCK, &next", "64 : FU_BLOCK, &next", 66, 66),
    Fault("split_blocks", "split/split_body.h", "n - start >= 2 &&", "n - start >= 1 &&", 1, 1),
    Fault("authority", "split/split_body.h", "colon < 2 || p", "p", 2, 2),
    Fault("split_scheme", "split/split_body.h", "end >= n || p[end] != ':'", "p[end] != ':'", 3, 3),
    Fault("netloc_end", "split/split_body.h", "end = n < FU_BLOCK ? n : FU_BLOCK;", "end = FU_BLOCK;", 3, 3),
    Fault("plain", "validate/plain.h", "if (i < n && p[i] == ':') return 0;", "if (p[i] == ':') return 0;", 1, 1),
    Fault("plain_character", "validate/plain.h", "return low < FU_HOST_RANGES && code", "return code", 0),
    Fault("plain_parts", "validate/plain.h", "end - label >= 2 &&", "end - label >= 1 &&", 2, 2),
    Fault("registered_port", "split/schemes.h", "while (k < length && k < sizeof", "while (k < sizeof", 1, 1),
    Fault("ipv6", "validate/rfc3986.h", "if (i == 1 || i + 1 >= n || p[i]", "if (i == 1 || p[i]", 2, 2),
    Fault("rfc3986", "validate/rfc3986.h", "if (at < end && p[at] != ':') {", "if (p[at] != ':') {", 3, 3),
    Fault("utf8", "escapes/utf8.h", "return i < n && (p[i]", "return i <= n && (p[i]", 1, 1),
    Fault("utf8_replace", "escapes/utf8.h", "if (valid == n) return p + n;", "", 1, 1),
    Fault("redaction", "escapes/redaction.h", "next.start > hidden->end)", "next.start >= hidden->end)", 3, 3),
    Fault("passwords", "split/readings.h", "n - slash >= 2 &&", "n - slash >= 1 &&", 3, 3),
    Fault("query", "escapes/query.h", "has_value = i < n &&", "has_value = i <= n &&", 2),
    Fault("is_name", "escapes/query.h", "if (i == n) return 0;", "if (i > n) return 0;", 2, 2),
    Fault("first_bytes", "escapes/query.h", "name->length < 2)", "name->length < 1)", 0),
    Fault("skip_pairs", "escapes/query.h", "if (at < n) at++;", "at++;", 1, 1),
    Fault("query_value", "escapes/query.h", "pair->end > pair->start &&", "pair->end >= pair->start &&", 1, 1),
    Fault("productions", "validate/productions.h", "end - at < 3 ||", "end - at < 2 ||", 2, 2),
    Fault("secret", "escapes/redaction.h", "if (place->start == FU_ABSENT) {", "if (place->start == 0) {", 2, 2),
    Fault("next_value", "escapes/redaction.h", "value_at = place.end < end ?", "value_at = place.start < end ?", 2, 2),
    Fault("character", "escapes/characters.h", "if (at > n || n - at < 2) return -1;", "if (at >= n) return -1;", 2, 2),
    Fault("browser_colon", "escapes/redaction.h", "while (start > 0 && colon", "while (colon", 2, 2),
    Fault("authorities", "escapes/redaction.h", "for (; at < n; at = c.end, sl", "for (;; at = c.end, sl", 2, 2),
    Fault("next_login", "escapes/redaction.h", "r->login.end > end ? r->login.end : end;", "end;", 3, 3),
    Fault("values", "escapes/redaction.h", "if (at >= r->n) return FU_ABSENT;", "", 2, 2),
    Fault("runs", "escapes/secrets.h", "start + FU_RUN_MIN <= n;", "start < n;", 4, 4),
    Fault("run_start", "escapes/secrets.h", "while (at + 2 < end &&", "while (at + 2 < end + 2 &&", 4, 4),
    Fault("looks", "escapes/secrets.h", "if (p[i] <= 'Z' &&", "if (p[i + 1] <= 'Z' &&", 2, 2),
    Fault("tokens", "escapes/secrets.h", "&& n - at >= 3 &&", "&& n - at >= 2 &&", 2, 2),
    Fault("slash_before", "escapes/secrets.h", "at >= length &&", "at + 1 >= length &&", 2, 2),
    Fault("segment_before", "escapes/secrets.h", "first > 0 && p[first - 1]", "p[first - 1]", 1, 1),
    Fault("is_word", "escapes/secrets.h", "while (k < n && fu_lower", "while (k <= n && fu_lower", 2, 2),
    Fault("names_secret", "escapes/secrets.h", "while (stop < end &&", "while (stop <= end &&", 2, 2),
    Fault("secret_place", "escapes/secrets.h", "ends[2] - starts[2] == 8", "ends[2] - starts[2] < 8", 9, 9),
    Fault("secret_of_run", "escapes/secrets.h", "end - at >= 3 && p[at] == 'e'", "p[at] == 'e'", 2, 2),
    Fault("next_shape", "escapes/redaction.h", "r->shape_at = end;", "r->shape_at = end + 1;", 2, 2),
    Fault("read_digits", "escapes/characters.h", "if (i >= n) return -1;", "if (i > n) return -1;", 2, 2),
    Fault("any_escape", "escapes/characters.h", "&& c.end < n; turn++", "&& c.end <= n; turn++", 2, 2),
    Fault("address_character", "escapes/addresses.h", "if (at >= n) return c;", "if (at > n) return c;", 0),
    Fault("ipv4", "escapes/addresses.h", "if (digits == 0 || value", "if (value", 7, 7),
    Fault("take_ipv6", "escapes/addresses.h", "if (at < n && p[at] != '%'", "if (p[at] != '%'", 2, 2),
    Fault("match_ipv6", "escapes/addresses.h", "if (out->sign_end == 0) {", "if (out->sign_end != 0) {", 3, 3),
    Fault("next_address", "escapes/addresses.h", "start + 4 > sign &&", "start + 4 > sign ||", 2, 2),
    Fault("add", "validate/diagnostics.h", "v->count == v->capacity &&", "v->count > v->capacity &&", 0),
    Fault("validate_escape", "validate/traversal.h", "if (at >= n) return 0;", "if (at > n) return 0;", 0),
    Fault("traversal", "validate/traversal.h", "'%' || next >= end", "'%' || next > end", 4, 4),
    Fault("validate_bytes", "validate/primitives.h", " & fu_low_bits(left)", "", 3, 3),
    Fault("validate_parts", "validate/primitives.h", "i == label || p[i - 1] == '-'", "p[i - 1] == '-'", 1, 1),
    Fault("validate_parts", "validate/primitives.h", "(start < end && fu_is(", "(start <= end && fu_is(", 1, 1),
    Fault("gopher_tabs", "validate/by_scheme.h", "if (end - start < 2 ||", "if (end - start < 1 ||", 1, 1),
    Fault("read_logins", "validate/validate.h", "s->query_end, shape)", "s->length + 1, shape)", 0),
    Fault("login_hazards", "validate/validate.h", "if (login->end > all.end)", "if (login->end < all.end)", 0),
    Fault("validate", "validate/by_scheme.h", "    if (stop == end) return;\n    if (p", "    if (p", 4, 4),
    Fault("schemepart_wais", "validate/by_scheme.h", "stop < end && p[stop] != '/' &&", "p[stop] != '/' &&", 3, 3),
    Fault("log_fields", "logs/line.h", "end - p > 2 && memcmp", "end - p > 1 && memcmp", 2, 2),
    Fault("log_quoted", "logs/line.h", "++at == end) return NULL;", "++at > end) return NULL;", 5, 3),
    Fault("log_more", "logs/line.h", "if (p == end || *p != '\"') continue;", "if (*p != '\"') continue;", 2, 2),
    Fault("log_line", "logs/line.h", "end - p >= 2 && p[0] == '-'", "end - p >= 1 && p[0] == '-'", 3, 3),
    Fault("log_request", "logs/line.h", "at == p || at == end ||", "at == p ||", 2),
    Fault("log_escapes", "logs/escapes.h", "end - p >= 4 && p[1] == 'x'", "end - p >= 3 && p[1] == 'x'", 3),
    Fault("log_json", "logs/escapes.h", "end - p < 2 ? 0", "end - p < 1 ? 0", 1, 1),
    Fault("json_character", "logs/escapes.h", "end - p < 6 || p[1]", "end - p < 1 || p[1]", 1, 1),
    Fault("hex_unit", "logs/escapes.h", "if (end - p < 4) return -1;", "if (end - p < 3) return -1;", 3, 3),
    Fault("log_time", "logs/time.h", "? 3 : 1)) return", "? 2 : 1)) return", 5, 5),
)  # fmt: skip

/* DO NOT EDIT: written by tools/gen_findings.py from src/fasturl/_findings.py. */
#ifndef FASTURL_FINDINGS_H
#define FASTURL_FINDINGS_H

/* One bit per finding. */
enum {
    FU_NO_SCHEME_READ = 1 << 0,
    FU_BAD_SCHEME = 1 << 1,
    FU_CONTROL = 1 << 2,
    FU_NON_ASCII = 1 << 3,
    FU_UNSAFE = 1 << 4,
    FU_FRAGMENT = 1 << 5,
    FU_BAD_ESCAPE = 1 << 6,
    FU_RESERVED = 1 << 7,
    FU_BAD_HOST = 1 << 8,
    FU_BAD_PORT = 1 << 9,
    FU_LOGIN = 1 << 10,
    FU_MISSING = 1 << 11,
    FU_BAD_PART = 1 << 12,
    FU_PASSWORD = 1 << 16,
    FU_NONDEFAULT_PORT = 1 << 17,
    FU_RESERVED_PORT = 1 << 18,
    FU_ENCODED_CONTROL = 1 << 19,
    FU_DOUBLE_ENCODED = 1 << 20,
    FU_OVERLONG_UTF8 = 1 << 21,
    FU_BACKSLASH = 1 << 22,
    FU_MULTIPLE_AT = 1 << 23,
    FU_AMBIGUOUS_AUTHORITY = 1 << 24,
    FU_TRAVERSAL = 1 << 25,
    FU_HOST_AS_SCHEME = 1 << 26,
    FU_LATE_AT = 1 << 27,

    FU_VIOLATIONS = 0x0000ffff
};

/* The RFC's term for the part of a finding. FU_TERM_BYTE stands for any part: the reader looks it up by the offset. */
typedef enum {
    FU_TERM_BYTE,
    FU_TERM_SCHEME,
    FU_TERM_SCHEMEPART,
    FU_TERM_LOGIN,
    FU_TERM_USER,
    FU_TERM_PASSWORD,
    FU_TERM_HOSTPORT,
    FU_TERM_HOST,
    FU_TERM_PORT,
    FU_TERM_URLPATH,
    FU_TERM_FPATH,
    FU_TERM_FTPTYPE,
    FU_TERM_HPATH,
    FU_TERM_SEARCH,
    FU_TERM_SELECTOR,
    FU_TERM_ENCODED822ADDR,
    FU_TERM_GROUPPART,
    FU_TERM_GROUP,
    FU_TERM_ARTICLE,
    FU_TERM_DIGITS,
    FU_TERM_DATABASE,
    FU_TERM_WTYPE,
    FU_TERM_WPATH,
    FU_TERM_PPATH,
    FU_TERM_FIELDSPEC,
    FU_TERM_FIELDNAME,
    FU_TERM_FIELDVALUE,
    FU_TERM_FRAGMENT,
    FU_TERM_USERINFO,
    FU_TERM_PATH,
    FU_TERM_QUERY,
    FU_TERM_REQUEST_TARGET,
    FU_TERMS
} fu_term;

#endif

/* Shapes: how the part after a scheme's name is read. This is the only list of shapes, one row per shape. */
#ifndef FASTURL_SHAPES_H
#define FASTURL_SHAPES_H

#include <stdint.h>

/* The kind of login: the part between "//" and the path. */
typedef enum {
    FU_LOGIN_NONE, /* no "//" */
    FU_LOGIN_ANY,  /* genericurl: a login, or an opaque part */
    FU_LOGIN_HOST, /* [ host ], without a port */
    FU_LOGIN_HOSTPORT,
    FU_LOGIN_USER /* [ user [ ":" password ] "@" ] hostport */
} fu_login_kind;

/* The meaning of "?" in the RFC's reading. */
typedef enum {
    FU_QMARK_DATA,   /* data, also in a user or a password */
    FU_QMARK_OPAQUE, /* ends the login unless an "@" follows */
    FU_QMARK_SEARCH  /* ends the login and starts a search */
} fu_qmark;

/* The part that may hold escapes. Elsewhere "%2A" does not stand for "*". */
typedef enum {
    FU_ESCAPES_ALL,
    FU_ESCAPES_NONE,
    FU_ESCAPES_BEFORE_TYPE, /* up to the last ";" */
    FU_ESCAPES_ARTICLE      /* up to the "@"; none without an "@" */
} fu_escapes_in;

/* X(constant, name, login, "?", term of the part after the login, escapes, kept, lone "/", validator)
 *
 *   kept        the bytes whose escapes differ in meaning from the raw bytes: those that the section reserves in the part,
 *               and "%" with them
 *   lone "/"    1 if a URL may omit a path of "/" alone (sections 3.3, 3.4, 3.8)
 *   validator   fu_validate_<this> in validate/by_scheme.h; `xchars` accepts any xchars
 *
 * "generic" is section 2.1's genericurl. "custom" has its own productions (validate/productions.h). The others are sections 3.2
 * to 3.11, in order. */
#define FU_SHAPE_LIST(X)                                                   \
    X(GENERIC, "generic", ANY, OPAQUE, SCHEMEPART, ALL, "", 0, xchars)     \
    X(FTP, "ftp", USER, DATA, FPATH, BEFORE_TYPE, "/;%", 0, ftp)           \
    X(HTTP, "http", HOSTPORT, SEARCH, HPATH, ALL, "/;?%", 1, http)         \
    X(GOPHER, "gopher", HOSTPORT, DATA, SELECTOR, ALL, "", 1, gopher)      \
    X(MAILTO, "mailto", NONE, DATA, ENCODED822ADDR, ALL, "", 0, mailto)    \
    X(NEWS, "news", NONE, DATA, GROUPPART, ARTICLE, "", 0, news)           \
    X(NNTP, "nntp", HOSTPORT, DATA, GROUP, NONE, "", 0, nntp)              \
    X(TELNET, "telnet", USER, DATA, URLPATH, ALL, "", 1, telnet)           \
    X(WAIS, "wais", HOSTPORT, SEARCH, DATABASE, ALL, "/?%", 0, wais)       \
    X(FILE, "file", HOST, DATA, FPATH, ALL, "/%", 0, file)                 \
    X(PROSPERO, "prospero", HOSTPORT, DATA, PPATH, ALL, ";%", 0, prospero) \
    X(CUSTOM, "custom", ANY, OPAQUE, SCHEMEPART, ALL, "", 0, xchars)

#define FU_SHAPE_ENUM(constant, name, login, qmark, term, escapes, kept, lone_slash, validator) FU_SHAPE_##constant,
typedef enum { FU_SHAPE_LIST(FU_SHAPE_ENUM) FU_SHAPES } fu_shape;

typedef struct {
    const char *name, *kept;
    uint8_t login;   /* fu_login_kind */
    uint8_t qmark;   /* fu_qmark */
    uint8_t escapes; /* fu_escapes_in */
    uint8_t lone_slash;
} fu_shape_traits;

#define FU_SHAPE_TRAITS(constant, name, login, qmark, term, escapes, kept, lone_slash, validator) \
    {name, kept, FU_LOGIN_##login, FU_QMARK_##qmark, FU_ESCAPES_##escapes, lone_slash},
static const fu_shape_traits fu_traits[FU_SHAPES] = {FU_SHAPE_LIST(FU_SHAPE_TRAITS)};

#endif

/* The only list of a parse's output columns. A text column has a constant and a name. Any other column also has its Arrow type
 * and its bytes per row (0 means one bit). Python reads the list as fasturl._columns.FIELDS. */
#ifndef FASTURL_FIELDS_H
#define FASTURL_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "columns/view.h"

#define FU_TEXT_FIELDS(X)     \
    X(SCHEME, "scheme")       \
    X(NETLOC, "netloc")       \
    X(USERNAME, "username")   \
    X(PASSWORD, "password")   \
    X(HOST, "host")           \
    X(HOSTNAME, "hostname")   \
    X(HOST_KIND, "host_kind") \
    X(SCOPE, "address_scope") \
    X(PATH, "path")           \
    X(QUERY, "query")         \
    X(FRAGMENT, "fragment")

#define FU_OTHER_FIELDS(X)                                      \
    X(PORT, "port", "uint16", sizeof(uint16_t))                 \
    X(FINDING_BITS, "finding_bits", "uint32", sizeof(uint32_t)) \
    X(VALID_RFC1738, "valid_rfc1738", "bool", 0)                \
    X(ERROR_OFFSET, "error_offset", "int32", sizeof(int32_t))   \
    X(VALID_RFC3986, "valid_rfc3986", "bool", 0)

#define FU_FIELD_ENUM(constant, ...) FU_COLUMN_##constant,
enum {
    FU_TEXT_FIELDS(FU_FIELD_ENUM) FU_TEXT_COLUMNS,
    FU_LAST_TEXT_COLUMN = FU_TEXT_COLUMNS - 1,
    FU_OTHER_FIELDS(FU_FIELD_ENUM) FU_COLUMNS
};

typedef struct {
    const char *name;
    const char *type; /* "text" means the input's own type, string or binary */
    size_t width;
} fu_field;

#define FU_TEXT_FIELD(constant, name) {name, "text", sizeof(fu_view)},
#define FU_OTHER_FIELD(constant, name, type, width) {name, type, width},
static const fu_field fu_fields[FU_COLUMNS] = {FU_TEXT_FIELDS(FU_TEXT_FIELD) FU_OTHER_FIELDS(FU_OTHER_FIELD)};

#endif

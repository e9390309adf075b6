/* curl's URL API. The protocol is in tools/readers.py. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#ifndef CURLU_PUNYCODE
#define CURLU_PUNYCODE 0
#endif

static int nibble(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

static void put(CURLU *url, CURLUPart part, unsigned flags, char after) {
    char *text = NULL;
    if (curl_url_get(url, part, &text, flags) != CURLUE_OK || text[0] == 0) putchar('-');
    else
        for (const char *at = text; *at; at++) printf("%02x", (unsigned char)*at);
    curl_free(text);
    putchar(after);
}

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    setlocale(LC_ALL, "C.UTF-8"); /* libidn2 reads host names in the locale's encoding */
    while ((length = getline(&line, &capacity, stdin)) > 0) {
        size_t n = 0;
        int has_nul = 0;
        for (ssize_t i = 1; i + 1 < length && line[i] != '\n'; i += 2) {
            line[n] = (char)(nibble(line[i]) * 16 + nibble(line[i + 1]));
            has_nul |= line[n++] == 0;
        }
        line[n] = 0;
        CURLU *url = curl_url();
        char *host = NULL;
        CURLUcode has_host = CURLUE_OK;
        if (has_nul || curl_url_set(url, CURLUPART_URL, line, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK ||
            ((has_host = curl_url_get(url, CURLUPART_HOST, &host, CURLU_PUNYCODE)) != CURLUE_OK && has_host != CURLUE_NO_HOST)) {
            puts("!");
        } else {
            put(url, CURLUPART_SCHEME, 0, ' ');
            put(url, CURLUPART_USER, 0, ' ');
            put(url, CURLUPART_PASSWORD, 0, ' ');
            put(url, CURLUPART_HOST, CURLU_PUNYCODE, ' ');
            put(url, CURLUPART_PORT, 0, '\n');
        }
        curl_free(host);
        curl_url_cleanup(url);
    }
    free(line);
    return 0;
}

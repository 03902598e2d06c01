/* What the client asks of a platform: lines key=value, each with a NUL behind it. */
#ifndef ISLE_CLIENT_REQUEST_H
#define ISLE_CLIENT_REQUEST_H

#include <stdint.h>

#define MAX_REQUEST (1u << 20)

struct request {
    char *text;
    uint32_t length;
};

/* Ends the client: what failed, and why by errno. */
_Noreturn void fail(const char *what);
/* These end the client when the request becomes too long. */
void request_add(struct request *request, const char *key, const char *value);
/* Where the caller is, and what its output goes to. */
void request_add_surroundings(struct request *request);
void request_add_words(struct request *request, char **words);

#endif

/* Built programs, kept in a folder. */
#ifndef ISLE_OPENCL_CACHE_H
#define ISLE_OPENCL_CACHE_H

#include "origin.h"

struct cache_key {
    char name[65];
};
/* Of all that a binary depends on; `behind` may be NULL. */
void cache_key(const struct device *d, uint32_t kind, const struct origin *o, const struct appendix *behind, struct cache_key *out);
/* The binary, to be freed; NULL when there is none or it is damaged. */
uint8_t *cache_get(const struct device *d, const struct cache_key *key, size_t *length);
void cache_put(const struct device *d, const struct cache_key *key, const uint8_t *binary, size_t length);

#endif

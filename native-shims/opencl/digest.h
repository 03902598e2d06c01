/* SHA-256 of bytes that lie together. */
#ifndef ISLE_OPENCL_DIGEST_H
#define ISLE_OPENCL_DIGEST_H

#include <stdint.h>

void digest_of(const void *data, uint64_t length, uint8_t digest[32]);

#endif

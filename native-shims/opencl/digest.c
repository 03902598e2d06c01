#include "digest.h"

#include <string.h>

#include "../kit/sha256.h"

void digest_of(const void *data, uint64_t length, uint8_t digest[32])
{
    uint32_t state[8];
    memcpy(state, sha256_initial, sizeof state);
    sha256_select()(state, data, length / 64);
    sha256_finish(sha256_select(), state, (const uint8_t *)data + length / 64 * 64, length, digest);
}

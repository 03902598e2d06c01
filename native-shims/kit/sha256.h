/* SHA-256 (FIPS 180-4) in two implementations of the compression function. */
#ifndef ISLE_KIT_SHA256_H
#define ISLE_KIT_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef void sha256_compress(uint32_t state[8], const uint8_t *data, uint64_t blocks);
/* Two independent messages at once: one alone leaves the units idle, as each round waits for the one before. */
typedef void sha256_compress_pair(uint32_t a[8], const uint8_t *data_a, uint32_t b[8], const uint8_t *data_b, uint64_t blocks);

extern const uint32_t sha256_constants[64];
extern const uint32_t sha256_initial[8];

void sha256_compress_portable(uint32_t state[8], const uint8_t *data, uint64_t blocks);
/* The fastest that this CPU can run. Asks the CPU, which is slow in a virtual machine: keep the answer. */
sha256_compress *sha256_select(void);
/* The CPU's own instructions, or NULL. */
sha256_compress *sha256_hardware(void);
/* NULL where two at once gain nothing. */
sha256_compress_pair *sha256_hardware_pair(void);
/* Last bytes (`tail`, total_length % 64 of them) and padding; writes the digest. */
void sha256_finish(sha256_compress *compress, uint32_t state[8], const uint8_t *tail, uint64_t total_length, uint8_t digest[32]);

#endif

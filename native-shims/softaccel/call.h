/*
 * What a dispatch gave a program that computes, checked against its entries only. Each checks the rest itself, before it writes
 * anything: 0, or -EINVAL, -ENOMEM. What the CPU sees may change while they run, so whatever bounds an access is read once.
 */
#ifndef ISLE_SOFT_CALL_H
#define ISLE_SOFT_CALL_H

#include <stdbool.h>
#include <stdint.h>

struct call {
    uint8_t *pointer[16]; /* of buffers */
    uint64_t length[16];
    uint32_t scalar[16];
};

/* Whether `count` elements of `bytes` each fit into a buffer argument, aligned to `bytes`. */
bool call_holds(const struct call *c, uint32_t arg, uint64_t count, uint32_t bytes);
/* Whether two buffer arguments share memory. */
bool call_overlaps(const struct call *c, uint32_t a, uint32_t b);

/* The types of `reduce` and `sort` are the kinds of arguments: ISLE_ARG_U32, I32, U64 or F32. 0 for any other. */
uint32_t type_bytes(uint32_t type);

#endif

/* A seccomp filter, put together call by call: what a part does not decide is left to the parts behind it. */
#ifndef ISLE_BPF_H
#define ISLE_BPF_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

#define MOST 512
#define ARGUMENT(n) (uint32_t)(offsetof(struct seccomp_data, args) + (n) * sizeof(uint64_t)) /* the low half, little-endian */
#define ARGUMENT_HIGH(n) (ARGUMENT(n) + (uint32_t)sizeof(uint32_t))

struct program {
    struct sock_filter code[MOST];
    unsigned short length;
};

static inline void put(struct program *p, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
    if (p->length < MOST)
        p->code[p->length] = (struct sock_filter){code, yes, no, k};
    p->length++;
}

static inline void load(struct program *p, uint32_t offset)
{
    put(p, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
}

static inline void answer(struct program *p, uint32_t action)
{
    put(p, BPF_RET | BPF_K, action, 0, 0);
}

#define REFUSE(code) (SECCOMP_RET_ERRNO | (code))

/* One comparison and its answer a call: no jump is longer than that. */
static inline void each(struct program *p, const int *numbers, size_t count, uint32_t action)
{
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] < 0)
            continue;
        put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers[i], 0, 1);
        answer(p, action);
    }
}

/* For one call: allowed when argument `n` masked has the value, else `otherwise`. Ends the program for that call. */
static inline void when_masked(struct program *p, int number, int n, uint32_t mask, uint32_t value, uint32_t otherwise)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 5);
    load(p, ARGUMENT(n));
    put(p, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(p, SECCOMP_RET_ALLOW);
    answer(p, otherwise);
}

#endif

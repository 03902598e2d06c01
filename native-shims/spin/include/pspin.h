/* Atomic memory operations, locks, counters, the clock, and the words shared with the host. */
#ifndef PSPIN_H
#define PSPIN_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "pspin_rt.h"
#include "spin_conf.h"

#define MEM_ALIGNMENT 4
#define ALIGN_UP(n, align) (((uint32_t)(n) + ((align) - 1)) & ~((uint32_t)(align) - 1))
#define DMA_MAX_XFER_SIZE 32768
#define DMA_NULL 0
#define MAX_COUNTERS 16

typedef uint32_t dma_t;
typedef volatile uint32_t futex_t;

struct perf_counter {
    uint32_t sum;
    uint32_t count;
};

/* Memory that the host reads and writes too. */
struct host_data {
    uint64_t flag[CORE_COUNT]; /* the host's answers, by HPU */
    struct perf_counter counters[MAX_COUNTERS];
};
extern volatile struct host_data __host_data;

static inline void asm_mem_fence(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void rt_time_wait_cycles(unsigned cycles)
{
    isle_pause(cycles);
}

static inline uint32_t load_reserved(volatile const uint32_t *const addr)
{
    return isle_reserve(addr);
}

/* 0: stored; 1: the reservation was gone, nothing stored. */
static inline unsigned store_conditional(volatile uint32_t *const addr, const uint32_t val)
{
    return isle_store_reserved(addr, val);
}

/* 0: swapped; -1: another value was there. */
static inline int compare_and_swap(volatile uint32_t *const addr, const uint32_t old, const uint32_t new)
{
    uint32_t expected = old;
    return __atomic_compare_exchange_n(addr, &expected, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 0 : -1;
}

/* Each returns what was there before. */
static inline uint32_t amo_swap(volatile uint32_t *const addr, const uint32_t val)
{
    return __atomic_exchange_n(addr, val, __ATOMIC_SEQ_CST);
}

static inline void amo_store(volatile uint32_t *const addr, const uint32_t val)
{
    __atomic_store_n(addr, val, __ATOMIC_SEQ_CST);
}

/* Pointers to words of either sign come here. */
#define amo_add(addr, val) ((int32_t)__atomic_fetch_add((volatile uint32_t *)(addr), (uint32_t)(val), __ATOMIC_SEQ_CST))

static inline uint32_t amo_and(volatile uint32_t *const addr, const uint32_t val)
{
    return __atomic_fetch_and(addr, val, __ATOMIC_SEQ_CST);
}

static inline uint32_t amo_or(volatile uint32_t *const addr, const uint32_t val)
{
    return __atomic_fetch_or(addr, val, __ATOMIC_SEQ_CST);
}

static inline uint32_t amo_xor(volatile uint32_t *const addr, const uint32_t val)
{
    return __atomic_fetch_xor(addr, val, __ATOMIC_SEQ_CST);
}

#define ISLE_AMO_PICK(name, type, op)                                                                                          \
    static inline type name(volatile type *const addr, const type val)                                                         \
    {                                                                                                                          \
        type old = __atomic_load_n(addr, __ATOMIC_SEQ_CST);                                                                    \
        while (val op old && !__atomic_compare_exchange_n(addr, &old, val, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {        \
        }                                                                                                                      \
        return old;                                                                                                            \
    }
ISLE_AMO_PICK(amo_maxu, uint32_t, >)
ISLE_AMO_PICK(amo_max, int32_t, >)
ISLE_AMO_PICK(amo_minu, uint32_t, <)
ISLE_AMO_PICK(amo_min, int32_t, <)
#undef ISLE_AMO_PICK

static inline void futex_init(futex_t *futex)
{
    amo_store(futex, 0);
}

/* Whether the lock is the caller's now. */
static inline int futex_try_lock(futex_t *futex)
{
    return amo_or(futex, 1) == 0;
}

static inline int futex_lock(futex_t *futex)
{
    while (!futex_try_lock(futex)) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    return 1;
}

static inline int futex_lock_s(futex_t *futex)
{
    while (!futex_try_lock(futex))
        rt_time_wait_cycles(32);
    return 1;
}

static inline void futex_unlock(futex_t *futex)
{
    amo_store(futex, 0);
}

/* Ticks of a clock of hpu_mhz. */
static inline uint32_t cycles(void)
{
    return isle_cycles();
}

static inline void push_counter(volatile struct perf_counter *c, uint32_t dur)
{
    amo_add(&c->count, 1);
    amo_add(&c->sum, dur);
}

#endif

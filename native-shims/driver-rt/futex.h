/* Doorbells: a futex word that is incremented, and a flag that says whether somebody sleeps on it. Shared between processes. */
#ifndef ISLE_RT_FUTEX_H
#define ISLE_RT_FUTEX_H

#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline void futex_wake_all(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* timeout_ns 0: none */
static inline void futex_wait(uint32_t *word, uint32_t seen, uint64_t timeout_ns)
{
    struct timespec t = {(time_t)(timeout_ns / 1000000000u), (long)(timeout_ns % 1000000000u)};
    syscall(SYS_futex, word, FUTEX_WAIT, seen, timeout_ns ? &t : NULL, NULL, 0);
}

/* The sleeper sets its flag, then looks again; the ringer publishes, then looks at the flag: one of them sees the other. */
static inline void bell_ring(uint32_t *bell, uint32_t *sleeping)
{
    __atomic_fetch_add(bell, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(sleeping, __ATOMIC_SEQ_CST))
        futex_wake_all(bell);
}

/* As bell_ring, where the flag is another's to write; without one (NULL) somebody may sleep at any time. */
static inline void bell_ring_for(uint32_t *bell, const uint32_t *sleeping)
{
    __atomic_fetch_add(bell, 1, __ATOMIC_SEQ_CST);
    if (!sleeping || __atomic_load_n(sleeping, __ATOMIC_SEQ_CST))
        futex_wake_all(bell);
}

static inline uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif

/* Sockets of AF_XDP on a UMEM of their own, by copies of the kernel, and the program that sends them all frames of a queue. */
#ifndef BENCH_XSK_H
#define BENCH_XSK_H

#include <stdatomic.h>
#include <stdint.h>
#include <linux/if_xdp.h>

enum {
    XSK_FRAME = 2048,
    /* Bytes of every frame here, and where its number of 64 bits lies: the payload of UDP. */
    XSK_LENGTH = 60,
    XSK_NUMBER = 42,
    XSK_BATCH = 64
};

/* A side of a ring. `own` is the index of this side, told to the kernel by xsk_tell; `seen` is what was last seen of the other side's. */
typedef struct {
    _Atomic uint32_t *producer, *consumer, *flags;
    void *entries;
    uint32_t size, own, seen;
} xsk_ring;

/* Frames 0 to size - 1 are for sending, as many behind them for receiving. */
typedef struct {
    int fd, interface;
    uint8_t mac[6];
    uint8_t *umem;
    uint32_t size;
    xsk_ring fill, rx, tx, completion;
} xsk;

_Noreturn void xsk_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Moves the process into a network namespace. */
void xsk_enter(const char *netns);

/* Binds a socket to queue 0, with RX, TX and COMPLETION of `size` entries, a power of two, and all frames for receiving in FILL. */
void xsk_open(xsk *s, const char *interface, uint32_t size);

/* Redirects all frames of queue 0 to the socket until the end of the process. */
void xsk_attach(const xsk *s, const char *mode);

/* Has the kernel send what is in TX. */
void xsk_wake(const xsk *s);

/* What a process needs for all this; ends the process with 3 and the reason without. */
void xsk_check(void);

/* Entries that the other side has given, at least 1 if there is one. */
static inline uint32_t xsk_given(xsk_ring *r)
{
    if (r->seen == r->own)
        r->seen = atomic_load_explicit(r->producer, memory_order_acquire);
    return r->seen - r->own;
}

/* Room for `count` entries at least, or what there is. */
static inline uint32_t xsk_room(xsk_ring *r, uint32_t count)
{
    if (r->size - (r->own - r->seen) < count)
        r->seen = atomic_load_explicit(r->consumer, memory_order_acquire);
    return r->size - (r->own - r->seen);
}

static inline uint64_t *xsk_address(const xsk_ring *r, uint32_t index)
{
    return (uint64_t *)r->entries + (index & (r->size - 1));
}

static inline struct xdp_desc *xsk_descriptor(const xsk_ring *r, uint32_t index)
{
    return (struct xdp_desc *)r->entries + (index & (r->size - 1));
}

/* Tells the other side of `count` more entries, produced into FILL or TX, consumed from RX or COMPLETION. */
static inline void xsk_tell(xsk_ring *r, _Atomic uint32_t *side, uint32_t count)
{
    r->own += count;
    atomic_store_explicit(side, r->own, memory_order_release);
}

static inline void xsk_produce(xsk_ring *r, uint32_t count) { xsk_tell(r, r->producer, count); }
static inline void xsk_consume(xsk_ring *r, uint32_t count) { xsk_tell(r, r->consumer, count); }

static inline void xsk_pause(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

int64_t xsk_now(void);

#endif

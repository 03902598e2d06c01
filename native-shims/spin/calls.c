/* What handlers call. Each runs on the thread's own stack, and no trap interrupts it: one that is due acts when it returns. */
#include <sched.h>
#include <string.h>

#include "futex.h"
#include "hpu.h"

#define FAIL 1u
#define LOOK_AGAIN_NS 20000000u /* a signal that comes right before a wait does not end it */

/* by enter.c alone */
#define DECLARE(name) uint32_t spin_##name(uint32_t a, uint32_t b, uint32_t c, uint32_t d);
ISLE_SPIN_CALLS(DECLARE)

static bool within(uint32_t offset, uint32_t length, uint32_t size)
{
    return offset <= size && length <= size - offset;
}

void *spin_range(const struct spin_context *x, uint32_t address, uint32_t length, bool write)
{
    uint32_t offset = address - x->low.places, in_place = offset % SPIN_PLACE;
    if (offset < ISLE_SPIN_HPUS * SPIN_PLACE) {
        uint32_t stack = spin_stack(&x->low, 0) - x->low.places;
        return within(in_place, length, SPIN_L1 + ISLE_SPIN_PAGE) || (in_place >= stack && within(in_place - stack, length, SPIN_STACK))
                   ? spin_at(address)
                   : NULL;
    }
    for (uint32_t i = 0; i < x->range_count; i++) {
        const struct range *r = &x->ranges[i];
        if (address >= r->from && within(address - r->from, length, r->to - r->from))
            return write && !r->writable ? NULL : spin_at(address);
    }
    return NULL;
}

static bool is_over(struct hpu *h)
{
    return __atomic_load_n(&h->pending, __ATOMIC_ACQUIRE);
}

static uint32_t failed(struct hpu *h)
{
    spin_count(&h->context->rings->counters.failed, 1);
    return FAIL;
}

static uint8_t *host_range(const struct spin_context *x, uint32_t high, uint32_t low, uint32_t length)
{
    uint64_t offset = ((uint64_t)high << 32 | low) - ISLE_SPIN_HOST, size = x->how.host.size;
    return offset <= size && length <= size - offset ? (uint8_t *)x->how.host.pointer + offset : NULL;
}

uint32_t spin_isle_send(uint32_t from, uint32_t length, uint32_t c, uint32_t d)
{
    struct hpu *h = spin_self;
    isle_spin_hpu *s = h->shared;
    uint32_t sent = __atomic_load_n(&s->sent, __ATOMIC_RELAXED);
    const void *frame = spin_range(h->context, from, length, false);
    (void)c;
    (void)d;
    if (!frame || !length || length > ISLE_SPIN_FRAME)
        return failed(h);
    for (uint32_t taken; sent - (taken = __atomic_load_n(&s->taken, __ATOMIC_ACQUIRE)) >= ISLE_SPIN_SENDS;) {
        if (is_over(h))
            return FAIL;
        futex_wait(&s->taken, taken, LOOK_AGAIN_NS);
    }
    isle_spin_frame *slot = &s->sends[sent % ISLE_SPIN_SENDS];
    slot->length = length;
    memcpy(slot->bytes, frame, length);
    spin_count(&h->context->rings->counters.sends, 1);
    spin_count(&h->context->rings->counters.sent_bytes, length);
    __atomic_store_n(&s->sent, sent + 1, __ATOMIC_RELEASE);
    return 0;
}

uint32_t spin_isle_put(uint32_t destination, uint32_t data, uint32_t length, uint32_t d)
{
    (void)destination;
    (void)data;
    (void)length;
    (void)d;
    return failed(spin_self);
}

uint32_t spin_isle_to_host(uint32_t high, uint32_t low, uint32_t from, uint32_t length)
{
    struct hpu *h = spin_self;
    uint8_t *to = host_range(h->context, high, low, length);
    const void *source = spin_range(h->context, from, length, false);
    if (!to || !source)
        return failed(h);
    memcpy(to, source, length);
    spin_count(&h->context->rings->counters.to_host, 1);
    return 0;
}

uint32_t spin_isle_from_host(uint32_t high, uint32_t low, uint32_t to, uint32_t length)
{
    struct hpu *h = spin_self;
    const uint8_t *source = host_range(h->context, high, low, length);
    void *target = spin_range(h->context, to, length, true);
    if (!source || !target)
        return failed(h);
    memcpy(target, source, length);
    spin_count(&h->context->rings->counters.from_host, 1);
    return 0;
}

uint32_t spin_isle_host_word(uint32_t high, uint32_t low, uint32_t data_high, uint32_t data_low)
{
    struct hpu *h = spin_self;
    uint64_t word = (uint64_t)data_high << 32 | data_low;
    uint8_t *to = host_range(h->context, high, low, sizeof word);
    if (!to)
        return failed(h);
    /* the host polls such a word */
    if ((uintptr_t)to % sizeof word)
        memcpy(to, &word, sizeof word);
    else
        __atomic_store_n((uint64_t *)(void *)to, word, __ATOMIC_RELEASE);
    spin_count(&h->context->rings->counters.to_host, 1);
    return 0;
}

uint32_t spin_isle_copy(uint32_t from, uint32_t to, uint32_t length, uint32_t d)
{
    struct hpu *h = spin_self;
    const void *source = spin_range(h->context, from, length, false);
    void *target = spin_range(h->context, to, length, true);
    (void)d;
    if (!source || !target)
        return failed(h);
    memmove(target, source, length);
    return 0;
}

uint32_t spin_isle_host_wait(uint32_t number, uint32_t b, uint32_t c, uint32_t d)
{
    struct hpu *h = spin_self;
    isle_spin_host_data *data = h->context->how.host_data.pointer;
    uint32_t *word = (uint32_t *)(void *)&data->flags[h->number], seen;
    uint64_t begin = clock_ns(), limit = h->context->how.limits.host_wait_ms * 1000000ull, now = begin;
    (void)b;
    (void)c;
    (void)d;
    spin_count(&h->context->rings->counters.host_requests, 1);
    __atomic_store_n(&h->shared->end.waiting, 1, __ATOMIC_RELEASE);
    while (((seen = __atomic_load_n(word, __ATOMIC_ACQUIRE)) & 0xff) != (number & 0xff) && !is_over(h)) {
        now = clock_ns();
        if (now - begin >= limit) {
            h->pending = ISLE_SPIN_HOST_TIME;
            break;
        }
        futex_wait(word, seen, limit - (now - begin) < LOOK_AGAIN_NS ? limit - (now - begin) : LOOK_AGAIN_NS);
    }
    now = clock_ns();
    __atomic_store_n(&h->waited_ns, h->waited_ns + (now - begin), __ATOMIC_RELAXED);
    __atomic_store_n(&h->shared->end.waiting, 0, __ATOMIC_RELEASE);
    return is_over(h) ? FAIL : 0;
}

uint32_t spin_isle_cycles(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const struct spin_context *x = spin_self->context;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    uint64_t ns = clock_ns() - x->epoch_ns;
    return (uint32_t)(ns / 1000 * x->how.limits.hpu_mhz + ns % 1000 * x->how.limits.hpu_mhz / 1000);
}

uint32_t spin_isle_self(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    return spin_self->number;
}

/* The newest reservation of the HPU; it holds as long as the word has the same value. */
uint32_t spin_isle_reserve(uint32_t address, uint32_t b, uint32_t c, uint32_t d)
{
    struct hpu *h = spin_self;
    (void)b;
    (void)c;
    (void)d;
    h->reserved = address % sizeof(uint32_t) ? NULL : spin_range(h->context, address, sizeof(uint32_t), false);
    if (!h->reserved)
        return failed(h);
    return h->reserved_value = __atomic_load_n(h->reserved, __ATOMIC_SEQ_CST);
}

uint32_t spin_isle_store_reserved(uint32_t address, uint32_t value, uint32_t c, uint32_t d)
{
    struct hpu *h = spin_self;
    uint32_t *word = address % sizeof(uint32_t) ? NULL : spin_range(h->context, address, sizeof(uint32_t), true);
    uint32_t expected = h->reserved_value;
    bool held = word && word == h->reserved;
    (void)c;
    (void)d;
    h->reserved = NULL;
    if (!word)
        return failed(h);
    return !held || !__atomic_compare_exchange_n(word, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

uint32_t spin_isle_pause(uint32_t cycles, uint32_t b, uint32_t c, uint32_t d)
{
    struct hpu *h = spin_self;
    uint64_t end = clock_ns() + (uint64_t)cycles * 1000 / h->context->how.limits.hpu_mhz;
    (void)b;
    (void)c;
    (void)d;
    do
        sched_yield();
    while (clock_ns() < end && !is_over(h));
    return 0;
}

uint32_t spin_isle_exit(uint32_t code, uint32_t b, uint32_t c, uint32_t d)
{
    (void)code;
    (void)b;
    (void)c;
    (void)d;
    spin_self->pending = ISLE_SPIN_EXIT;
    return 0;
}
